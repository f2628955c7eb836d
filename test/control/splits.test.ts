// Goal: the lanes of a domain change as its operator said, at the moment that was said, on every node.
// Method: registries on a temporary directory; the domain as another registry, opened later, has it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { domainShape } from '../../src/api/domain-shape.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry.ts';
import { decodeRecord, encodeRecord } from '../../src/control/registry-record.ts';
import { lanesAt, splitDomain } from '../../src/control/splits.ts';
import { OperatingError } from '../../src/model/errors.ts';
import { GENERATION_COUNT_MAX, LANE_COUNT_MAX } from '../../src/model/split.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let directory: string;
let opened: Registry[];
let registry: Registry;
let id: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-splits-'));
  opened = [];
  registry = open();
  await createAccount(registry, { email: 'ada@example.org' }, NOW_MS);
  id = await makeDomain('large.test');
});

afterEach(async () => {
  for (const each of opened) await each.close();
  rmSync(directory, { recursive: true });
});

function open(): Registry {
  const made = Registry.open(directory, NOW_MS);
  opened.push(made);
  return made;
}

async function makeDomain(hostname: string): Promise<string> {
  const wish = { email: 'ada@example.org', hostname };
  return (await createDomain(registry, wish, NOW_MS)).domain.id;
}

function change(lanes: number, fromMs: number | null = null, nowMs = NOW_MS) {
  return splitDomain(registry, { domain: id, lanes, fromMs }, nowMs);
}

/** What another process finds. */
function stored() {
  return open().view.domain(id)?.split;
}

async function faultsOf(act: Promise<unknown>): Promise<Readonly<Record<string, string>>> {
  try {
    await act;
  } catch (error) {
    if (error instanceof OperatingError) return error.validation;
    throw error;
  }
  return { nothing: 'was refused' };
}

describe('the lanes of a domain', () => {
  test('are split at once, and say so to every process and in every node’s record', async () => {
    const follower = open();
    const plan = await change(4);
    expect(plan).toMatchObject({ lanes: 4, fromMs: NOW_MS, isWithdrawal: false });
    expect(stored()).toEqual({ lanes: [1, 4], fromMs: NOW_MS });
    follower.refresh();
    expect(follower.view.domain(id)).toEqual(plan.domain);
    const atMs = NOW_MS;
    const changes = [{ kind: 'domain-split', payload: plan.domain }] as const;
    const decoded = decodeRecord(8, encodeRecord(7, { id: 'r', atMs, changes: [...changes] }));
    expect(decoded).toMatchObject({
      placed: { entities: [{ table: 'domains', id, value: plan.domain }] },
    });
  });

  test('may be changed again and again, and each change is a generation of its own', async () => {
    await change(4);
    await change(1, null, NOW_MS + 1);
    await change(16, null, NOW_MS + 2);
    expect(stored()).toEqual({ lanes: [1, 4, 1, 16], fromMs: NOW_MS + 2 });
  });

  test('leave everything else of the domain alone, and the contract’s shape as it is', async () => {
    const before = registry.view.domain(id)!;
    const shape = domainShape(before);
    const { domain } = await change(4, null, NOW_MS + HOUR_MS);
    const { split, ...rest } = domain;
    expect(split).toBeDefined();
    expect(rest).toEqual({ ...before, modifiedMs: NOW_MS + HOUR_MS });
    expect(domainShape(domain)).toEqual({ ...shape, mod_time: '2026-11-20T13:00:00.000Z' });
    expect(registry.view.domainBySubdomain(domain.subdomain)).toEqual(domain);
    expect(registry.view.accountDomains(domain.userId).domains).toEqual([domain]);
  });

  test('are one for a domain that never was split, as all of earlier versions are', () => {
    expect(stored()).toBeUndefined();
    expect(lanesAt(undefined, NOW_MS)).toEqual([1]);
  });

  test.each([
    [-1, [1]],
    [0, [1, 4]],
    [1, [1, 4]],
  ])('%i ms after the moment that was said are %j', async (ms, lanes) => {
    await change(4, NOW_MS + HOUR_MS);
    expect(lanesAt(stored(), NOW_MS + HOUR_MS + ms)).toEqual(lanes);
  });

  test.each([0, LANE_COUNT_MAX + 1, -1, 1.5, Number.NaN])('are not %d', async (lanes) => {
    expect(await faultsOf(change(lanes))).toEqual({
      lanes: `must be an integer from 1 to ${LANE_COUNT_MAX}`,
    });
    expect(stored()).toBeUndefined();
  });

  test.each([2, LANE_COUNT_MAX - 1, LANE_COUNT_MAX])('may be %i', async (lanes) => {
    await change(lanes);
    expect(stored()?.lanes).toEqual([1, lanes]);
  });

  test('are not split into as many as there are, nor merged when there is one', async () => {
    expect(await faultsOf(change(1))).toEqual({
      id: 'is a site in one piece: there is nothing to merge',
    });
    await change(4);
    expect(await faultsOf(change(4, null, NOW_MS + 1))).toEqual({
      lanes: 'must be another number than 4: the site has so many already',
    });
    await change(1, null, NOW_MS + 2);
    expect(await faultsOf(change(1, null, NOW_MS + 3))).toHaveProperty('id');
    expect(stored()).toEqual({ lanes: [1, 4, 1], fromMs: NOW_MS + 2 });
  });

  test('change a bounded number of times', async () => {
    for (let count = 1; count < GENERATION_COUNT_MAX; count++) {
      await change(1 + (count % 2), null, NOW_MS + count);
    }
    const lanes = stored()?.lanes;
    expect(lanes).toHaveLength(GENERATION_COUNT_MAX);
    const faults = await faultsOf(change(7, null, NOW_MS + HOUR_MS));
    expect(faults).toEqual({ lanes: 'cannot change any more: they have changed 63 times' });
  });
});

describe('a change that has not begun', () => {
  test('is replaced by the next one, in number and time', async () => {
    await change(2);
    await change(1, NOW_MS + HOUR_MS, NOW_MS + 1);
    await change(8, NOW_MS + 2 * HOUR_MS, NOW_MS + 2);
    expect(stored()).toEqual({ lanes: [1, 2, 8], fromMs: NOW_MS + 2 * HOUR_MS });
    await change(8, null, NOW_MS + 3);
    expect(stored()).toEqual({ lanes: [1, 2, 8], fromMs: NOW_MS + 3 });
  });

  test('is withdrawn by the number that holds', async () => {
    await change(4, NOW_MS + HOUR_MS);
    expect(await change(1, null, NOW_MS + 1)).toMatchObject({ lanes: 1, isWithdrawal: true });
    expect(registry.view.domain(id)).not.toHaveProperty('split');
    expect(stored()).toBeUndefined();
    await change(4, null, NOW_MS + 2);
    await change(1, NOW_MS + HOUR_MS, NOW_MS + 3);
    expect(await change(4, null, NOW_MS + 4)).toMatchObject({ lanes: 4, isWithdrawal: true });
    expect(lanesAt(stored(), NOW_MS + 2 * HOUR_MS)).toEqual([1, 4]);
    expect(lanesAt(stored(), NOW_MS + 4)).toEqual([1, 4]);
  });

  test.each([
    [MINUTE_MS + 1, true],
    [MINUTE_MS, true],
    [MINUTE_MS - 1, false],
    [1, false],
  ])('can be replaced %i ms before it begins: %s', async (ms, isReplaced) => {
    await change(4, NOW_MS + HOUR_MS);
    const faults = await faultsOf(change(2, null, NOW_MS + HOUR_MS - ms));
    expect(faults).toEqual(
      isReplaced
        ? { nothing: 'was refused' }
        : { id: 'is about to change at 2026-11-20T13:00:00.000Z; repeat the command after that' },
    );
    expect(stored()?.lanes).toEqual([1, isReplaced ? 2 : 4]);
  });

  test('stands once it has begun: the next one follows it', async () => {
    await change(4, NOW_MS + HOUR_MS);
    await change(2, null, NOW_MS + HOUR_MS);
    expect(stored()).toEqual({ lanes: [1, 4, 2], fromMs: NOW_MS + HOUR_MS });
  });
});

describe('the domain that is meant', () => {
  test('may be named by a hostname that no other one has, as people write it (I-4)', async () => {
    const { domain } = await splitDomain(
      registry,
      { domain: ' Large.TEST', lanes: 4, fromMs: null },
      NOW_MS,
    );
    expect(domain.id).toBe(id);
  });

  test('must be known, and only one', async () => {
    const other = await makeDomain('large.test');
    const named = (domain: string) =>
      splitDomain(registry, { domain, lanes: 4, fromMs: null }, NOW_MS);
    expect(await faultsOf(named('nobody.test'))).toEqual({
      id: "'nobody.test' is neither the id nor the hostname of a site",
    });
    const faults = await faultsOf(named('large.test'));
    expect(faults['id']).toMatch(/^must be one of \w+, \w+: 2 sites have the hostname/);
    expect(faults['id']).toContain(id);
    expect(faults['id']).toContain(other);
    expect((await named(other)).domain.id).toBe(other);
  });
});
