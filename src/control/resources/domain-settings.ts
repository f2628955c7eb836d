/** What a domain shows as its `settings` (M-14): the caller's own marks, and what holds for all. */
import { isAddressRange } from '../../base/address-range.ts';
import { boolean, exactly, integer, listOf, type Schema, string } from '../../base/schema.ts';
import type { FieldSchema } from '../../base/validate.ts';
import { errors } from '../../model/errors.ts';
import { FILTER_RANGE_COUNT_MAX } from '../../model/limits.ts';
import type { AnyRecord, Viewing } from '../descriptor/resource.ts';
import { preferenceOf } from './preference.ts';
import { trafficSettings } from './traffic.ts';

const RANGES = listOf(string);

/** Addresses and CIDR ranges whose hits are dropped, and those that are taken all the same (I-24). */
export const HIT_FILTER = exactly({ ipBlock: RANGES, ipAllow: RANGES });

/** What a domain keeps of it. */
export interface HitFilter {
  readonly ipBlock: readonly string[];
  readonly ipAllow: readonly string[];
}

const NO_FILTER: HitFilter = { ipBlock: [], ipAllow: [] };

/** What answers show; whoever has an access code sees nothing of it (M-16). */
export const SETTINGS: Schema = {
  ...exactly({
    ...{ favorite: boolean, pinned: boolean },
    ...{ traffic_spike: boolean, traffic_spike_threshold: integer },
    ...{ traffic_warning: boolean, traffic_warning_threshold: integer },
    filter: exactly({ ip_block: RANGES, ip_allow: RANGES }),
  }),
  required: [],
};

/** The settings of a domain for a caller. */
export function settingsOf(record: AnyRecord, { view, userId }: Viewing) {
  const own = preferenceOf(view, userId, record.id);
  const { ipBlock, ipAllow } = filterOf(record);
  return {
    favorite: own?.favorite ?? false,
    pinned: own?.pinned ?? false,
    ...trafficSettings(record),
    filter: { ip_block: ipBlock, ip_allow: ipAllow },
  };
}

/** What `POST domain/filter` carries. */
export const SENT_FILTER: Readonly<Record<string, FieldSchema>> = {
  ip_block: { type: ['array', 'null'] },
  ip_allow: { type: ['array', 'null'] },
};

/**
 * The filter that a request wants: a list that it does not carry stays, null empties it.
 *
 * @throws VALIDATION_FAILED naming each entry that is no address, such as `ip_block.2`.
 */
export function nextFilter(before: AnyRecord, sent: Readonly<Record<string, unknown>>): HitFilter {
  const known = filterOf(before);
  const faults: Record<string, string> = {};
  const lists = [sent['ip_block'], sent['ip_allow']];
  if (lists.every((list) => list === undefined)) faults['ip_block'] = 'is required, or ip_allow';
  const filter = {
    ipBlock: rangesOf('ip_block', sent, known.ipBlock, faults),
    ipAllow: rangesOf('ip_allow', sent, known.ipAllow, faults),
  };
  if (Object.keys(faults).length > 0) throw errors.VALIDATION_FAILED({ validation: faults });
  return filter;
}

function rangesOf(
  name: string,
  sent: Readonly<Record<string, unknown>>,
  before: readonly string[],
  faults: Record<string, string>,
): readonly string[] {
  const list = sent[name];
  if (list === undefined) return before;
  const entries = (list ?? []) as readonly unknown[];
  if (entries.length > FILTER_RANGE_COUNT_MAX) {
    faults[name] = `must have at most ${FILTER_RANGE_COUNT_MAX} entries`;
    return before;
  }
  const ranges = entries.map((entry) => (typeof entry === 'string' ? entry.trim() : ''));
  for (const [index, range] of ranges.entries()) {
    if (isAddressRange(range)) continue;
    faults[`${name}.${index}`] = 'must be an address, or a range such as 10.0.0.0/8';
  }
  return [...new Set(ranges)];
}

/** Domains of versions before have none. */
function filterOf(record: AnyRecord): HitFilter {
  return (record['filter'] as HitFilter | undefined) ?? NO_FILTER;
}
