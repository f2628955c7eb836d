/**
 * Goal: the audit says of every change who, when, what, and from what to what, on whichever page; and
 * nothing that lets somebody in ever stands in it (M-8).
 * Method: random changes of a real registry beside a list of them; the registry opened anew, and one
 * that an earlier build wrote.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccount, createDomain, type NewDomain } from '../../src/control/accounts.ts';
import { type AuditEntry, HIDDEN_VALUE } from '../../src/control/audit.ts';
import { changed, created, draftNew } from '../../src/control/descriptor/draft.ts';
import {
  type AnyRecord,
  type Change,
  isStored,
  type Resource,
  storedFields,
  type Viewing,
  wireName,
} from '../../src/control/descriptor/resource.ts';
import { toWire } from '../../src/control/descriptor/wire.ts';
import { Records } from '../../src/control/records.ts';
import { effectOf, removalOf } from '../../src/control/registry/changes.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { goal } from '../../src/control/resources/goal.ts';
import { link } from '../../src/control/resources/link.ts';
import { member } from '../../src/control/resources/member.ts';
import { organization } from '../../src/control/resources/organization.ts';
import { preference } from '../../src/control/resources/preference.ts';
import { RESOURCES } from '../../src/control/resources/resources.ts';
import { user } from '../../src/control/resources/user.ts';
import { RegistryStore } from '../../src/store/registry-store.ts';
import { seededRandom } from '../support/clients/load-client.ts';
import { runs, SEED } from '../support/runs.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const BY = { kind: 'cli', id: '' } as const;

let root: string;
let registry: Registry;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'footfall-audit-'));
  registry = Registry.open(join(root, 'first'), NOW_MS);
});

afterEach(async () => {
  await registry.close();
  rmSync(root, { recursive: true });
});

async function reopen(directory = join(root, 'first')): Promise<void> {
  await registry.close();
  registry = Registry.open(directory, NOW_MS);
}

function viewing(): Viewing {
  return { view: registry.view, userId: '', roleOn: () => 'Owner' };
}

/** All of a history, a page at a time. */
function auditOf(kind: string, id: string, limit = 100): AuditEntry[] {
  const records = new Records(registry);
  const all: AuditEntry[] = [];
  for (let page = 1; page > 0; ) {
    const found = records.audit({ kind, id }, { offset: all.length, limit }, viewing());
    expect(found.length).toBeLessThanOrEqual(limit);
    all.push(...found);
    page = found.length;
  }
  return all;
}

/** A change as the test has made it. */
interface Made {
  readonly atMs: number;
  readonly by: { readonly kind: string; readonly id: string };
  readonly resource: Resource;
  readonly before: AnyRecord | null;
  readonly after: AnyRecord | null;
}

/** Makes changes, and keeps what they did. */
class Diary {
  readonly made: Made[] = [];
  #atMs = NOW_MS;

  async change(by: Made['by'], decide: (atMs: number) => readonly Change[]): Promise<void> {
    this.#atMs += 1_000;
    const atMs = this.#atMs;
    const stamp = { nowMs: atMs, by: by as typeof BY };
    const { view } = registry;
    const stood = (resource: Resource, id: string) =>
      structuredClone(view.find(resource, id)) as AnyRecord | null;
    let known: Omit<Made, 'after'>[] = [];
    const changes = await registry.change(stamp, () => {
      const decided = decide(atMs);
      known = decided.map((change) => {
        const { table, id } = effectOf(change);
        const resource = RESOURCES.find((one) => one.table === table) as Resource;
        return { atMs, by, resource, before: stood(resource, id) };
      });
      return decided;
    });
    for (const [index, change] of changes.entries()) {
      const after = effectOf(change).value as AnyRecord | null;
      this.made.push({ ...(known[index] as Omit<Made, 'after'>), after });
    }
  }

  /** Changes of what is a place or names it, the newest first. */
  of(kind: 'domain' | 'organization', id: string): Made[] {
    const names = (record: AnyRecord | null, resource: Resource) =>
      record !== null && (resource.name === kind ? record.id === id : record[`${kind}Id`] === id);
    const inOrganization = (record: AnyRecord | null) =>
      kind === 'organization' && record?.['organizationId'] === id;
    return this.made
      .filter(({ resource, before, after }) =>
        [before, after].some((record) => names(record, resource) || inOrganization(record)),
      )
      .reverse();
  }
}

/** What differs between two answers; secrets are compared by their names only. */
function differences({ resource, before, after }: Made): string[] {
  // What answers work out, for whoever reads them.
  const hidden = Object.entries(resource.fields)
    .filter(([, field]) => !isStored(field))
    .map(([name, field]) => wireName(name, field));
  const shapes = [before, after].map((record) =>
    record === null ? {} : toWire(resource, record, viewing()),
  );
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  for (const name of ['id', 'def_time', 'mod_time', ...hidden]) names.delete(name);
  const text = (shape: Record<string, unknown> | undefined, name: string) => {
    const value = shape?.[name] ?? null;
    const isEmpty =
      value === '' || JSON.stringify(value) === '{}' || JSON.stringify(value) === '[]';
    return isEmpty ? 'null' : JSON.stringify(value);
  };
  const [from, to] = shapes;
  const told = [...names].filter((name) => text(from, name) !== text(to, name));
  // Answers do not show it; that there was one is told.
  if (resource.name === 'client') told.push('client_secret');
  return told.sort();
}

function expectSame(found: readonly AuditEntry[], expected: readonly Made[]): void {
  expect(found).toHaveLength(expected.length);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  for (const [index, made] of expected.entries()) {
    const entry = found[index] as AuditEntry;
    const { resource, before, after, by } = made;
    const verb = before === null ? 'created' : after === null ? 'deleted' : 'changed';
    expect([entry.object.kind, entry.object.id]).toEqual([resource.name, (after ?? before)?.id]);
    expect([entry.action, entry.time]).toEqual([verb, new Date(made.atMs).toISOString()]);
    expect([entry.caller.kind, entry.caller.id]).toEqual([by.kind, by.id]);
    expect(Object.keys(entry.changes).sort()).toEqual(differences(made));
    for (const { from, to } of Object.values(entry.changes)) expect(from).not.toEqual(to);
  }
}

async function someDomains(count: number): Promise<NewDomain[]> {
  await createAccount(registry, { email: 'ada@example.org', name: 'Ada' }, NOW_MS);
  const made: NewDomain[] = [];
  for (let index = 0; index < count; index++) {
    made.push(
      await createDomain(registry, { email: 'ada@example.org', hostname: `${index}.test` }, NOW_MS),
    );
  }
  return made;
}

test.each(Array.from({ length: runs(16) }, (_, index) => SEED + index))(
  'every change is in the audit of its domain or organization, as it was made (M-8, seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const sites = (await someDomains(3)).map((made) => made.domain.id);
    const [owner] = [...registry.view.all(user)] as unknown as [{ id: string }];
    const diary = new Diary();
    const draft = (resource: Resource, sent: Record<string, unknown>, atMs: number) => {
      const context = { sent, userId: owner.id, nowMs: atMs, view: registry.view };
      return draftNew(resource, context).record as AnyRecord;
    };
    const organizations: string[] = [];
    for (const name of ['First', 'Second']) {
      await diary.change(BY, (atMs) => {
        const record = draft(organization, { name }, atMs);
        organizations.push(record.id);
        return [created(organization, record)];
      });
    }
    const before = { domain: new Map<string, number>(), organization: new Map<string, number>() };
    for (const id of sites) before.domain.set(id, auditOf('domain', id).length);
    const compare = () => {
      for (const id of sites) {
        const known = auditOf('domain', id, 1 + Math.floor(random() * 7));
        // What the domain was made with stands behind everything else.
        expectSame(
          known.slice(0, known.length - (before.domain.get(id) ?? 0)),
          diary.of('domain', id),
        );
      }
      for (const id of organizations) {
        expectSame(auditOf('organization', id), diary.of('organization', id));
      }
    };
    for (let step = 0; step < 60; step++) {
      const domainId = pick(sites);
      const by = pick([
        BY,
        { kind: 'user', id: owner.id },
        { kind: 'client', id: 'gone' },
      ] as const);
      const goals = registry.view.of(goal, 'domainId', domainId);
      await diary.change(by, (atMs) => {
        const site = registry.view.find(domain, domainId);
        if (site === null) return [];
        const what = random();
        if (what < 0.25) {
          const sent = { domain_id: domainId, name: `G${step}`, path_pattern: '/a' };
          return [created(goal, draft(goal, sent, atMs))];
        }
        if (what < 0.5 && goals.length > 0) {
          const fields = pick([{ name: `N${step}` }, { visitorGoal: step }, { eventName: 'e' }]);
          return [changed(goal, { ...pick(goals), ...fields, modifiedMs: atMs })];
        }
        if (what < 0.6 && goals.length > 0)
          return removalOf([{ resource: goal, id: pick(goals).id }], registry.view, atMs);
        if (what < 0.7) {
          // Two records of one change.
          return [
            created(link, draft(link, { domain_id: domainId, description: `L${step}` }, atMs)),
            changed(domain, { ...site, isPublic: !site.isPublic, modifiedMs: atMs }),
          ];
        }
        if (what < 0.8) {
          const organizationId = pick([null, ...organizations]);
          if (organizationId === site.organizationId) return [];
          return [changed(domain, { ...site, organizationId, modifiedMs: atMs })];
        }
        if (what < 0.85) {
          const organizationId = pick(organizations);
          const [there] = registry.view.of(member, 'organizationId', organizationId);
          if (there !== undefined)
            return removalOf([{ resource: member, id: there.id }], registry.view, atMs);
          const sent = { organization_id: organizationId, user_id: owner.id, role: 'Admin' };
          return [created(member, draft(member, sent, atMs))];
        }
        if (what < 0.97 || step < 40) return [];
        return removalOf([{ resource: domain, id: domainId }], registry.view, atMs);
      });
      if (random() < 0.05) await reopen();
    }
    compare();
    await reopen();
    compare();
    expect(diary.made.length).toBeGreaterThan(30);
  },
);

test('what an earlier build wrote is in the audit, too; who did it is not known (M-8)', async () => {
  const [made] = (await someDomains(2)) as [NewDomain];
  const { id } = made.domain;
  await new Records(registry).remove(domain, id, { nowMs: NOW_MS + 1, by: BY });
  const expected = auditOf('domain', id);
  expect(expected.map(({ action }) => action)).toContain('deleted');
  // The same records in a store that has no history, and says of none who made it.
  await registry.close();
  const source = new RegistryStore(join(root, 'first'), null);
  const records = source.recordsAfter(0);
  await source.close();
  const earlier = new RegistryStore(join(root, 'earlier'), null);
  for (const { sequence, record } of records) {
    const { by: _, ...anonymous } = record;
    const entities = record.changes.map((change) => effectOf(change as Change));
    expect(earlier.append(sequence - 1, anonymous, entities)).toBe(true);
  }
  await earlier.close();
  registry = Registry.open(join(root, 'earlier'), NOW_MS);
  const unknown = { kind: 'unknown', id: '', name: '' };
  expect(auditOf('domain', id)).toEqual(expected.map((entry) => ({ ...entry, caller: unknown })));
  // An earlier build goes on behind it, and then this one again.
  await registry.close();
  const last = new RegistryStore(join(root, 'earlier'), null);
  const [other] = [...Registry.open(join(root, 'earlier'), NOW_MS).view.all(domain)];
  const next = { ...other, isPublic: true };
  last.append(
    records.length,
    { atMs: NOW_MS + 2, changes: [{ kind: 'domain-changed', payload: next }] },
    [{ table: 'domains', id: next.id as string, value: next }],
  );
  await last.close();
  registry = Registry.open(join(root, 'earlier'), NOW_MS);
  expect(auditOf('domain', next.id as string)[0]?.changes).toEqual({
    public: { from: false, to: true },
  });
});

test('the audit has its names from the time of the change, and those of callers from now', async () => {
  const [{ domain: site }] = (await someDomains(1)) as [NewDomain];
  const [person] = [...registry.view.all(user)] as unknown as [{ id: string }];
  const by = { kind: 'user', id: person.id } as never;
  for (const hostname of ['second.test', 'third.test']) {
    await registry.change({ nowMs: NOW_MS, by }, (view) => {
      const found = view.find(domain, site.id) as typeof site;
      return [changed(domain, { ...found, hostname })];
    });
  }
  const [last, middle, ...first] = auditOf('domain', site.id);
  expect(last).toMatchObject({
    caller: { kind: 'user', name: 'Ada' },
    object: { kind: 'domain', id: site.id, name: 'third.test' },
    changes: { hostname: { from: 'second.test', to: 'third.test' } },
  });
  expect(middle?.object.name).toBe('second.test');
  expect(first.at(-1)).toMatchObject({ action: 'created', caller: { name: 'command line' } });
});

test('nothing that lets somebody in stands in any history, however its field came to be (M-8)', async () => {
  const [made] = (await someDomains(1)) as [NewDomain];
  const { id } = made.domain;
  const secrets: string[] = [made.clientSecret, made.accessKey, made.domain.identificationCode];
  // Every text of every record that a field of such a name or kind holds.
  const suspicious = /secret|hash|code|token|password|totp|recovery/i;
  const { view } = registry;
  const [owner] = [...view.all(user)] as unknown as [{ id: string }];
  await registry.change({ nowMs: NOW_MS, by: BY }, () => {
    const context = { sent: { domain_id: id, description: 'x' }, userId: owner.id };
    return [created(link, draftNew(link, { ...context, nowMs: NOW_MS, view }).record)];
  });
  for (const resource of RESOURCES) {
    for (const record of view.all(resource as Resource<AnyRecord>)) {
      for (const [name, field] of storedFields(resource)) {
        const isOne = field.isSecret === true || field.isCode === true || suspicious.test(name);
        const value = record[name];
        if (isOne && typeof value === 'string' && value !== '') secrets.push(value);
      }
    }
  }
  expect(secrets.length).toBeGreaterThan(6);
  await new Records(registry).remove(domain, id, { nowMs: NOW_MS + 1, by: BY });
  const text = JSON.stringify(auditOf('domain', id));
  for (const secret of secrets) expect(text).not.toContain(secret);
  const [newClient] = auditOf('domain', id).filter(
    ({ action, object }) => action === 'created' && object.kind === 'client',
  );
  expect(newClient?.changes['client_secret']).toEqual({ from: null, to: HIDDEN_VALUE });
});

test("what somebody thinks of a domain is nobody else's business (M-8, M-14)", async () => {
  const [made] = (await someDomains(1)) as [NewDomain];
  const { id } = made.domain;
  const before = auditOf('domain', id);
  const [owner] = [...registry.view.all(user)] as unknown as [{ id: string }];
  await registry.change({ nowMs: NOW_MS, by: BY }, (view) => {
    const context = { sent: { domain_id: id }, userId: owner.id, nowMs: NOW_MS, view };
    return [created(preference, draftNew(preference, context).record)];
  });
  expect(auditOf('domain', id)).toEqual(before);
});

test('a copy of the directory has the same audit', async () => {
  const [made] = (await someDomains(1)) as [NewDomain];
  const expected = auditOf('domain', made.domain.id);
  await registry.close();
  cpSync(join(root, 'first'), join(root, 'copy'), { recursive: true });
  registry = Registry.open(join(root, 'copy'), NOW_MS);
  expect(auditOf('domain', made.domain.id)).toEqual(expected);
  expect(expected.length).toBeGreaterThan(2);
});
