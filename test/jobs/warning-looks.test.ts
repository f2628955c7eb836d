// Goal: nobody is warned that no hit comes while hits may be on their way: right after a start, while
// they wait in a spool, and of damaged data never (O-41).
// Method: the job on a real registry, with clocks and answers of the test's own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { changed } from '../../src/control/descriptor/draft.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { mail } from '../../src/control/resources/mail.ts';
import { warnings } from '../../src/jobs/warnings.ts';
import { DAY_MS, MINUTE_MS } from '../../src/model/limits.ts';
import type { LastHit } from '../../src/model/usage.ts';

const START_MS = Date.UTC(2026, 0, 5, 12);
const EMAIL = 'ada@example.org';

let directory: string;
let registry: Registry;
let nowMs: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-warnings-'));
  nowMs = START_MS;
  registry = Registry.open(directory, nowMs);
  await createAccount(registry, { email: EMAIL }, nowMs);
  const made = await createDomain(registry, { email: EMAIL, hostname: 'shop.example' }, nowMs);
  const on = { trafficWarning: true, trafficWarningThreshold: 1 };
  await registry.change({ nowMs, by: { kind: 'cli', id: '' } }, (view) => [
    changed(domain, { ...(view.find(domain, made.domain.id) as Domain), ...on }),
  ]);
});

afterEach(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

const told = () => [...registry.view.all(mail)].map(({ kind, to }) => [kind, to]);

test('right after a start nobody is warned: hits may be on their way (O-41)', async () => {
  nowMs += 5 * DAY_MS;
  let elapsedMs = 0;
  let lastHit: LastHit = 'never';
  const settledMs = () => Number.POSITIVE_INFINITY;
  const job = warnings({
    ...{ registry, owns: () => true, nowMs: () => nowMs, elapsedMs: () => elapsedMs, settledMs },
    lastHits: async (ids) => new Map(ids.map((one) => [one, lastHit])),
  });
  elapsedMs = MINUTE_MS - 1;
  await job();
  elapsedMs++;
  lastHit = nowMs;
  await job();
  expect(told()).toEqual([]);
  // Of what is damaged nobody says that nothing comes.
  nowMs += DAY_MS;
  lastHit = 'unknown';
  await job();
  expect(told()).toEqual([]);
});

test('nobody is warned while hits wait in a spool, nor a minute after it was empty (O-41)', async () => {
  nowMs += 5 * DAY_MS;
  let elapsedMs = 0;
  let settledMs = 0;
  let lastHit: LastHit = 'never';
  let looks = 0;
  const job = warnings({
    ...{ registry, owns: () => true, nowMs: () => nowMs },
    ...{ elapsedMs: () => elapsedMs, settledMs: () => settledMs },
    lastHits: async (ids) => {
      looks++;
      return new Map(ids.map((one) => [one, lastHit]));
    },
  });
  elapsedMs = DAY_MS;
  await job();
  settledMs = MINUTE_MS - 1;
  await job();
  expect([looks, told()]).toEqual([0, []]);
  // By then they are there.
  settledMs = MINUTE_MS;
  lastHit = nowMs;
  await job();
  expect([looks, told()]).toEqual([1, []]);
  nowMs += DAY_MS;
  await job();
  expect(told()).toEqual([['warning', EMAIL]]);
});
