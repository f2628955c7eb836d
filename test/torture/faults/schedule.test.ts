// Goal: a seed repeats its load and its faults; figures of a report are what they are called.
// Method: the planners and the arithmetic of the report, without a cluster.
import { describe, expect, test } from 'vitest';
import { Timeline } from '../load/ledger.ts';
import { Visits } from '../load/visits.ts';
import { Stream } from '../random.ts';
import { spreadOf } from '../report.ts';
import { FAULT_KINDS } from './faults.ts';
import { planFaults } from './schedule.ts';

const PLAN = { kinds: FAULT_KINDS, nodes: 3, servers: 1, loadMs: 2_500 };

function faultsOf(seed: number, rounds = 50) {
  return Array.from({ length: rounds }, (_, round) => planFaults(new Stream(seed, round), PLAN));
}

function requestsOf(seed: number) {
  const shared = { round: 0, client: 1, timed: [0, 1, 2], live: 3, dayMs: 0 };
  const visits = new Visits({
    ...shared,
    random: new Stream(seed),
    isLarge: true,
    hasClockSteps: false,
  });
  return Array.from({ length: 200 }, () => visits.next());
}

describe('a seed', () => {
  test('repeats its faults, and another seed has others', () => {
    expect(faultsOf(1)).toEqual(faultsOf(1));
    expect(faultsOf(1)).not.toEqual(faultsOf(2));
  });

  test('repeats its requests, and another seed has others', () => {
    expect(requestsOf(1)).toEqual(requestsOf(1));
    expect(requestsOf(1)).not.toEqual(requestsOf(2));
  });
});

test('every kind of fault comes up, in every round at least one, never two on one process', () => {
  const rounds = faultsOf(7, 300);
  const kinds = new Set(rounds.flat().map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual([...FAULT_KINDS].toSorted());
  for (const faults of rounds) {
    expect(faults.length).toBeGreaterThan(0);
    const victims = faults.map(({ kind, node }) => `${kind.startsWith('link')} ${node}`);
    expect(new Set(victims).size).toBe(victims.length);
  }
});

test('of three NATS servers each suffers, one in a round; the other faults are those of one server', () => {
  const rounds = Array.from({ length: 300 }, (_, round) =>
    planFaults(new Stream(7, round), { ...PLAN, servers: 3 }),
  );
  const hurt = rounds.map((faults) => faults.filter(({ server }) => server >= 0));
  const servers = hurt.map((faults) =>
    faults.flatMap((fault) => (fault.node < 0 ? [fault.server] : [])),
  );
  const linked = hurt.flat().filter(({ node }) => node >= 0);
  expect(linked.every(({ kind }) => kind.startsWith('link-'))).toBe(true);
  expect([...new Set(linked.map(({ server }) => server))].toSorted()).toEqual([0, 1, 2]);
  expect(Math.max(...servers.map(({ length }) => length))).toBe(1);
  expect([...new Set(servers.flat())].toSorted()).toEqual([0, 1, 2]);
  const withoutServer = (faults: typeof rounds) =>
    faults.map((round) => round.map(({ server: _, ...rest }) => rest));
  expect(withoutServer(rounds)).toEqual(withoutServer(faultsOf(7, 300)));
});

test('requests without a key are single hits of a visitor and a page of their own', () => {
  const requests = requestsOf(3);
  const bare = requests.filter(({ key }) => key === '');
  expect(bare.length).toBeGreaterThan(10);
  expect(bare.every(({ isBatch, items }) => !isBatch && items.length === 1)).toBe(true);
  const paths = bare.map(({ items }) => items[0]?.path);
  expect(new Set(paths).size).toBe(paths.length);
  const keys = requests.filter(({ key }) => key !== '').map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  { of: [], spread: { count: 0, p50: 0, p99: 0, max: 0 } },
  { of: [5], spread: { count: 1, p50: 5, p99: 5, max: 5 } },
  { of: [3, 1, 2], spread: { count: 3, p50: 2, p99: 3, max: 3 } },
  {
    of: Array.from({ length: 200 }, (_, index) => index + 1),
    spread: { count: 200, p50: 100, p99: 198, max: 200 },
  },
])('the spread of $of.length figures', ({ of, spread }) => {
  expect(spreadOf(of)).toEqual(spread);
});

test('the longest silence is that of whoever was silent longest, cut at both ends', async () => {
  const timeline = new Timeline(2);
  const beginMs = performance.now();
  timeline.add(0);
  await new Promise((resolve) => setTimeout(resolve, 60));
  timeline.add(0);
  timeline.add(1);
  const endMs = performance.now();
  expect(timeline.longestGapMs(beginMs, endMs)).toBeGreaterThanOrEqual(55);
  expect(timeline.longestGapMs(endMs - 10, endMs)).toBeLessThanOrEqual(10);
  expect(timeline.longestGapMs(endMs, endMs + 500)).toBeCloseTo(500, -1);
});
