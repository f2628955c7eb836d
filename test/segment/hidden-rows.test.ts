/** What is stored of hidden rows and lanes is found again, by a reader of a moment too. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { holderId } from '../../src/model/split.ts';
import {
  appendHidden,
  HIDDEN_CHUNK_ROWS,
  hiddenKey,
  readAllLanes,
  readHidden,
  readHiddenDays,
  readLanes,
  writeLanes,
} from '../../src/segment/hidden-rows.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';

let directory: string;
let environment: StateEnvironment;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-hidden-'));
  environment = new StateEnvironment(directory);
});

afterEach(async () => {
  await environment.close();
  rmSync(directory, { recursive: true });
});

describe('hidden rows', () => {
  test.each([
    1,
    HIDDEN_CHUNK_ROWS - 1,
    HIDDEN_CHUNK_ROWS,
    HIDDEN_CHUNK_ROWS + 1,
    3 * HIDDEN_CHUNK_ROWS,
  ])('rows appended %i at a time are all found, in chunks of a bounded size', (step) => {
    const place = { holderId: 'D', day: 20_000, lane: '1.0' };
    const rows = Array.from({ length: step === 1 ? 3 : step * 3 }, (_, index) => index * 7);
    for (let at = 0; at < rows.length; at += step) {
      environment.write(() => appendHidden(environment, place, rows.slice(at, at + step)));
    }
    expect([...readHidden(environment, 'D', 20_000)]).toEqual(rows);
    const chunkCount = Math.ceil(rows.length / HIDDEN_CHUNK_ROWS);
    expect(environment.get(hiddenKey(place, chunkCount - 1))).toBeDefined();
    expect(environment.get(hiddenKey(place, chunkCount))).toBeUndefined();
  });

  test('what several lanes hid of a day is one list; other days and holders have their own', () => {
    const other = holderId('D', 1, 0);
    environment.write(() => {
      appendHidden(environment, { holderId: 'D', day: 20_000, lane: '1.0' }, [1, 2]);
      appendHidden(environment, { holderId: 'D', day: 20_000, lane: '1.10' }, [3]);
      appendHidden(environment, { holderId: 'D', day: 20_001, lane: '1.1' }, [4]);
      appendHidden(environment, { holderId: other, day: 20_000, lane: '2.0' }, [5]);
    });
    const read = (holder: string, day: number) => [...readHidden(environment, holder, day)].sort();
    expect(read('D', 19_999)).toEqual([]);
    expect(read('D', 20_000)).toEqual([1, 2, 3]);
    expect(read('D', 20_001)).toEqual([4]);
    expect(read(other, 20_000)).toEqual([5]);
    const days = readHiddenDays(environment, 'D', { firstDay: 20_000, lastDay: 20_001 });
    expect([...days.keys()]).toEqual([20_000, 20_001]);
  });

  test('a moment keeps the rows it has while others are hidden', () => {
    const place = { holderId: 'D', day: 1, lane: '1.0' };
    environment.write(() => appendHidden(environment, place, [8]));
    const moment = environment.snapshot();
    environment.write(() => appendHidden(environment, place, [9]));
    expect([...readHidden(moment, 'D', 1)]).toEqual([8]);
    moment.done();
    expect([...readHidden(environment, 'D', 1)]).toEqual([8, 9]);
  });
});

test('lanes of a domain are told by the base and, as far as they have come, by each lane', () => {
  expect(readLanes(environment, 'D')).toBeNull();
  environment.write(() => {
    writeLanes(environment, 'D', { lanes: [1, 4], sequence: 7 });
    writeLanes(environment, 'D', { lanes: [1], sequence: 3 }, 2);
    writeLanes(environment, 'E', { lanes: [1, 2, 3], sequence: 9 });
  });
  expect(readLanes(environment, 'D')).toEqual({ lanes: [1, 4], sequence: 7 });
  expect(readLanes(environment, 'D', 2)).toEqual({ lanes: [1], sequence: 3 });
  expect(readLanes(environment, 'D', 1)).toBeNull();
  expect([...readAllLanes(environment)].map(({ domainId }) => domainId)).toEqual(['D', 'E']);
  expect([...readAllLanes(environment, 2)].map(({ domainId }) => domainId)).toEqual(['D']);
});
