// Goal: goals and funnels in the registry are whole, found by everybody and survive a new start.
// Method: registries on one temporary directory; the time is passed in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Access } from '../../src/control/access.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import type { Domain } from '../../src/control/resources/domain.ts';
import { funnel } from '../../src/control/resources/funnel.ts';
import { expressionOf, goal } from '../../src/control/resources/goal.ts';
import { OperatingError } from '../../src/model/errors.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const STEPS = [
  { name: 'a', filter: { path: '/' } },
  { name: 'b', filter: { path: '/b' } },
];

let directory: string;
let opened: Registry[];
let domain: Domain;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-conversions-'));
  opened = [];
  const registry = open();
  await createAccount(registry, { email: 'ada@example.org' }, NOW_MS);
  const site = { email: 'ada@example.org', hostname: 'example.org' };
  domain = (await createDomain(registry, site, NOW_MS)).domain;
});

afterEach(async () => {
  for (const registry of opened) await registry.close();
  rmSync(directory, { recursive: true });
});

function open(): Registry {
  const registry = Registry.open(directory, NOW_MS);
  opened.push(registry);
  return registry;
}

const request = (sent: Record<string, unknown>, nowMs = NOW_MS) => ({
  ...{ sent, userId: '', nowMs, by: { kind: 'cli', id: '' } as const },
});

function makeGoal(records: Records, name: string, nowMs = NOW_MS, domain_id = domain.id) {
  return made(records.create(goal, request({ domain_id, name, path_pattern: '/a' }, nowMs)));
}

const wish = (name: string, steps: unknown = STEPS) => ({ domain_id: domain.id, name, steps });

function makeFunnel(records: Records, name: string, domain_id = domain.id) {
  return made(records.create(funnel, request({ ...wish(name), domain_id })));
}

async function made<Rec>(draft: Promise<{ record: Rec }>): Promise<Rec> {
  return (await draft).record;
}

const goalsOf = (records: Records) => records.list(goal, 'domainId', domain.id);
const funnelsOf = (records: Records) => records.list(funnel, 'domainId', domain.id);

async function refusalOf(act: () => unknown): Promise<OperatingError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof OperatingError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('goals are listed oldest first, whatever the order they came in', async () => {
  const records = new Records(open());
  const names = ['third', 'first', 'second'];
  for (const [index, name] of names.entries())
    await makeGoal(records, name, NOW_MS + ((index + 2) % 3));
  expect(goalsOf(records).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
});

test('a registry that is opened later has the same goals and funnels, also changed ones', async () => {
  const records = new Records(open());
  const kept = await makeGoal(records, 'goal');
  const { id } = await makeFunnel(records, 'before');
  const changed = await records.change(funnel, id, request(wish('after'), NOW_MS + 1));
  const gone = await makeFunnel(records, 'gone');
  await records.remove(funnel, gone.id, request({}));
  const later = new Records(open());
  expect(goalsOf(later)).toEqual([kept]);
  expect(funnelsOf(later)).toEqual([changed]);
  expect(later.find(funnel, gone.id)).toBeNull();
});

test('a registry that was open before sees them when it is asked', async () => {
  const [writer, reader] = [new Records(open()), new Records(open())];
  expect(funnelsOf(reader)).toEqual([]);
  const there = await makeFunnel(writer, 'funnel');
  expect(reader.find(funnel, there.id)).toEqual(there);
  await writer.remove(funnel, there.id, request({}));
  expect(funnelsOf(reader)).toEqual([]);
});

test('a refused funnel leaves the one that is there as it was (A-71)', async () => {
  const records = new Records(open());
  const there = await makeFunnel(records, 'funnel');
  const short = request(wish('other', STEPS.slice(1)), NOW_MS + 1);
  const refusal = await refusalOf(() => records.change(funnel, there.id, short));
  expect(refusal.validation).toEqual({ steps: 'must be a list of 2 to 8 steps' });
  expect(records.find(funnel, there.id)).toEqual(there);
  expect(new Records(open()).find(funnel, there.id)).toEqual(there);
});

test('a change that changes nothing moves no time and writes no record (M-7)', async () => {
  const registry = open();
  const records = new Records(registry);
  const there = await makeFunnel(records, 'funnel');
  const { sequence } = registry;
  const same = await records.change(funnel, there.id, request(wish(' funnel '), NOW_MS + 1));
  expect(same).toEqual(there);
  expect(registry.sequence).toBe(sequence);
});

test('what is not there can be neither changed nor deleted', async () => {
  const records = new Records(open());
  const acts = [
    () => records.change(funnel, 'nobody', request(wish('x'))),
    () => records.remove(funnel, 'nobody', request({})),
  ];
  for (const act of acts) {
    const { code, message } = await refusalOf(act);
    expect([code, message]).toEqual(['RECORD_NOT_FOUND', "no funnel has the id 'nobody'"]);
  }
});

test('nothing is made for a domain that is not there', async () => {
  const records = new Records(open());
  for (const act of [
    () => makeGoal(records, 'x', NOW_MS, 'none'),
    () => makeFunnel(records, 'x', 'none'),
  ]) {
    expect((await refusalOf(act)).validation).toEqual({
      domain_id: "no domain has the id 'none'",
    });
  }
});

test('the owner of a domain is a member of it (S-74)', () => {
  expect(new Access(open()).memberCount(domain)).toBe(1);
});

test.each([
  ['/blog/*', ['/blog/a', '/BLOG/', '/blog/a.b'], ['/blog/a/b', '/blog', '/x/blog/a']],
  ['/blog/**', ['/blog/a', '/blog/a/b', '/blog/'], ['/blog', '/x/blog/a']],
  ['/', ['/'], ['/a', '']],
  ['/**', ['/', '/a', '/a/b'], ['']],
  ['/*.pdf', ['/a.pdf', '/.PDF'], ['/apdf', '/a/b.pdf', '/a.pdfx']],
  ['/**/end', ['/a/end', '/a/b/end'], ['/end', '/a/end/']],
])('%s matches %j and not %j (A-50)', (pathPattern, matching, others) => {
  const expression = expressionOf(pathPattern);
  expect(expression.startsWith('(?i)^')).toBe(true);
  const test = new RegExp(expression.slice('(?i)'.length), 'iu');
  expect(matching.filter((path) => !test.test(path))).toEqual([]);
  expect(others.filter((path) => test.test(path))).toEqual([]);
});
