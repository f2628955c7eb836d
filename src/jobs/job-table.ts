/** What a node does by itself, again and again: one row each. `footfall jobs` shows how they go. */
import { EXPIRED_SWEEP_MS, REPORT_LOOK_MS, SECOND_MS } from '../model/limits.ts';
import { domainErasures } from './domain-erasures.ts';
import { dueReports } from './due-reports.ts';
import { expiredSignIns } from './expired-sign-ins.ts';
import type { Job } from './job.ts';

export const JOBS: readonly Job[] = [
  {
    name: 'reports',
    duty: 'writes down the reports whose time has come',
    periodMs: REPORT_LOOK_MS,
    lease: 'shard of each domain',
    open: dueReports,
  },
  {
    name: 'erasures',
    duty: 'erases the statistics of deleted domains',
    periodMs: SECOND_MS,
    lease: 'first shard',
    open: domainErasures,
  },
  {
    name: 'expired-sign-ins',
    duty: 'removes sessions, links and mails that have expired',
    periodMs: EXPIRED_SWEEP_MS,
    lease: 'first shard',
    open: expiredSignIns,
  },
];
