// Goal: a registry takes as little memory as it can, and nobody can tell by what it says.
// Method: records read back from a directory; which objects are one, and which lists stay as they were.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../src/base/assert.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { changed } from '../../src/control/descriptor/draft.ts';
import { removalOf } from '../../src/control/registry/changes.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { RegistrySignal } from '../../src/control/registry/registry-signal.ts';
import { RegistryWatch } from '../../src/control/registry/registry-watch.ts';
import { client } from '../../src/control/resources/client.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { user } from '../../src/control/resources/user.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';
const STAMP = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;

let directory: string;
let opened: { close(): Promise<void> }[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-registry-memory-'));
  opened = [];
});

afterEach(async () => {
  for (const one of opened) await one.close();
  rmSync(directory, { recursive: true });
});

function open(): Registry {
  const registry = Registry.open(directory, NOW_MS);
  opened.push(registry);
  return registry;
}

/** Sites of one account, each made a millisecond after the one before. */
async function sites(registry: Registry, count: number): Promise<Domain[]> {
  await createAccount(registry, { email: EMAIL }, NOW_MS);
  const made: Domain[] = [];
  for (let index = 0; index < count; index++) {
    const wish = { email: EMAIL, hostname: `site-${index}.example` };
    made.push((await createDomain(registry, wish, NOW_MS + index)).domain);
  }
  return made;
}

describe('what records have alike', () => {
  test('scopes, filters and metadata that nobody has set are one object for all records', async () => {
    await sites(open(), 3);
    for (const registry of [must(opened[0], 'it is open') as Registry, open()]) {
      const domains = [...registry.view.all(domain)];
      expect(new Set(domains.map(({ metadata }) => metadata)).size).toBe(1);
      expect(new Set(domains.map(({ filter }) => filter)).size).toBe(1);
      const keys = [...registry.view.all(client)].filter(({ type }) => type === 'token');
      expect(new Set(keys.map(({ scopes }) => scopes)).size).toBe(1);
    }
  });

  test('what somebody has set is their own, in the order in which it was sent', async () => {
    const registry = open();
    const [first, second, third] = (await sites(registry, 3)) as [Domain, Domain, Domain];
    const own = [
      { ...first, metadata: { a: 1, b: { c: [] } } },
      { ...second, metadata: { b: { c: [] }, a: 1 } },
      { ...third, filter: { ipBlock: ['10.0.0.0/8'], ipAllow: [] } },
    ];
    await registry.change(STAMP, () => own.map((one) => changed(domain, one)));
    for (const { view } of [registry, open()]) {
      for (const one of own) {
        expect(JSON.stringify(view.find(domain, one.id))).toBe(JSON.stringify(one));
      }
      expect(view.find(domain, first.id)?.filter).toEqual({ ipBlock: [], ipAllow: [] });
    }
  });
});

describe('lists of what refers to a record', () => {
  test('are in order, however they are read, and stay the same object until something changes', async () => {
    const made = await sites(open(), 40);
    for (const { view } of [opened[0] as Registry, open()]) {
      const userId = must(made[0], 'one was made').userId;
      expect(view.of(domain, 'userId', userId)).toEqual(made);
      expect(view.of(domain, 'userId', userId)).toBe(view.of(domain, 'userId', userId));
      expect(view.countOf(domain, 'userId', userId)).toBe(40);
    }
  });

  test('one that was handed out does not change', async () => {
    const registry = open();
    const made = await sites(registry, 20);
    const third = must(made[2], 'three were made');
    const list = () => registry.view.of(domain, 'userId', third.userId);
    const before = list();
    await createDomain(registry, { email: EMAIL, hostname: 'more.example' }, NOW_MS + 1_000);
    const more = list();
    await registry.change(STAMP, () => [changed(domain, { ...third, groupByTitle: true })]);
    const titled = list();
    await registry.change(STAMP, (view) =>
      removalOf([{ resource: domain, id: third.id }], view, NOW_MS),
    );
    expect(before).toEqual(made);
    expect(more).toHaveLength(21);
    expect(more.slice(0, 20)).toEqual(made);
    expect(titled.map(({ groupByTitle }) => groupByTitle).indexOf(true)).toBe(2);
    expect(list().map(({ id }) => id)).toEqual(
      more.map(({ id }) => id).filter((id) => id !== third.id),
    );
  });

  test('a list of one is gone with it', async () => {
    const registry = open();
    const [only] = (await sites(registry, 1)) as [Domain];
    await registry.change(STAMP, (view) =>
      removalOf([{ resource: domain, id: only.id }], view, NOW_MS),
    );
    expect(registry.view.of(domain, 'userId', only.userId)).toEqual([]);
    expect(registry.view.countOf(client, 'domainId', only.id)).toBe(0);
  });
});

describe('a thread without the records', () => {
  test('tells the others what another process has appended, once (M-5)', async () => {
    const registry = open();
    const signal = RegistrySignal.create();
    const watch = new RegistryWatch(directory, signal, false);
    opened.push(watch);
    expect(watch.has(user)).toBe(false);
    watch.look();
    expect(signal.count).toBe(0);
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    watch.look();
    watch.look();
    expect(signal.count).toBe(1);
    expect(watch.has(user)).toBe(true);
    expect(watch.has(domain)).toBe(false);
  });
});
