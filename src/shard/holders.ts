/**
 * Records about a domain as a whole: changes of its lanes, and deletions, which touch all that it
 * ever stored.
 *
 * Data plane at record granularity. A lane writes the holder that it has now; what is frozen is the
 * base's, for deletions and to be packed.
 */

import type { Erasure } from '../model/erasure.ts';
import { domainOfHolder, holdersOf, type Split } from '../model/split.ts';
import { type DomainState, stepsDone } from './domain-state.ts';
import { eraseNextDay, expectErasure } from './erasure.ts';
import { FrozenHolders, type FrozenReader } from './frozen-holders.ts';
import { laneCountOf, type Splits } from './split.ts';

/** A lane of a shard as far as records of this kind need it. */
interface Lane extends FrozenReader {
  readonly lane: number;
  readonly splits: Splits;
  readonly domains: Map<string, DomainState>;
  readonly erasing: Set<string>;
  readonly toFreeze: Set<DomainState>;
  existingDomain(holder: string, nowMs: number): DomainState | null;
  openDomain(holder: string, nowMs: number): DomainState;
  noteChange(domain: DomainState, sequence: number, nowMs: number): void;
}

/** A record on its way into a lane. */
interface Arrival {
  readonly sequence: number;
  /** Its place within the record (`Shard`). */
  readonly step: number;
  readonly nowMs: number;
}

/** What earlier generations hold of a split domain, for a lane's part of it; null for all others. */
export function frozenFor(shard: Lane, domain: DomainState): FrozenHolders | null {
  const { domainId: holder, frozenErasures } = domain;
  const domainId = domainOfHolder(holder);
  const split = shard.splits.of(domainId);
  if (split === null || split.holder !== holder) return null;
  const generation = split.lanes.length - 1;
  const holders = holdersOf(domainId, split.lanes.slice(0, generation));
  const lane = `${generation}.${shard.lane}`;
  return new FrozenHolders(shard, { holders, lane }, frozenErasures);
}

/** Whether a holder is this lane's to write. */
export function owns(shard: Pick<Lane, 'lane' | 'splits'>, holder: string): boolean {
  const domainId = domainOfHolder(holder);
  const split = shard.splits.of(domainId);
  if (split === null) return shard.lane === 0;
  if (split.holder === holder) return true;
  const current = holdersOf(domainId, split.lanes).slice(-laneCountOf(split));
  return shard.lane === 0 && !current.includes(holder);
}

/** What the lane holds of the domain is frozen, to be saved at once; it begins anew under another name. */
export function changeLanes(
  shard: Lane,
  change: Split,
  { sequence, nowMs }: Omit<Arrival, 'step'>,
): void {
  const { domainId } = change;
  const known = shard.splits.of(domainId);
  const unsplit = shard.lane === 0 ? domainId : '';
  const before = known === null ? unsplit : known.holder;
  const held = before === '' ? null : shard.existingDomain(before, nowMs);
  const split = shard.splits.take(change, sequence);
  if (split === null) return;
  if (held !== null) {
    // A lane that copies from here knows of later deletions only.
    while (held.pendingErasures.size > 0) eraseNextDay(held);
    shard.noteChange(held, sequence, nowMs);
    shard.toFreeze.add(held);
    if (shard.lane > 0) shard.domains.delete(before);
  }
  if (split.holder === '') return;
  const made = shard.openDomain(split.holder, nowMs);
  shard.noteChange(made, sequence, nowMs);
  shard.toFreeze.add(made);
}

/** Marks the days that a deletion touches; they are rebuilt one by one. */
export function applyErasure(shard: Lane, erasure: Erasure, arrival: Arrival): void {
  const { domainId } = erasure;
  const split = shard.splits.of(domainId);
  const holders = split === null ? [domainId] : holdersOf(domainId, split.lanes);
  for (const holder of holders) if (owns(shard, holder)) eraseFrom(shard, holder, erasure, arrival);
}

function eraseFrom(
  shard: Lane,
  holder: string,
  erasure: Erasure,
  { sequence, step, nowMs }: Arrival,
): void {
  const domain = shard.domains.get(holder) ?? shard.openDomain(holder, nowMs);
  if (sequence <= domain.recoveredSequence || step < stepsDone(domain, sequence)) return;
  const spans = new Map(shard.daySpans(holder).map((span) => [span.day, span]));
  for (const { segment } of domain.segments.values()) spans.set(segment.day, segment);
  expectErasure(domain, erasure, spans.values());
  if (domain.frozen !== null) {
    domain.frozenErasures.push(erasure);
    domain.frozen.erase(erasure);
  }
  shard.erasing.add(holder);
  shard.noteChange(domain, sequence, nowMs);
}
