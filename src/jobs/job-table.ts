/** What a node does by itself, again and again: one row each. `footfall jobs` shows how they go. */
import { EXPIRED_SWEEP_MS, RETENTION_LOOK_MS, SECOND_MS } from '../model/limits.ts';
import {
  GOAL_LOOK_MS,
  REPORT_LOOK_MS,
  SPIKE_LOOK_MS,
  WARNING_LOOK_MS,
} from '../model/outgoing-limits.ts';
import { domainErasures } from './domain-erasures.ts';
import { dueReports } from './due-reports.ts';
import { expiredSignIns } from './expired-sign-ins.ts';
import { exports } from './exports.ts';
import { goals } from './goals.ts';
import { imports } from './imports.ts';
import type { Job } from './job.ts';
import { retention } from './retention.ts';
import { spikes } from './spikes.ts';
import { warnings } from './warnings.ts';

export const JOBS: readonly Job[] = [
  {
    name: 'reports',
    duty: 'writes down the reports whose time has come',
    periodMs: REPORT_LOOK_MS,
    lease: 'shard of each domain',
    open: dueReports,
  },
  {
    name: 'spikes',
    duty: 'looks for domains with as many active visitors as their people want to know of',
    periodMs: SPIKE_LOOK_MS,
    lease: 'shard of each domain',
    open: spikes,
  },
  {
    name: 'warnings',
    duty: 'looks for domains that no hit comes to any more',
    periodMs: WARNING_LOOK_MS,
    lease: 'shard of each domain',
    open: warnings,
  },
  {
    name: 'goals',
    duty: 'counts goals that want something done when they are reached',
    periodMs: GOAL_LOOK_MS,
    lease: 'shard of each domain',
    open: goals,
  },
  {
    name: 'erasures',
    duty: 'erases the statistics of deleted domains',
    periodMs: SECOND_MS,
    lease: 'first shard',
    open: domainErasures,
  },
  {
    name: 'imports',
    duty: 'imports what was uploaded, and takes back what is not wanted any more',
    periodMs: SECOND_MS,
    lease: 'none',
    open: imports,
  },
  {
    name: 'exports',
    duty: 'writes the exports that were asked for, and removes what is offered no more',
    periodMs: SECOND_MS,
    lease: 'none',
    open: exports,
  },
  {
    name: 'retention',
    duty: 'erases days that are older than their domain or the installation keeps them',
    periodMs: RETENTION_LOOK_MS,
    lease: 'shard of each domain',
    open: retention,
  },
  {
    name: 'expired-sign-ins',
    duty: 'removes sessions, links and mails that have expired',
    periodMs: EXPIRED_SWEEP_MS,
    lease: 'first shard',
    open: expiredSignIns,
  },
];
