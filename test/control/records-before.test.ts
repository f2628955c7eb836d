// Goal: what the version before resources were descriptors wrote is read as what it was.
// Method: its records, messages and answers as that version wrote them down, in a file beside this one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Access } from '../../src/control/access.ts';
import type { Viewing } from '../../src/control/descriptor/resource.ts';
import { toWire } from '../../src/control/descriptor/wire.ts';
import { Records } from '../../src/control/records.ts';
import { RECORD_MEANING } from '../../src/control/registry/history.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { decodeRecord } from '../../src/control/registry/stream-record.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { funnel } from '../../src/control/resources/funnel.ts';
import { goal } from '../../src/control/resources/goal.ts';
import { user } from '../../src/control/resources/user.ts';
import {
  type EntityWrite,
  RegistryStore,
  type StoredRecord,
} from '../../src/store/registry-store.ts';
import before from './records-before-resources.json' with { type: 'json' };

const NOW_MS = Date.UTC(2026, 10, 2);

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-before-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Its messages as this version would put them into the store. */
function placed() {
  return before.messages.map((text, index) => {
    const decoded = decodeRecord(index + 1, Buffer.from(text));
    if (!('placed' in decoded)) throw new Error(JSON.stringify(decoded));
    return decoded.placed;
  });
}

function expectAllThere(registry: Registry): void {
  const [site] = [...registry.view.all(domain)] as [Domain];
  const records = new Records(registry);
  const viewing: Viewing = { view: registry.view, userId: site.userId, roleOn: () => 'Owner' };
  expect(toWire(domain, site, viewing)).toEqual({
    ...{ ...before.wire.domain, display_name: 'example.org' },
    settings: {
      ...{ favorite: false, pinned: false, filter: { ip_block: [], ip_allow: [] } },
      ...{ traffic_spike: false, traffic_spike_threshold: 0 },
      ...{ traffic_warning: false, traffic_warning_threshold: 0 },
    },
  });
  expect(records.list(goal, 'domainId', site.id).map((one) => toWire(goal, one, viewing))).toEqual(
    before.wire.goals,
  );
  expect(
    records.list(funnel, 'domainId', site.id).map((one) => toWire(funnel, one, viewing)),
  ).toEqual(before.wire.funnels);
  expect(registry.view.by(user, 'email', 'ada@example.org')?.fullName).toBe('Ada');
  const { client_id, client_secret, access_key } = before.credentials;
  const access = new Access(registry);
  const token = access.issueToken(client_id, client_secret, NOW_MS)?.accessToken ?? '';
  expect(access.authenticate(token, NOW_MS)?.domainId).toBeNull();
  expect(access.authenticate(access_key, NOW_MS)).toMatchObject({
    ...{ domainId: site.id, kind: 'key' },
    scopes: { hit: 'w', event: 'w', session: 'w', statistics: '' },
  });
}

test('a registry that it wrote opens with everything in it', async () => {
  const store = new RegistryStore(directory, RECORD_MEANING);
  const records = before.records as { sequence: number; record: StoredRecord }[];
  for (const { sequence, record } of records) {
    const entities = sequence === records.length ? (before.entities as EntityWrite[]) : [];
    expect(store.append(sequence - 1, record, entities)).toBe(true);
  }
  await store.close();
  const registry = Registry.open(directory, NOW_MS);
  expect(registry.sequence).toBe(records.length);
  expectAllThere(registry);
  await registry.close();
});

test('records that it appends are followed, and add up to the same entities', async () => {
  const store = new RegistryStore(directory, RECORD_MEANING);
  const [secrets, ...others] = placed();
  expect(store.adopt([secrets as (typeof others)[number]])).toBe(true);
  store.refresh();
  const registry = Registry.open(directory, NOW_MS);
  expect(registry.view.count(user)).toBe(0);
  expect(store.adopt(others)).toBe(true);
  registry.refresh();
  expectAllThere(registry);
  store.refresh();
  const byId = (entities: readonly EntityWrite[]) =>
    entities.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  expect(byId(store.entities())).toEqual(byId(before.entities as EntityWrite[]));
  await store.close();
  await registry.close();
});

test('every kind of change that it knew is among them', () => {
  const kinds = before.records.flatMap(({ record }) => record.changes.map(({ kind }) => kind));
  expect([...new Set(kinds)].toSorted()).toEqual([
    ...['client-created', 'domain-created', 'funnel-changed', 'funnel-created', 'funnel-deleted'],
    ...['goal-created', 'secrets-created', 'user-created'],
  ]);
});

test('a domain that was offered before offers were looked up is found by whom it is offered to', async () => {
  const store = new RegistryStore(directory, RECORD_MEANING);
  const records = before.records as { sequence: number; record: StoredRecord }[];
  const entities = (before.entities as EntityWrite[]).map((entity) =>
    entity.table === 'domains'
      ? { ...entity, value: { ...(entity.value as object), newOwner: 'ben@example.org' } }
      : entity,
  );
  for (const { sequence, record } of records) {
    expect(store.append(sequence - 1, record, sequence === records.length ? entities : [])).toBe(
      true,
    );
  }
  await store.close();
  const registry = Registry.open(directory, NOW_MS);
  const [site] = [...registry.view.all(domain)] as [Domain];
  const offered = (email: string) =>
    new Records(registry).list(domain, 'newOwner', email).map(({ id }) => id);
  expect([offered('ben@example.org'), offered('ada@example.org')]).toEqual([[site.id], []]);
  await registry.close();
});

test('a record of a later version is named, not guessed', () => {
  const message = JSON.parse(before.messages[1] as string) as { changes: { kind: string }[] };
  message.changes.push({ kind: 'planet-created', payload: { id: 'x' } } as never);
  expect(decodeRecord(2, Buffer.from(JSON.stringify(message)))).toEqual({
    newerKind: 'planet-created',
  });
});
