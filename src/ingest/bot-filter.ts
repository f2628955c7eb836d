/**
 * The steps of the bot filter (I-10 to I-24): each returns the reason to drop a hit, or 0.
 *
 * Data plane. What follows from the user agent or the client hints alone was worked out when the text
 * was seen first and is looked up here. `pipeline.ts` has the order, which is the rules'.
 */

import { dropReason } from '../model/drop-reasons.ts';
import { HitKind } from '../model/hit.ts';
import type { AddressFilter } from './address-filter.ts';
import type { Referrers } from './source/referrer.ts';
import { GO_ON, type Step, type StepRun } from './step.ts';

const ALL = [HitKind.PageView, HitKind.Event, HitKind.KeepAlive];
const WITH_PAGE = [HitKind.PageView, HitKind.Event];

const SPAM = dropReason('referrer');
const ADDRESS = dropReason('ip');

/** What the steps ask. */
export interface DropSources {
  referrers: Referrers;
  addresses: AddressFilter;
}

/**
 * The filter, in the order of its rules. Keep-alives are judged by user agent and address (I-27): they
 * bring no referrer, and no brand.
 */
export function listDrops({ referrers, addresses }: DropSources): readonly Step[] {
  return [
    // I-10 to I-13
    { name: 'drop by form of request', kinds: ALL, run: (_hit, draft) => draft.requestVerdict },
    // I-15, I-16, I-17
    ofAgent('drop by form of agent', (_hit, draft) => draft.profile.formVerdict),
    {
      // I-18
      name: 'drop by referrer',
      kinds: WITH_PAGE,
      run: (_hit, { raw, page, query, site }) =>
        referrers.isSpam(raw, page, query, site) ? SPAM : GO_ON,
    },
    {
      // I-19
      name: 'drop by age of browser',
      kinds: ALL,
      run: (_hit, { brand, profile }) =>
        brand.browser === '' ? profile.browserVerdict : brand.browserVerdict,
    },
    // I-20
    ofAgent('drop by engine of Firefox', (_hit, draft) => draft.profile.rvVerdict),
    // I-21; what a user agent alone is read as is no program's name.
    { name: 'drop by name of browser', kinds: ALL, run: (_hit, draft) => draft.brand.nameVerdict },
    // I-22
    ofAgent('drop by words of agent', (_hit, draft) => draft.profile.keywordVerdict),
    // I-23
    ofAgent('drop by patterns of agent', (_hit, draft) => draft.profile.patternVerdict),
    {
      // I-24
      name: 'drop by address',
      kinds: ALL,
      run: (_hit, draft) =>
        addresses.blocks(draft.address, draft.site.addresses) ? ADDRESS : GO_ON,
    },
  ];
}

function ofAgent(name: string, run: StepRun): Step {
  return { name, kinds: ALL, isOfAgent: true, run };
}
