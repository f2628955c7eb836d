/** Hits for tests of the shard: every field set, what matters given by name. */

import { decodeGroups, encodeGroups } from '../../src/bus/record/codec.ts';
import { createHit } from '../../src/ingest/pipeline.ts';
import { Platform } from '../../src/model/dimensions.ts';
import { type Hit, HitKind } from '../../src/model/hit.ts';
import { DAY_MS, SESSION_GAP_MS } from '../../src/model/limits.ts';
import type { DomainState } from '../../src/shard/state/domain-state.ts';
import type { Sessionizer } from '../../src/shard/state/sessionizer.ts';

/** 2024-05-06T00:00:00Z, a Monday. */
export const MONDAY_MS = Date.UTC(2024, 4, 6);

/** A hit of visitor `person` (its id of a day is person and day), with the id of the day before where an edge would send it. */
export function hit(person: number, timeMs: number, fields: Partial<Hit> = {}): Hit {
  const day = Math.floor(timeMs / DAY_MS);
  const isEarly = timeMs - day * DAY_MS < SESSION_GAP_MS;
  return {
    ...createHit(HitKind.PageView, timeMs),
    visitorLow: person,
    visitorHigh: day,
    previousLow: isEarly ? person : 0,
    previousHigh: isEarly ? day - 1 : 0,
    platform: Platform.Desktop,
    path: '/',
    hostname: 'example.org',
    ...fields,
  };
}

export function keepAlive(person: number, timeMs: number): Hit {
  return hit(person, timeMs, { kind: HitKind.KeepAlive, path: '', hostname: '' });
}

export function event(person: number, timeMs: number, fields: Partial<Hit> = {}): Hit {
  return hit(person, timeMs, { kind: HitKind.Event, eventName: 'e', ...fields });
}

/** Sends hits through the log's codec into a sessionizer. @returns what it says of each. */
export function applyHits(
  sessionizer: Sessionizer,
  domain: DomainState,
  hits: readonly Hit[],
): number[] {
  const { domainId } = domain;
  const group = { domainId, receivedMs: 0, idempotencyHash: '', dropped: null, hits: [...hits] };
  const batch = decodeGroups(encodeGroups([group]));
  return hits.map((_, row) => sessionizer.apply(domain, batch, row));
}
