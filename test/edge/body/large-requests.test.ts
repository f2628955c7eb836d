// Goal: who sends large batches waits for their own, and nobody who sends little waits for them.
// Method: requests that note when they are worked on; the event loop turns as it does.
import { expect, test } from 'vitest';
import { BodyBudget, PartialBody } from '../../../src/edge/body/body.ts';
import { type LargeRequest, LargeRequests } from '../../../src/edge/body/large-requests.ts';
import { LARGE_REQUEST_TURN_MS } from '../../../src/model/limits.ts';
import { budgets } from '../../../src/model/memory.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A request of some slices, each as long as a turn may be. */
class Slow implements LargeRequest {
  readonly clientKey: string;
  readonly #name: string;
  readonly #noted: string[];
  #left: number;

  constructor(name: string, slices: number, noted: string[]) {
    this.clientKey = name[0] as string;
    this.#name = name;
    this.#left = slices;
    this.#noted = noted;
  }

  step(): boolean {
    this.#noted.push(this.#name);
    const endMs = performance.now() + LARGE_REQUEST_TURN_MS + 1;
    while (performance.now() < endMs);
    return --this.#left === 0;
  }
}

test('clients take turns, request by request, however many one of them sends', async () => {
  const large = new LargeRequests();
  const noted: string[] = [];
  large.begin(new Slow('a1', 2, noted));
  for (const name of ['a2', 'a3', 'b1', 'c1', 'c2']) large.add(new Slow(name, 2, noted));
  while (!large.hasTime) await turn();
  const order = noted.filter((name, index) => noted[index - 1] !== name);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2']);
});

test('between two slices the event loop turns, so small requests are read', async () => {
  const large = new LargeRequests();
  const noted: string[] = [];
  large.begin(new Slow('a1', 3, noted));
  large.add(new Slow('a2', 1, noted));
  expect(noted).toEqual(['a1']);
  expect(large.hasTime).toBe(false);
  await turn();
  expect(noted).toEqual(['a1', 'a1']);
  while (!large.hasTime) await turn();
  expect(noted).toEqual(['a1', 'a1', 'a1', 'a2']);
});

test('what is short is done in the same turn, until the turn has had its time', async () => {
  const large = new LargeRequests();
  let count = 0;
  const short: LargeRequest = { clientKey: 'a', step: () => ++count > 0 };
  large.begin(short);
  expect(large.hasTime).toBe(true);
  large.begin(short);
  expect(count).toBe(2);
  large.begin(new Slow('a1', 1, []));
  expect(large.hasTime).toBe(false);
  large.add(short);
  expect(count).toBe(2);
  await turn();
  expect(count).toBe(3);
});

test("a client's bodies take as much memory as all leave free, and no other's", () => {
  const budget = new BodyBudget();
  const piece = new Uint8Array(budgets.bodies / 32);
  const held: PartialBody[] = [];
  const add = (client: string) => {
    const body = new PartialBody(budget, client);
    body.append(piece);
    held.push(body);
  };
  for (let count = 0; count < 16; count++) add('a');
  expect(() => add('a')).toThrow('of this client');
  for (let count = 0; count < 8; count++) add('b');
  expect(() => add('b')).toThrow('of this client');
  add('c');
  for (const body of held) body.release();
  expect(budget.heldBytes).toBe(0);
  for (let count = 0; count < 16; count++) add('a');
});
