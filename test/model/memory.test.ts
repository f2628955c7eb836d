// Goal: every budget is a share of the memory, and all of them together fit into it.
// Method: the table is worked out for small and large machines.
import { expect, test } from 'vitest';
import { budgetsOf, oldSpaceMb, youngSpaceMb } from '../../src/model/memory.ts';

const MIB = 1_024 * 1_024;
const ONE_OF_EACH = { edges: 1, actors: 1, queryThreads: 1 };

function sumOf(memoryBytes: number, threads: typeof ONE_OF_EACH): number {
  const { bodies, pending, openDays, backlog, ...query } = budgetsOf(memoryBytes, threads);
  const ofQueries = query.segmentCache + query.queryTexts + query.keptSums;
  const ofEdges = (bodies + pending) * threads.edges;
  return ofEdges + (openDays + backlog) * threads.actors + ofQueries * threads.queryThreads;
}

test.each([
  [512 * MIB, ONE_OF_EACH],
  [1_024 * MIB, ONE_OF_EACH],
  [1_024 * MIB, { edges: 2, actors: 1, queryThreads: 1 }],
  [16_384 * MIB, { edges: 8, actors: 4, queryThreads: 4 }],
  [262_144 * MIB, { edges: 32, actors: 16, queryThreads: 16 }],
])('the budgets of %d bytes take two thirds of them at most', (memoryBytes, threads) => {
  expect(sumOf(memoryBytes, threads)).toBeLessThanOrEqual((memoryBytes * 2) / 3);
});

test('an actor alone has a quarter of the memory for its open days', () => {
  expect(budgetsOf(1_024 * MIB, ONE_OF_EACH).openDays).toBe(256 * MIB);
  expect(budgetsOf(1_024 * MIB, { ...ONE_OF_EACH, actors: 4 }).openDays).toBe(64 * MIB);
});

test('heaps have room for what is held, and young generations shrink with the memory', () => {
  expect(oldSpaceMb(256 * MIB)).toBe(192 + 640);
  expect(youngSpaceMb(192, budgetsOf(16_384 * MIB, ONE_OF_EACH))).toBe(192);
  expect(youngSpaceMb(192, budgetsOf(1_024 * MIB, ONE_OF_EACH))).toBe(40);
});
