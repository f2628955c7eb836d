/**
 * Goal: texts that nobody sends twice end neither the service nor its next start: under a heap that
 * holds a part of them it stays alive, and everything is counted exactly but for `(other)` (I-79).
 * Method: the attack of `faults/attack.ts` on the built service under a small limit, a SIGKILL in
 * the middle and one at the end, each followed by a start under the same limit.
 *
 * CI runs a small one. At full size a million texts of 8 kB come in three days, and as many metadata
 * values of 2,000 characters, under an old space of 1 GB; it takes half an hour:
 *
 *   FOOTFALL_TEST=attack npm test -- memory-attack
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type Attack,
  type DayTruth,
  eventDays,
  META_KEYS,
  send,
  viewDays,
} from '../../support/faults/attack.ts';
import { IS_ATTACK } from '../../support/runs.ts';
import { type RunningService, startService } from '../../support/service.ts';

const MIB = 1_024 * 1_024;

const SMALL = {
  attack: {
    ...{ days: 3, views: 10_800, events: 630, fields: ['utm_source'] },
    ...{ textLength: 2_010, letter: '😀', valueLength: 1_990, connections: 4 },
  } satisfies Attack,
  oldSpaceMb: 160,
  memoryBytes: 512 * MIB,
};

/** Texts of the large attack; below some 100,000 none of them comes to be `(other)`. */
const TEXTS = 1_000_000;

const LARGE = {
  attack: {
    ...{ days: 3, views: TEXTS, events: TEXTS / 20, fields: ['utm_source'] },
    ...{ textLength: 7_900, letter: 'x', valueLength: 2_000, connections: 4 },
  } satisfies Attack,
  oldSpaceMb: 1_024,
  memoryBytes: 1_024 * MIB,
};

const { attack, oldSpaceMb, memoryBytes }: { attack: Attack } & Omit<typeof SMALL, 'attack'> =
  IS_ATTACK ? LARGE : SMALL;

/** Looks at what the process takes of the machine. */
function watchMemory(service: RunningService): () => number {
  let mostMb = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
      mostMb = Math.max(mostMb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
    } catch {
      // Between two runs of the service there is none.
    }
  }, 100);
  return () => {
    clearInterval(timer);
    return Math.round(mostMb);
  };
}

test('unique texts neither end the service nor keep it from starting (I-79)', async () => {
  const service = await startService({
    env: {
      NODE_OPTIONS: `--max-old-space-size=${oldSpaceMb}`,
      FOOTFALL_MEMORY: String(memoryBytes),
      FOOTFALL_LOG_LEVEL: 'error',
    },
  });
  const stopWatching = watchMemory(service);
  try {
    const account = await service.createAccount();
    const domain = await service.createDomain({ email: account.email, hostname: 'example.org' });
    const { client_id, client_secret } = domain;
    const reader = await ApiClient.whenKnown(service.baseUrl, client_id, client_secret);
    const writer = new ApiClient(service.baseUrl, domain.access_key);
    const total = attack.views + attack.events;
    let killAt = total / 2;
    let isBroken = false;
    const onAcknowledged = async (hits: number) => {
      if (hits < killAt) return;
      killAt = Number.POSITIVE_INFINITY;
      await service.kill();
      await service.start().catch((error) => {
        isBroken = true;
        throw error;
      });
    };
    // A service that ended by itself does not come back.
    const mayGoOn = () => !isBroken && (service.pid !== 0 || killAt === Number.POSITIVE_INFINITY);
    await send(attack, () => writer, onAcknowledged, mayGoOn);
    expect(killAt).toBe(Number.POSITIVE_INFINITY);
    await service.kill();
    await service.start();
    const { pid } = service;
    for (const day of viewDays(attack)) await expectViews(reader, domain.id, day);
    for (const day of eventDays(attack)) await expectEvents(reader, domain.id, day);
    expect(service.pid).toBe(pid);
  } finally {
    process.stdout.write(`${attack.views} views, at most ${stopWatching()} MB resident\n`);
    await service.dispose();
  }
}, 7_200_000);

interface Figures {
  visitors: number;
  views: number;
  sessions: number;
}

async function expectViews(reader: ApiClient, id: string, day: DayTruth): Promise<void> {
  const range = { id, from: day.date, to: day.date };
  const { visitors, views, sessions } = (await reader.statistics('total', range)) as Figures;
  const { date, views: count } = day;
  expect({ date, visitors, views, sessions }).toEqual({
    ...{ date, visitors: count, views: count, sessions: count },
  });
  for (const [field, other] of Object.entries(day.other)) {
    // Something of every kind must have come to be `(other)`, else the attack was too small.
    expect(other).toBeGreaterThan(0);
    const name = `utm/${field.slice('utm_'.length)}`;
    const rows = await reader.statistics(name, { ...range, search: '(other)' });
    expect([date, rows]).toEqual([
      date,
      [expect.objectContaining({ [field]: '(other)', visitors: other })],
    ]);
  }
}

async function expectEvents(reader: ApiClient, id: string, day: DayTruth): Promise<void> {
  const range = { id, from: day.date, to: day.date };
  const events = (await reader.statistics('events', range)) as { count: number }[];
  expect([day.date, events.map(({ count }) => count)]).toEqual([day.date, [day.views]]);
  let other = 0;
  for (const key of META_KEYS) {
    const asked = { ...range, event: 'e', [`meta_${key}`]: '(other)' };
    const rows = (await reader.statistics('events', asked)) as { count: number }[];
    other += rows[0]?.count ?? 0;
  }
  expect(other).toBeGreaterThan(0);
  expect([day.date, other]).toEqual([day.date, day.other.meta]);
}
