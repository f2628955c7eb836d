// Goal: the registry forgets sessions and links that have expired, and no other ones.
// Method: the sweep over a real registry with many of both kinds, around the moment they end at.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../src/control/accounts.ts';
import { created, draftNew } from '../../src/control/descriptor/draft.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { oneTimeLink } from '../../src/control/resources/one-time-link.ts';
import { session } from '../../src/control/resources/session.ts';
import { expiredSignIns } from '../../src/jobs/expired-sign-ins.ts';
import { EXPIRED_REMOVED_COUNT_MAX } from '../../src/model/limits.ts';

const NOW_MS = 1_800_000_000_000;
const BY = { kind: 'cli', id: '' } as const;

let directory: string;
let registry: Registry;
let userId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-expired-'));
  registry = Registry.open(directory, NOW_MS);
  userId = (await createAccount(registry, { email: 'ada@example.org' }, NOW_MS)).user.id;
});
afterEach(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

/** Sessions and links that end then. */
async function make(count: number, expiresMs: number): Promise<void> {
  await registry.change({ nowMs: NOW_MS, by: BY }, (view) =>
    [session, oneTimeLink].flatMap((resource) =>
      Array.from({ length: count }, (_, index) => {
        const token_hash = `${resource.name} ${expiresMs} ${index}`;
        const sent = { token_hash, expires_ms: expiresMs, purpose: 'reset' };
        const context = { sent, userId, nowMs: NOW_MS, view };
        return created(resource as never, draftNew(resource as never, context).record);
      }),
    ),
  );
}

const sweep = () => expiredSignIns({ registry, nowMs: () => NOW_MS })();

const all = () => [...registry.view.all(session), ...registry.view.all(oneTimeLink)];

test('what has expired goes, to the millisecond, and the rest stays (M-80, M-81)', async () => {
  await make(2, NOW_MS - 1);
  await make(3, NOW_MS);
  await make(4, NOW_MS + 1);
  await sweep();
  expect(all().map(({ expiresMs }) => expiresMs)).toEqual(Array(8).fill(NOW_MS + 1));
});

test('many go in several records, each of bounded size', async () => {
  await make(EXPIRED_REMOVED_COUNT_MAX, NOW_MS - 1);
  const { sequence } = registry;
  await sweep();
  expect(registry.sequence).toBe(sequence + 2);
});

test('where nothing has expired nothing is written', async () => {
  await make(2, NOW_MS + 1);
  const { sequence } = registry;
  await sweep();
  expect(registry.sequence).toBe(sequence);
});
