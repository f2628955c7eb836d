// Goal: a flipped bit in any small file of a data directory is told, and never another number in
//   silence; what earlier builds wrote without checksums is read as before.
// Method: each file as the program writes it, each of its bits flipped in turn; files as builds before
//   wrote them.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { JobState } from '../../../src/jobs/job.ts';
import { metrics } from '../../../src/model/metrics.ts';
import { settleIdentity, takeIdentity } from '../../../src/runtime/cluster/node-identity.ts';
import { damagedFiles } from '../../../src/runtime/directory/checked-files.ts';
import { installPlaceFiles, placeFiles } from '../../../src/runtime/directory/place-files.ts';
import { readPlaceFile } from '../../../src/runtime/places/read-place-files.ts';
import { JobBoard, readJobBoard } from '../../../src/runtime/telemetry/job-board.ts';
import { RefusedRequests, refusedIn } from '../../../src/runtime/telemetry/refused-requests.ts';
import { placesDatabase } from '../../support/traffic/place-database.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const SPAN = { fromDay: 0, toDay: 40_000 };
const JOB: JobState = {
  ...{ name: 'reports', duty: 'writes', periodMs: 1, lease: 'none', isHere: true, nextRunMs: 5 },
  ...{ lastRunMs: 1, lastTookMs: 2, runs: 3, failures: 0, lastFault: '', lastFaultMs: null },
};
const isNever = (error: unknown) => expect.fail(String(error));

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-checked-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

/** Every bit in turn. @param look called with the file wounded. */
function flipEach(name: string, look: (place: string) => void): void {
  const path = join(dataDir, name);
  const bytes = readFileSync(path);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const wounded = Buffer.from(bytes);
    wounded[bit >> 3]! ^= 1 << (bit & 7);
    writeFileSync(path, wounded);
    look(`bit ${bit} of ${name}`);
  }
  writeFileSync(path, bytes);
}

test('every bit of the counts of refused requests, and what a service does with a damaged file', () => {
  const refused = new RefusedRequests(dataDir, () => NOW, isNever);
  metrics.collectRefused.add(3, 0);
  refused.close();
  const [code] = Object.keys(refusedIn(dataDir, SPAN));
  expect(refusedIn(dataDir, SPAN)).toEqual({ [code as string]: 3 });
  const name = 'refused/2026-11.json';
  flipEach(name, (place) => {
    expect(damagedFiles(dataDir), place).toEqual([join(dataDir, name)]);
    expect(() => refusedIn(dataDir, SPAN), place).toThrow(/is damaged/);
  });
  writeFileSync(join(dataDir, name), '{"2026-11-22":{');
  const told: unknown[] = [];
  const next = new RefusedRequests(
    dataDir,
    () => NOW,
    (error) => told.push(error),
  );
  metrics.collectRefused.add(1, 0);
  next.close();
  expect(told).toEqual([expect.objectContaining({ code: 'STORE_DAMAGED' })]);
  expect(refusedIn(dataDir, SPAN)).toEqual({ [code as string]: 1 });
  expect(damagedFiles(dataDir)).toEqual([join(dataDir, `${name}.damaged`)]);
});

test('every bit of what the jobs did, and of which node this is', () => {
  new JobBoard(dataDir, () => [JOB], isNever).close();
  expect(readJobBoard(dataDir)).toEqual([JOB]);
  settleIdentity(dataDir, takeIdentity(dataDir));
  expect(damagedFiles(dataDir)).toEqual([]);
  for (const name of ['jobs.json', 'node-id']) {
    flipEach(name, (place) => {
      expect(damagedFiles(dataDir), place).toEqual([join(dataDir, name)]);
      if (name === 'jobs.json') expect(readJobBoard(dataDir), place).toEqual([]);
    });
  }
});

test('bits of the databases of places, and of their list', () => {
  const settings = { geoDb: [], dataDir };
  installPlaceFiles(dataDir, [{ name: 'a.mmdb', bytes: placesDatabase() }]);
  installPlaceFiles(dataDir, [{ name: 'a.mmdb', bytes: placesDatabase() }]);
  expect(damagedFiles(dataDir)).toEqual([]);
  expect(readPlaceFile(placeFiles(settings)[0]!).contents).toBeDefined();
  flipEach('places/installed.json', (place) => {
    expect(damagedFiles(dataDir), place).toHaveLength(1);
    expect(() => placeFiles(settings), place).toThrow(/is damaged/);
  });
  const path = join(dataDir, 'places/a.mmdb');
  const bytes = placesDatabase();
  for (const at of [0, 77, bytes.length >> 1, bytes.length - 1]) {
    const wounded = Buffer.from(bytes);
    wounded[at]! ^= 4;
    writeFileSync(path, wounded);
    expect(damagedFiles(dataDir)).toEqual([path]);
    expect(() => readPlaceFile(placeFiles(settings)[0]!)).toThrow(/it is damaged/);
  }
  unlinkSync(path);
  expect(damagedFiles(dataDir)).toEqual([path]);
});

test('what earlier builds wrote is read, and sound', () => {
  mkdirSync(join(dataDir, 'refused'));
  mkdirSync(join(dataDir, 'places'));
  writeFileSync(join(dataDir, 'refused/2026-10.json'), '{"2026-10-01":{"TOKEN_INVALID":3}}');
  writeFileSync(join(dataDir, 'jobs.json'), JSON.stringify([JOB]));
  writeFileSync(join(dataDir, 'node-id'), 'abcdefgh\nijklmnop\n');
  writeFileSync(join(dataDir, 'places/installed.json'), '{"files":["a.mmdb"]}\n');
  writeFileSync(join(dataDir, 'places/a.mmdb'), placesDatabase());
  expect(damagedFiles(dataDir)).toEqual([]);
  expect(refusedIn(dataDir, SPAN)).toEqual({ TOKEN_INVALID: 3 });
  expect(readJobBoard(dataDir)).toEqual([JOB]);
  expect(takeIdentity(dataDir).previous).toEqual(['abcdefgh', 'ijklmnop']);
  expect(placeFiles({ geoDb: [], dataDir })[0]).toMatchObject({ origin: 'installed' });
  expect(readdirSync(join(dataDir, 'refused'))).toEqual(['2026-10.json']);
});
