/**
 * Splitting a domain over several lanes, and joining it again: what may follow what, and when.
 *
 * Control plane. A change of the number of lanes begins at an instant. One that has begun stands for
 * good, because the log says so by then or soon (`runtime/split-announcer.ts`); a later one follows it
 * as the next generation. One that has not begun can be replaced or withdrawn, but not within a minute
 * before it begins: a node whose clock is ahead may have put it into the log already.
 */
import type { Domain, WantedSplit } from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import { MINUTE_MS } from '../model/limits.ts';
import { normalHostname } from './field-rules.ts';
import type { Registry } from './registry.ts';
import type { RegistryView } from './view.ts';

/** What an operator wants of a domain. */
export interface SplitWish {
  /** Its id, or its hostname if no other domain has it. */
  readonly domain: string;
  /** How many lanes, from 1, which joins it again, to `LANE_COUNT_MAX`. */
  readonly lanes: number;
  /** From when on; null: at once. */
  readonly fromMs: number | null;
}

/** What came of a wish. */
export interface SplitPlan {
  readonly domain: Domain;
  readonly lanes: number;
  /** When that number of lanes begins to hold; of a withdrawn change the time of the withdrawal. */
  readonly fromMs: number;
  /** True: it only takes back a change that had not begun. */
  readonly isWithdrawal: boolean;
}

const NEVER_SPLIT: readonly number[] = [1];

/** Numbers of lanes by generation, those that have not begun left out; never empty. */
export function lanesAt(split: WantedSplit | undefined, nowMs: number): readonly number[] {
  if (split === undefined) return NEVER_SPLIT;
  return split.fromMs <= nowMs ? split.lanes : split.lanes.slice(0, -1);
}

/**
 * Changes the number of lanes of a domain.
 *
 * @throws VALIDATION_FAILED for `id` (no such domain, several of that hostname, nothing to join, a
 *   change that is about to begin) and `lanes` (out of bounds, or as many as there are).
 */
export async function splitDomain(
  registry: Registry,
  wish: SplitWish,
  nowMs: number,
): Promise<SplitPlan> {
  let made: SplitPlan | undefined;
  await registry.change(nowMs, (view, atMs) => {
    const plan = planOf(findDomain(view, wish.domain), wish, atMs);
    made = plan;
    return [{ kind: 'domain-split', payload: plan.domain }];
  });
  return made as SplitPlan;
}

/** @param nowMs time of the record. */
function planOf(domain: Domain, { lanes, fromMs }: SplitWish, nowMs: number): SplitPlan {
  const begun = lanesAt(domain.split, nowMs);
  const planned = domain.split !== undefined && domain.split.fromMs > nowMs ? domain.split : null;
  if (planned !== null && planned.fromMs - nowMs < MINUTE_MS) {
    const from = new Date(planned.fromMs).toISOString();
    throw refusal('id', `is about to change at ${from}; repeat the command after that`);
  }
  const isWithdrawal = lanes === begun.at(-1);
  if (isWithdrawal && planned === null) {
    throw lanes === 1
      ? refusal('id', 'is a site in one piece: there is nothing to merge')
      : refusal('lanes', `must be another number than ${lanes}: the site has so many already`);
  }
  const split = isWithdrawal
    ? { lanes: begun, fromMs: nowMs }
    : { lanes: [...begun, lanes], fromMs: fromMs ?? nowMs };
  return { domain: withSplit(domain, split, nowMs), lanes, fromMs: split.fromMs, isWithdrawal };
}

/** A domain that never had but one lane is as if nobody had ever asked. */
function withSplit(domain: Domain, split: WantedSplit, modifiedMs: number): Domain {
  const { split: _, ...rest } = domain;
  return split.lanes.length === 1 ? { ...rest, modifiedMs } : { ...rest, modifiedMs, split };
}

function findDomain(view: RegistryView, name: string): Domain {
  const known = view.domain(name);
  if (known !== null) return known;
  const wanted = normalHostname(name);
  const named = [...view.domains()].filter(({ hostname }) => hostname === wanted);
  const [only] = named;
  if (only === undefined)
    throw refusal('id', `'${name}' is neither the id nor the hostname of a site`);
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ');
    throw refusal('id', `must be one of ${ids}: ${named.length} sites have the hostname '${name}'`);
  }
  return only;
}

function refusal(field: string, text: string): Error {
  return errors.VALIDATION_FAILED({ validation: { [field]: text } });
}
