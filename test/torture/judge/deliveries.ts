/**
 * Holds what the receiver of webhooks was told against the model: each event that is stored, once, and
 * nothing else (O-1, O-3).
 */
import type { EventRow } from '../../support/oracle/world.ts';
import { pause } from '../cluster/child.ts';
import type { Ledger } from '../load/ledger.ts';
import type { Receiver, ToldEvent } from '../load/receiver.ts';
import { type Site, TOLD_EVENT_NAMES } from '../load/sites.ts';

/** A second failure of an entry, with its wait, is among what may happen. */
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 50;

/** Waits until a site's receiver knows everything, and says what it does not know or should not. */
export async function judgeDeliveries(
  { receiver, ledger }: { receiver: Pick<Receiver, 'told'>; ledger: Ledger },
  site: Site,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const due = countsOf(
    site.rounds
      .flatMap((round) => site.world(round).events)
      .filter(({ name }) => TOLD_EVENT_NAMES.some((told) => told === name))
      .map((event) => keyOfRow(site, event)),
  );
  const startMs = performance.now();
  let wrong = differencesOf(due, receiver, site);
  while (wrong.length > 0 && performance.now() - startMs < patienceMs) {
    await pause(LOOK_EVERY_MS);
    wrong = differencesOf(due, receiver, site);
  }
  for (const text of wrong) ledger.differs(text);
  ledger.counts.entries += [...due.values()].reduce((sum, count) => sum + count, 0);
}

function differencesOf(
  due: ReadonlyMap<string, number>,
  receiver: Pick<Receiver, 'told'>,
  site: Site,
): string[] {
  const told = countsOf(receiver.told(site.name).map((event) => keyOfTold(site, event)));
  return [...new Set([...due.keys(), ...told.keys()])].flatMap((key) => {
    const [got, wanted] = [told.get(key) ?? 0, due.get(key) ?? 0];
    if (got === wanted) return [];
    return [`webhooks of ${site.name}, ${key.slice(0, 300)}: told ${got} times, due are ${wanted}`];
  });
}

function keyOfRow(site: Site, { name, path, title, meta, timeMs }: EventRow): string {
  return keyOf(site, { name, path, title, meta, timeMs });
}

function keyOfTold(site: Site, told: ToldEvent): string {
  const { event_name: name, event_meta: meta, path, title, time } = told;
  return keyOf(site, { name, path, title, meta, timeMs: Date.parse(time) });
}

/** Of a live site only the service knows the times. */
function keyOf({ isLive }: Site, of: Omit<EventRow, 'session' | 'durationSeconds'>): string {
  const { name, path, title, meta, timeMs } = of;
  const pairs = Object.entries(meta).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([name, path, title, isLive ? 0 : timeMs, pairs]);
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
