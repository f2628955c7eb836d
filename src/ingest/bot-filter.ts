/**
 * The steps of the bot filter (I-10 to I-24): each returns the reason to drop a hit, or 0.
 *
 * Data plane. What follows from the user agent or the client hints alone was worked out when the text
 * was seen first and is looked up here. `pipeline.ts` has the order, which is the rules'.
 */

import { dropReason } from '../model/drop-reasons.ts';
import { HitKind } from '../model/hit.ts';
import type { AddressFilter } from './address-filter.ts';
import type { ClientHints } from './agent/client-hints.ts';
import type { Referrers } from './source/referrer.ts';
import { GO_ON, type Step } from './step.ts';

const ALL = [HitKind.PageView, HitKind.Event, HitKind.KeepAlive];
const WITH_PAGE = [HitKind.PageView, HitKind.Event];
const KEEP_ALIVE = [HitKind.KeepAlive];

const SPAM = dropReason('referrer');
const ADDRESS = dropReason('ip');

/** What the steps ask. */
export interface DropSources {
  hints: ClientHints;
  referrers: Referrers;
  addresses: AddressFilter;
}

/** The filter, in the order of its rules. Keep-alives are judged by user agent and address (I-27). */
export function listDrops({ hints, referrers, addresses }: DropSources): readonly Step[] {
  return [
    // I-10 to I-13
    { name: 'drop by form of request', kinds: ALL, run: (_hit, draft) => draft.requestVerdict },
    // I-15, I-16, I-17
    { name: 'drop by form of agent', kinds: ALL, run: (_hit, draft) => draft.profile.formVerdict },
    {
      // I-18
      name: 'drop by referrer',
      kinds: WITH_PAGE,
      run: (_hit, { raw, query, page, site }) =>
        referrers.isSpam(raw, query, page.hostname, site) ? SPAM : GO_ON,
    },
    {
      // I-19
      name: 'drop by age of browser',
      kinds: WITH_PAGE,
      run: (_hit, draft) => hints.browserVerdict(draft.raw, draft.profile),
    },
    {
      name: 'drop by age of browser, by agent alone',
      kinds: KEEP_ALIVE,
      run: (_hit, draft) => draft.profile.browserVerdict,
    },
    // I-20
    {
      name: 'drop by engine of Firefox',
      kinds: ALL,
      run: (_hit, draft) => draft.profile.rvVerdict,
    },
    {
      // I-21; what a user agent alone is read as is no program's name.
      name: 'drop by name of browser',
      kinds: WITH_PAGE,
      run: (_hit, draft) => hints.nameVerdict(draft.raw),
    },
    // I-22
    {
      name: 'drop by words of agent',
      kinds: ALL,
      run: (_hit, { profile }) => profile.keywordVerdict,
    },
    // I-23
    {
      name: 'drop by patterns of agent',
      kinds: ALL,
      run: (_hit, draft) => draft.profile.patternVerdict,
    },
    {
      // I-24
      name: 'drop by address',
      kinds: ALL,
      run: (_hit, draft) =>
        addresses.blocks(draft.address, draft.site.addresses) ? ADDRESS : GO_ON,
    },
  ];
}
