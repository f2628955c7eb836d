// Goal (P-22): with a key of its own for each day, ids of a day are the same as long as its key is
// there, and can be made by nobody once it is gone.
// Method: visitor ids over keys in shared memory, as an edge has them, and a hand that puts and
// erases.
import { beforeEach, expect, test } from 'vitest';
import { SharedDayKeys } from '../../../src/ingest/visitor/day-keys.ts';
import { VisitorIds } from '../../../src/ingest/visitor/visitor.ts';
import { DAY_KEY_BYTES } from '../../../src/model/limits.ts';

const TODAY = 20_780;
const SECRET = new Uint8Array(32).fill(9);
const AGENT = { digestLow: 1, digestHigh: 2 };

let keys: SharedDayKeys;

const keyOf = (fill: number) => new Uint8Array(DAY_KEY_BYTES).fill(fill);

/** A thread of its own: it has the memory, and nothing else of whoever writes there. */
function edge(): VisitorIds {
  return new VisitorIds(SECRET, new SharedDayKeys(keys.memory));
}

function idOf(ids: VisitorIds, day: number, address = '1.2.3.4', domainId = 'd'): string {
  return Array.from(ids.id(AGENT, address, domainId, day)).join(' ');
}

beforeEach(() => {
  keys = SharedDayKeys.create();
  keys.today = TODAY;
  for (let day = TODAY - 2; day <= TODAY + 2; day++) keys.put(day, keyOf(day % 251));
});

test('P-22: every edge makes the same id of a day from its key, another one on another day', () => {
  const days = [TODAY - 2, TODAY - 1, TODAY, TODAY + 1, TODAY + 2];
  const ids = days.map((day) => idOf(edge(), day));
  expect(days.map((day) => idOf(edge(), day))).toEqual(ids);
  expect(new Set(ids).size).toBe(days.length);
  expect(idOf(new VisitorIds(SECRET), TODAY)).not.toBe(idOf(edge(), TODAY));
  // The installation's key is of no use without that of the day, nor the day's key for another domain.
  expect(idOf(edge(), TODAY, '1.2.3.4', 'e')).not.toBe(idOf(edge(), TODAY));
});

test('P-22: a key is gone for all edges at once, and what they derived from it with the next message', () => {
  const ids = edge();
  const day = TODAY - 2;
  const before = idOf(ids, day);
  const other = idOf(ids, TODAY);
  keys.today = TODAY + 1;
  keys.erase(day);
  expect(idOf(edge(), day)).not.toBe(before);
  ids.forgetDays();
  expect(idOf(ids, day)).not.toBe(before);
  expect(idOf(ids, TODAY)).toBe(other);
  expect(new Uint8Array(keys.memory).indexOf(day % 251)).toBe(-1);
});

test('P-22: late hits of a day whose key is gone count under a new one: that of today', () => {
  const ids = edge();
  const late = idOf(ids, TODAY - 40);
  expect(idOf(ids, TODAY - 40)).toBe(late);
  // Days stay apart, whatever they are made with (I-31).
  expect(idOf(ids, TODAY - 41)).not.toBe(late);
  expect(idOf(ids, TODAY)).not.toBe(late);
  keys.today = TODAY + 1;
  ids.forgetDays();
  expect(idOf(ids, TODAY - 40)).not.toBe(late);
});

test.each([TODAY + 3, TODAY + 400])(
  'a hit of the day %i, which has no key yet, is answered 503',
  (day) => {
    const ids = edge();
    const before = idOf(ids, TODAY);
    expect(() => idOf(ids, day)).toThrow(
      expect.objectContaining({ code: 'DAY_KEY_MISSING', status: 503 }),
    );
    // Nothing of it is taken for the id of the next hit.
    expect(() => idOf(ids, day)).toThrow('try again');
    keys.put(day, keyOf(7));
    expect(idOf(ids, day)).not.toBe(before);
  },
);

test('P-22: without today’s key a late hit is answered 503, not counted under one of another day', () => {
  keys.erase(TODAY);
  expect(() => idOf(edge(), TODAY - 9)).toThrow('try again');
  keys.eraseAll();
  expect(() => idOf(edge(), TODAY - 1)).toThrow('try again');
  expect(
    Buffer.from(keys.memory)
      .subarray(-16 * DAY_KEY_BYTES)
      .every((byte) => byte === 0),
  ).toBe(true);
});

test('the key of a day is not erased for another day in its place', () => {
  const id = idOf(edge(), TODAY);
  keys.erase(TODAY - 16);
  expect(idOf(edge(), TODAY)).toBe(id);
});
