/**
 * Which segments a domain has in a shard's environment, by day: of a split domain those of all its
 * holders, with the rows of frozen ones that do not count any more.
 *
 * Data plane, a look-up or two per holder and question: a holder's list is read again only when its
 * saves say that it changed, hidden rows only when a save of any holder may have added some.
 *
 *     domain ─ lanes [1, 4] ─▶ D   D/1.0 … D/1.3
 *                              │     └ segments that take hits
 *                              └ frozen: segments less hidden rows
 */

import { Packr } from 'msgpackr';
import { holdersOf } from '../model/split.ts';
import type { StateEnvironment } from '../store/state-environment.ts';
import { readHiddenDays, readLanes } from './hidden-rows.ts';
import { readHeaders, type SegmentHeader } from './segment-header.ts';

const packr = new Packr({ useRecords: false });

/** A segment as it is stored. */
export interface ListedSegment {
  readonly holderId: string;
  /** Position of the holder among those of the domain; it stays the same. */
  readonly holderIndex: number;
  readonly day: number;
  readonly header: SegmentHeader;
  /** Session rows that do not count, in any order, some twice; null: every row counts. */
  readonly hiddenRows: Uint32Array | null;
}

/** What is known of a holder. */
interface Holder {
  /** Version of the holder that the headers belong to. */
  readonly version: number;
  readonly headers: { day: number; header: SegmentHeader }[];
  /** Versions of all holders that the hidden rows belong to; '' before they were read. */
  hiddenAt: string;
  hiddenRows: Map<number, Uint32Array>;
}

const ALWAYS = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER - 1 };
const NO_HOLDER: Holder = { version: 0, headers: [], hiddenAt: '', hiddenRows: new Map() };

/** Lists of segments, remembered by holder. */
export class SegmentDirectory {
  readonly #holders = new Map<string, Holder>();

  /** All segments of a domain by day, those of a day in the order of their holders. */
  list(environment: StateEnvironment, domainId: string): ListedSegment[] {
    const split = readLanes(environment, domainId);
    if (split === null) {
      const { headers } = this.#holder(environment, domainId);
      const common = { holderId: domainId, holderIndex: 0, hiddenRows: null };
      return headers.map(({ day, header }) => ({ ...common, day, header }));
    }
    const ids = holdersOf(domainId, split.lanes);
    const holders = ids.map((id) => this.#holder(environment, id));
    // A lane saves the rows that it hides together with what it has copied.
    const at = holders.map(({ version }) => version).join(' ');
    const frozenCount = ids.length - (split.lanes.at(-1) ?? 0);
    const listed: ListedSegment[] = [];
    for (const [holderIndex, holder] of holders.entries()) {
      const holderId = ids[holderIndex] as string;
      if (holderIndex < frozenCount && holder.hiddenAt !== at && holder.headers.length > 0) {
        holder.hiddenRows = readHiddenDays(environment, holderId, ALWAYS);
        holder.hiddenAt = at;
      }
      for (const { day, header } of holder.headers) {
        const hiddenRows = holder.hiddenRows.get(day) ?? null;
        listed.push({ holderId, holderIndex, day, header, hiddenRows });
      }
    }
    return listed.sort((left, right) => left.day - right.day);
  }

  /** Forgets everything. */
  clear(): void {
    this.#holders.clear();
  }

  /** Forgets the holders that were listed longest ago, down to a number. */
  trim(countMax: number): void {
    for (const holderId of this.#holders.keys()) {
      if (this.#holders.size <= countMax) break;
      this.#holders.delete(holderId);
    }
  }

  #holder(environment: StateEnvironment, holderId: string): Holder {
    const bytes = environment.view(['d', holderId]);
    if (bytes === undefined) return NO_HOLDER;
    const { version } = packr.unpack(bytes) as { version: number };
    const known = this.#holders.get(holderId);
    if (known !== undefined && known.version === version) return known;
    const headers = [...readHeaders(environment, holderId, ALWAYS)];
    const holder: Holder = { version, headers, hiddenAt: '', hiddenRows: new Map() };
    this.#holders.delete(holderId);
    this.#holders.set(holderId, holder);
    return holder;
  }
}
