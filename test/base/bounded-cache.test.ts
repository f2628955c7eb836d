/** Goal: the cache forgets in time and never what is in use. Method: small caches, by hand. */
import { describe, expect, test } from 'vitest';
import { BoundedCache } from '../../src/base/bounded-cache.ts';

describe('a bounded cache', () => {
  test.each([3, 4, 5])('of 4 entries holds at most 4 after %i were written', (count) => {
    const cache = new BoundedCache<number, string>(4);
    for (let key = 0; key < count; key++) cache.set(key, `value ${key}`);
    expect(cache.entryCount).toBe(count === 5 ? 3 : count);
    expect(cache.get(count - 1)).toBe(`value ${count - 1}`);
  });

  test('forgets the older half when it is full', () => {
    const cache = new BoundedCache<number, number>(4);
    for (let key = 0; key < 5; key++) cache.set(key, key);
    expect([0, 1, 2, 3, 4].map((key) => cache.get(key))).toEqual([undefined, undefined, 2, 3, 4]);
  });

  test('keeps an entry that is read again and again, whatever else passes through', () => {
    const cache = new BoundedCache<number, string>(4);
    cache.set(-1, 'in use');
    for (let key = 0; key < 1_000; key++) {
      cache.set(key, 'passing');
      expect(cache.get(-1)).toBe('in use');
      expect(cache.entryCount).toBeLessThanOrEqual(4);
    }
  });

  test('holds the newest value of a key, also while it is full', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('a', 2);
    expect(cache.get('a')).toBe(2);
    expect(cache.entryCount).toBe(1);
  });
});
