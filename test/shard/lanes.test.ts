// Goal: a split domain counts what it would have counted in one piece, whoever of its base and its
//   lanes is ahead, behind, lost or let go.
// Method: the real actor and lanes over one shard, without threads: a test says who comes how far.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seededRandom } from '../support/load-client.ts';
import { LaneBench, visitsOf } from './lane-bench.ts';

const DOMAIN = 'site';

let bench: LaneBench;

beforeEach(() => {
  bench = new LaneBench();
});

afterEach(() => bench.close());

test('visitors of a split domain count where their lane is, and once, before and after', async () => {
  bench.visit(DOMAIN, 1, 2, 3, 4, 5);
  bench.split(DOMAIN, [1, 4]);
  expect([...bench.lanes.keys()]).toEqual([1, 2, 3]);
  bench.visit(DOMAIN, 4, 5, 6, 7);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 9, visits: 7 });
  bench.split(DOMAIN, [1, 4, 1]);
  bench.visit(DOMAIN, 1, 6, 8);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 12, visits: 8 });
});

test('nobody is beyond a change of lanes before all have saved what came before it', async () => {
  bench.visit(DOMAIN, 1, 2, 3, 4);
  const first = bench.split(DOMAIN, [1, 3]);
  bench.visit(DOMAIN, 1, 2, 3, 4, 5, 6);
  const second = bench.log.length + 1;
  const found: Promise<Record<number, number>>[] = [];
  bench.onTold = (_, call) => {
    if (call.kind === 'records' && call.index[1]! > second) found.push(bench.positions());
  };
  bench.split(DOMAIN, [1, 3, 2]);
  bench.visit(DOMAIN, 1);
  expect(second).toBeGreaterThan(first);
  expect(found).toHaveLength(2);
  for (const positions of await Promise.all(found)) {
    expect(positions).toEqual({ 0: second, 1: second, 2: second });
  }
});

test('a shard is where its last lane is saved; one with nothing to save holds nothing back', () => {
  const sequence = () => bench.actor.savedSequences()[0]?.sequence;
  bench.split(DOMAIN, [1, 2]);
  bench.pass(0);
  bench.pass(1);
  const before = bench.visit('other', 1);
  bench.visit(DOMAIN, 1, 2);
  bench.pass(0);
  expect(sequence()).toBe(1);
  bench.pass(1);
  expect(sequence()).toBe(before + 1);
  bench.visit('other', 1);
  bench.visit('other', 1);
  bench.pass(1);
  expect(sequence()).toBe(before + 1);
  bench.pass(0);
  expect(sequence()).toBe(bench.log.length);
});

test('the position of a part that has nothing to save is written once a second at the most', async () => {
  bench.split(DOMAIN, [1, 2]);
  const first = bench.visit('other', 1);
  bench.pass(1);
  expect((await bench.positions())[1]).toBe(first);
  bench.visit('other', 1);
  bench.nowMs += 999;
  bench.pass(1, 0);
  expect((await bench.positions())[1]).toBe(first);
  bench.nowMs += 1;
  bench.pass(1, 0);
  expect((await bench.positions())[1]).toBe(first + 1);
});

test('after a crash the log is read again for a lane that was behind its base', async () => {
  const split = bench.split(DOMAIN, [1, 2]);
  bench.visit(DOMAIN, 1, 2);
  bench.visit(DOMAIN, 3, 4);
  bench.pass(0);
  await bench.crash();
  expect(bench.recoveredFrom).toBe(split);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 4, visits: 4 });
});

test('after a crash the log is read again for a base that was behind a lane', async () => {
  const split = bench.split(DOMAIN, [1, 2]);
  bench.visit(DOMAIN, 1, 2);
  bench.pass(1);
  bench.split(DOMAIN, [1, 2, 3]);
  bench.visit(DOMAIN, 1, 2, 5);
  bench.pass(2);
  await bench.crash();
  expect(bench.recoveredFrom).toBeGreaterThan(split);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 5, visits: 3 });
});

test('a crash between the save of the base and that of the lanes loses no merge', async () => {
  bench.split(DOMAIN, [1, 2]);
  bench.visit(DOMAIN, 1, 2, 3);
  const lost = new Error('the process ends here');
  bench.onTold = (_, call) => {
    if (call.kind === 'records' && call.index[1] === bench.log.length) throw lost;
  };
  expect(() => bench.split(DOMAIN, [1, 2, 1])).toThrow(lost);
  bench.onTold = () => {};
  await bench.crash();
  expect(await bench.counted(DOMAIN)).toEqual({ views: 3, visits: 3 });
  bench.visit(DOMAIN, 1, 2);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 5, visits: 3 });
});

test('lanes that no domain needs any more are let go, with their positions', async () => {
  bench.split(DOMAIN, [1, 3]);
  bench.split('other', [1, 2]);
  bench.visit(DOMAIN, 1, 2, 3);
  bench.split(DOMAIN, [1, 3, 1]);
  bench.pass(0);
  await Promise.resolve();
  await new Promise(setImmediate);
  bench.pass(0);
  expect([...bench.lanes.keys()]).toEqual([1]);
  expect(Object.keys(await bench.positions())).toEqual(['0', '1']);
  bench.split(DOMAIN, [1, 3, 1, 3]);
  bench.visit(DOMAIN, 1, 2, 3, 4);
  expect([...bench.lanes.keys()]).toEqual([1, 2]);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 7, visits: 4 });
});

test('a lane that is needed again while it lets go goes on', async () => {
  bench.split(DOMAIN, [1, 2]);
  bench.visit(DOMAIN, 1, 2, 3);
  bench.split(DOMAIN, [1, 2, 1]);
  bench.pass(0);
  bench.split(DOMAIN, [1, 2, 1, 2]);
  bench.visit(DOMAIN, 1, 2, 5);
  await new Promise(setImmediate);
  bench.pass(0);
  expect([...bench.lanes.keys()]).toEqual([1]);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 6, visits: 4 });
});

test('an answer waits for the saves of all lanes, and who is active is left to a scan', async () => {
  bench.split(DOMAIN, [1, 2]);
  const lane = bench.lanes.get(1)!;
  lane.isHeld = true;
  bench.visit(DOMAIN, 1, 2);
  let isAnswered = false;
  const answer = bench.ask('save', DOMAIN).then((reply) => {
    isAnswered = true;
    return reply;
  });
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  lane.goOn();
  expect((await answer).value).toBe(1);
  expect((await bench.ask('active', DOMAIN)).value).toBe(null);
});

test('a shard that is closed is saved by its lanes, and opens with them', async () => {
  bench.split(DOMAIN, [1, 2]);
  bench.visit(DOMAIN, 1, 2, 3);
  const last = bench.log.length;
  await bench.actor.closeShard(0);
  expect(await bench.positions()).toEqual({ 0: last, 1: last });
  expect(bench.lanes.size).toBe(0);
  expect(await bench.actor.open({ shard: 0, epoch: 1, opening: 7 })).toBe(last);
  bench.actor.begin(0, 7);
  bench.visit(DOMAIN, 3, 4, 5);
  const arrived = bench.actor.caughtUp(0, last + 1);
  await arrived;
  expect(await bench.counted(DOMAIN)).toEqual({ views: 6, visits: 5 });
});

test('a shard that is dropped is not saved, and opens where its last lane was', async () => {
  const split = bench.split(DOMAIN, [1, 2]);
  bench.visit(DOMAIN, 1, 2, 3);
  bench.pass(0);
  await bench.actor.drop(0);
  expect(await bench.actor.open({ shard: 0, epoch: 1, opening: 7 })).toBe(split);
  bench.actor.begin(0, 7);
  bench.actor.onRecords(bench.log.slice(split), bench.nowMs);
  expect(await bench.counted(DOMAIN)).toEqual({ views: 3, visits: 3 });
});

test('what a spool brings twice counts once, also when it came before the lane did', async () => {
  const early = visitsOf(DOMAIN, [1, 2]);
  const late = visitsOf(DOMAIN, [3, 4]);
  bench.append(bench.spooled(1, [early]));
  bench.split(DOMAIN, [1, 2]);
  bench.append(bench.spooled(1, [early, late]));
  bench.append(bench.spooled(2, [late]));
  await bench.crash();
  bench.append(bench.spooled(1, [early, late]));
  expect(await bench.counted(DOMAIN)).toEqual({ views: 4, visits: 4 });
});

test.each([11, 12, 13, 14, 15, 16, 17, 18])(
  'any history of lanes, saves and crashes counts every page view once (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const lanes = [1];
    const persons = new Set<number>();
    let views = 0;
    let spooled = 1;
    for (let step = 0; step < 150; step++) {
      const what = random();
      if (what < 0.6) {
        const some = Array.from({ length: 1 + below(4) }, () => 1 + below(40));
        const payload = visitsOf(DOMAIN, some);
        for (const person of some) persons.add(person);
        views += some.length;
        if (random() < 0.3) {
          const message = bench.spooled(spooled++, [payload]);
          bench.append(message);
          if (random() < 0.3) bench.append(message);
        } else bench.append(payload);
      } else if (what < 0.68) {
        for (const lane of bench.lanes.values()) lane.goOn();
        lanes.push(1 + below(4));
        bench.split(DOMAIN, [...lanes]);
      } else if (what < 0.85) bench.pass(below(4), below(3));
      else if (what < 0.93) {
        const lane = bench.lanes.get(1 + below(3));
        if (lane !== undefined) lane.isHeld = random() < 0.5;
        if (lane?.isHeld === false) lane.goOn();
      } else if (what < 0.97) await new Promise(setImmediate);
      else await bench.crash();
    }
    for (const lane of bench.lanes.values()) lane.goOn();
    expect(await bench.counted(DOMAIN)).toEqual({ views, visits: persons.size });
  },
);
