// Goal: passwords that anybody guesses are refused; the rest is hashed slowly, a few at a time, beside
// the thread that asks.
// Method: lengths around both limits, the list of common ones, and hashing with a clock on the loop.
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { Passwords, passwordFault } from '../../../src/control/people/passwords.ts';
import {
  PASSWORD_HASH_RUNNING_COUNT_MAX,
  PASSWORD_HASH_WAITING_COUNT_MAX,
} from '../../../src/model/limits.ts';

const PASSWORD = 'correct horse battery';

describe('a password', () => {
  test.each([
    [9, false],
    [10, true],
    [11, true],
    [199, true],
    [200, true],
    [201, false],
  ])('of %d characters is taken: %s (M-80)', (length, isTaken) => {
    // Code points, not code units; spaces count as they are typed.
    const typed = `${'🔑'.repeat(length - 3)} x `;
    expect(passwordFault(typed) === '').toBe(isTaken);
  });

  test.each(['qwertyuiop', '1234567890', 'Password123', '1q2w3e4r5t', 'BASKETBALL'])(
    'that is as common as %s is not taken (M-80)',
    (common) => {
      expect(passwordFault(common)).toContain('most common');
      expect(passwordFault(`${common} indeed`)).toBe('');
    },
  );

  test('of the 10,000 most common ones is never taken, whichever it is (M-80)', () => {
    type Words = typeof import('@zxcvbn-ts/language-common');
    const words = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as Words;
    const common = words.dictionary['passwords-common'];
    expect(common.length).toBeGreaterThan(10_000);
    expect(common.filter((one) => passwordFault(one) === '')).toEqual([]);
  });
});

describe('a hash', () => {
  const passwords = new Passwords();

  test('is argon2id with 19 MiB and two passes, of this password alone (M-80)', async () => {
    const [one, two] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(two).not.toBe(one);
    expect(await passwords.matches(one, PASSWORD)).toBe(true);
    expect(await passwords.matches(one, `${PASSWORD} `)).toBe(false);
  });

  test('is the same for a letter that keyboards compose in two ways', async () => {
    const kept = await passwords.hash('cr\u00e8me br\u00fbl\u00e9e');
    expect(await passwords.matches(kept, 'cre\u0300me bru\u0302le\u0301e')).toBe(true);
  });

  test('that is not there matches nothing, and takes as long (M-80)', async () => {
    const kept = await passwords.hash(PASSWORD);
    const took = async (hash: string | null): Promise<number> => {
      const startMs = performance.now();
      expect(await passwords.matches(hash, 'another password')).toBe(false);
      return performance.now() - startMs;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let count = 0; count < 9; count++) {
      known.push(await took(kept));
      unknown.push(await took(null));
    }
    // The best of nine in turns: others use the machine as well. Without a hash it is a thousandth.
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
    expect(await passwords.matches(null, '')).toBe(false);
  });
});

test('few are hashed at once, some wait, and the rest is told to come again', async () => {
  const passwords = new Passwords();
  const room = PASSWORD_HASH_RUNNING_COUNT_MAX + PASSWORD_HASH_WAITING_COUNT_MAX;
  const asked = Array.from({ length: room + 3 }, () => passwords.matches(null, PASSWORD));
  const ended = await Promise.allSettled(asked);
  const refused = ended.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { code: 'OVERLOADED', status: 503 } });
  // Everybody had a turn, and nobody holds a place.
  expect(await passwords.matches(null, PASSWORD)).toBe(false);
});

test('a hash that fails gives its place back', async () => {
  const passwords = new Passwords();
  const asked = Array.from({ length: 10 }, () => passwords.matches('no hash', PASSWORD));
  const ended = await Promise.allSettled(asked);
  expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
  expect(await passwords.matches(null, PASSWORD)).toBe(false);
});

test('the thread that asks goes on while passwords are hashed', async () => {
  const passwords = new Passwords();
  await passwords.matches(null, PASSWORD);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => passwords.matches(null, PASSWORD)));
  const tookMs = performance.now() - startMs;
  delay.disable();
  // On the thread itself it would stand still for all of it.
  expect(delay.percentile(50) / 1e6).toBeLessThan(tookMs / 10);
});
