// Goal: every change of lanes comes into the log when its time has come, whatever the log does.
// Method: a registry and a log of the test's own, a clock that stands until it is moved.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WantedSplit } from '../../src/model/entities.ts';
import { errors } from '../../src/model/errors.ts';
import type { Split } from '../../src/model/split.ts';
import { SplitAnnouncer } from '../../src/runtime/split-announcer.ts';
import { makeDomain } from '../support/fake-ports.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const PAUSE_MS = 1_000;

let domains: Map<string, WantedSplit | undefined>;
let sequence: number;
/** What the log has been given, and who waits for its word. */
let submitted: { split: Split; done: (error: Error | null) => void }[];
let logged: string[];
let announcer: SplitAnnouncer;
/** What every append is answered with at once; undefined: nothing until the test says so. */
let answer: Error | null | undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  domains = new Map([['plain', undefined]]);
  sequence = 1;
  submitted = [];
  logged = [];
  answer = null;
  announcer = start();
});

afterEach(() => {
  announcer.stop();
  vi.useRealTimers();
});

/** A process that starts on the registry as it is. */
function start(): SplitAnnouncer {
  return new SplitAnnouncer({
    registry: {
      get sequence() {
        return sequence;
      },
      view: {
        domains: () =>
          [...domains].map(([id, split]) =>
            makeDomain({ id, hostname: `${id}.test`, ...(split === undefined ? {} : { split }) }),
          ),
      },
    },
    hits: {
      submitSplit(split, done) {
        submitted.push({ split, done });
        if (answer !== undefined) done(answer);
      },
    },
    nowMs: () => Date.now(),
    log: {
      info: (_: unknown, text: string) => logged.push(`info ${text}`),
      warn: (_: unknown, text: string) => logged.push(`warn ${text}`),
    } as never,
  });
}

function change(id: string, lanes: number[], fromMs = NOW_MS): void {
  domains.set(id, { lanes, fromMs });
  sequence++;
  announcer.look();
}

const announced = () => submitted.map(({ split }) => [split.domainId, ...split.lanes]);

describe('a change of lanes', () => {
  test('is announced as soon as the registry has it, once', () => {
    change('a', [1, 4]);
    expect(announced()).toEqual([['a', 1, 4]]);
    announcer.look();
    vi.advanceTimersByTime(10 * PAUSE_MS);
    change('b', [1, 2]);
    expect(announced()).toEqual([
      ['a', 1, 4],
      ['b', 1, 2],
    ]);
    expect(logged).toEqual([
      'info the lanes of a site are in the log',
      'info the lanes of a site are in the log',
    ]);
  });

  test('that was there before the start is announced again, by each process', () => {
    change('a', [1, 4]);
    announcer.stop();
    announcer = start();
    announcer.look();
    expect(announced()).toEqual([
      ['a', 1, 4],
      ['a', 1, 4],
    ]);
  });

  test('tells all generations, so that one that nobody announced is not missing', () => {
    change('a', [1, 4]);
    change('a', [1, 4, 1]);
    change('a', [1, 4, 1, 2, 8]);
    expect(announced()).toEqual([
      ['a', 1, 4],
      ['a', 1, 4, 1],
      ['a', 1, 4, 1, 2, 8],
    ]);
  });

  test.each([
    [-1, 0],
    [0, 1],
    [1, 1],
  ])('that begins later was announced %i ms after that %i times', (ms, times) => {
    change('a', [1, 4], NOW_MS + 5 * PAUSE_MS);
    vi.setSystemTime(NOW_MS + 5 * PAUSE_MS + ms);
    announcer.look();
    expect(submitted).toHaveLength(times);
  });

  test('that begins later comes by itself within a second, and what is before it at once', () => {
    change('a', [1, 4, 1], NOW_MS + 3_600_000);
    expect(announced()).toEqual([['a', 1, 4]]);
    vi.advanceTimersByTime(3_599_999);
    expect(submitted).toHaveLength(1);
    vi.advanceTimersByTime(PAUSE_MS + 1);
    expect(announced().slice(1)).toEqual([['a', 1, 4, 1]]);
  });

  test('that is withdrawn or put off before it begins is not announced at its time', () => {
    change('a', [1, 4], NOW_MS + 3_600_000);
    change('b', [1, 4], NOW_MS + 3_600_000);
    domains.set('a', undefined);
    change('b', [1, 2], NOW_MS + 7_200_000);
    vi.advanceTimersByTime(3_600_000 + PAUSE_MS);
    expect(submitted).toEqual([]);
    vi.advanceTimersByTime(3_600_000);
    expect(announced()).toEqual([['b', 1, 2]]);
  });
});

describe('a log that does not take it', () => {
  test('is asked again after a pause until it does, and that is said once', () => {
    answer = errors.LOG_UNAVAILABLE({ reason: 'NATS is away' });
    change('a', [1, 4]);
    expect(submitted).toHaveLength(1);
    vi.advanceTimersByTime(PAUSE_MS - 1);
    expect(submitted).toHaveLength(1);
    vi.advanceTimersByTime(3 * PAUSE_MS);
    expect(submitted).toHaveLength(4);
    answer = null;
    vi.advanceTimersByTime(PAUSE_MS);
    expect(announced()).toEqual(Array.from({ length: 5 }, () => ['a', 1, 4]));
    vi.advanceTimersByTime(60 * PAUSE_MS);
    expect(submitted).toHaveLength(5);
    expect(logged.map((line) => line.slice(0, 4))).toEqual(['warn', 'info']);
  });

  test('is not asked a second time before it has answered', () => {
    answer = undefined;
    change('a', [1, 4]);
    change('a', [1, 4, 1]);
    vi.advanceTimersByTime(60 * PAUSE_MS);
    expect(announced()).toEqual([['a', 1, 4]]);
    submitted[0]!.done(null);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(announced().slice(1)).toEqual([['a', 1, 4, 1]]);
    submitted[1]!.done(errors.LOG_FULL({}));
    vi.advanceTimersByTime(PAUSE_MS);
    expect(announced().slice(2)).toEqual([['a', 1, 4, 1]]);
  });

  test('holds up only the sites it has not answered for', () => {
    answer = undefined;
    change('a', [1, 4]);
    answer = null;
    change('b', [1, 2]);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(announced()).toEqual([
      ['a', 1, 4],
      ['b', 1, 2],
    ]);
  });
});

describe('an announcer', () => {
  test('that has nothing to do has no timer', () => {
    announcer.look();
    expect(vi.getTimerCount()).toBe(0);
    change('a', [1, 4]);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that is stopped announces nothing more, not even after a late answer', () => {
    answer = undefined;
    change('a', [1, 4]);
    change('b', [1, 4], NOW_MS + 2 * PAUSE_MS);
    announcer.stop();
    submitted[0]!.done(errors.LOG_UNAVAILABLE({ reason: 'it is closed' }));
    announcer.look();
    vi.advanceTimersByTime(60 * PAUSE_MS);
    expect(submitted).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
