// Goal: goals and funnels in the registry are whole, found by everybody and survive a new start.
// Method: registries on one temporary directory; the time is passed in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Access } from '../../src/control/access.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { expressionOf } from '../../src/control/conversion-rules.ts';
import { Funnels } from '../../src/control/funnels.ts';
import { Goals } from '../../src/control/goals.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import type { Domain } from '../../src/model/entities.ts';
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
  const wish = { email: 'ada@example.org', hostname: 'example.org' };
  domain = (await createDomain(registry, wish, NOW_MS)).domain;
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

function makeGoal(goals: Goals, name: string, nowMs = NOW_MS, domainId = domain.id) {
  return goals.create(
    {
      ...{ domainId, name, pathPattern: '/a', eventName: '', eventMetaKey: '', eventMetaValue: '' },
      ...{ customMetricKey: '', customMetricType: null, visitorGoal: 0, crGoal: 0 },
      ...{ customMetricTotalGoal: 0, customMetricAvgGoal: 0 },
      ...{ deleteReached: false, emailReached: false },
    },
    nowMs,
  );
}

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
  const goals = new Goals(open());
  const names = ['third', 'first', 'second'];
  for (const [index, name] of names.entries())
    await makeGoal(goals, name, NOW_MS + ((index + 2) % 3));
  expect(goals.ofDomain(domain.id).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
});

test('a registry that is opened later has the same goals and funnels, also changed ones', async () => {
  const registry = open();
  const [goals, funnels] = [new Goals(registry), new Funnels(registry)];
  const goal = await makeGoal(goals, 'goal');
  const { id } = await funnels.create(domain.id, { name: 'before', steps: STEPS }, NOW_MS);
  const changed = await funnels.change(id, { name: 'after', steps: STEPS }, NOW_MS + 1);
  const gone = await funnels.create(domain.id, { name: 'gone', steps: STEPS }, NOW_MS);
  await funnels.delete(gone.id, NOW_MS);
  const later = open();
  expect(new Goals(later).ofDomain(domain.id)).toEqual([goal]);
  expect(new Funnels(later).ofDomain(domain.id)).toEqual([changed]);
  expect(new Funnels(later).find(gone.id)).toBeNull();
});

test('a registry that was open before sees them when it is asked', async () => {
  const [writer, reader] = [new Funnels(open()), new Funnels(open())];
  expect(reader.ofDomain(domain.id)).toEqual([]);
  const made = await writer.create(domain.id, { name: 'funnel', steps: STEPS }, NOW_MS);
  expect(reader.find(made.id)).toEqual(made);
  await writer.delete(made.id, NOW_MS);
  expect(reader.ofDomain(domain.id)).toEqual([]);
});

test('a refused funnel leaves the one that is there as it was (A-71)', async () => {
  const funnels = new Funnels(open());
  const made = await funnels.create(domain.id, { name: 'funnel', steps: STEPS }, NOW_MS);
  const wish = { name: 'other', steps: STEPS.slice(1) };
  const refusal = await refusalOf(() => funnels.change(made.id, wish, NOW_MS + 1));
  expect(refusal.validation).toEqual({ steps: 'must be a list of 2 to 8 steps' });
  expect(funnels.find(made.id)).toEqual(made);
  expect(new Funnels(open()).find(made.id)).toEqual(made);
});

test('what is not there can be neither changed nor deleted', async () => {
  const funnels = new Funnels(open());
  const wish = { name: 'x', steps: STEPS };
  expect((await refusalOf(() => funnels.change('nobody', wish, NOW_MS))).code).toBe(
    'FUNNEL_NOT_FOUND',
  );
  expect((await refusalOf(() => funnels.delete('nobody', NOW_MS))).code).toBe('FUNNEL_NOT_FOUND');
});

test('nothing is made for a domain that is not there', async () => {
  const registry = open();
  const [goals, funnels] = [new Goals(registry), new Funnels(registry)];
  const wish = { name: 'x', steps: STEPS };
  expect((await refusalOf(() => makeGoal(goals, 'x', NOW_MS, 'none'))).validation).toHaveProperty(
    'domain_id',
  );
  expect((await refusalOf(() => funnels.create('none', wish, NOW_MS))).validation).toHaveProperty(
    'domain_id',
  );
});

test('the owner is the one member of a domain (S-74)', () => {
  const access = new Access(open());
  expect(access.memberCount(domain)).toBe(1);
  expect(access.memberCount({ ...domain, userId: 'nobody' })).toBe(0);
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
