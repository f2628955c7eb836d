/**
 * Goal: sums that cannot be what somebody counted are refused, not stored and not cut (P-3).
 * Method: small archives through all of the reading.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countSource, readSource } from '../../src/imports/job/source-reader.ts';
import { claimStage, Stage } from '../../src/imports/job/stage.ts';
import { NOWHERE } from '../../src/ingest/place/place.ts';
import { zipOf } from '../support/zip.ts';

const VISITORS = 'date,visitors,pageviews,bounces,visits,visit_duration\n';
const DAY = '2025-01-02,5,7,2,5,100\n';
const WEBSITES = 'date,label,nb_uniq_visitors,nb_visits\n2025-01-02,example.com,3,4\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footfall-sums-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function stagedOf(archive: Buffer): Promise<number> {
  const path = join(folder, 'export.zip');
  writeFileSync(path, archive);
  const stage = join(folder, 'stage');
  const days = { timezone: 'UTC', fromDay: null, toDay: null };
  const files = [{ path, name: 'export.zip' }];
  const site = { domainId: 'domain', hostname: 'example.org', alternatives: [] };
  const task = {
    ...{ ...days, files, folder: stage, claim: claimStage(stage) },
    ...{ site: { ...site, blocked: [], allowed: [] }, nativeMs: Date.UTC(2026, 0, 1) },
    visitorKey: new Uint8Array(16),
  };
  await countSource({ ...days, files }, () => undefined);
  await readSource(task, { locate: () => NOWHERE, addresses: null }, () => undefined);
  return new Stage(stage).notes.rowsStaged;
}

test('P-3: a day that two files of an archive have is refused, not counted twice', async () => {
  const overlapping = zipOf({
    'imported_visitors_20250101_20250103.csv': VISITORS + DAY,
    'imported_visitors_20250102_20250105.csv': VISITORS + DAY,
  });
  await expect(stagedOf(overlapping)).rejects.toThrow(
    'imported_visitors_20250102_20250105.csv, line 2: expected 2025-01-02 of whole days in one ' +
      'file only, imported_visitors_20250101_20250103.csv has it too',
  );
});

test('reports that have something in common only by name stand beside each other', async () => {
  const reports = {
    'Referrers.getWebsites.csv': WEBSITES,
    'Referrers.getSocials.csv': WEBSITES,
    'DevicesDetection.getBrowsers.csv': WEBSITES,
  };
  expect(await stagedOf(zipOf(reports))).toBe(3);
  const twice = { ...reports, 'Referrers.getSocials-2025.csv': WEBSITES };
  await expect(stagedOf(zipOf(twice))).rejects.toThrow('2025-01-02 of referrer in one file only');
});

test('countries that stand in a table of cities too are counted once', async () => {
  const counts = 'Pageviews,Visits\n2025-01-02 10:00:00';
  const tables = {
    'Cities.csv': `Timestamp,Country,State,City,${counts},Germany,Berlin,Berlin,3,2\n`,
    'Countries.csv': `Timestamp,Country,Country Code,${counts},Germany,DE,3,2\n`,
    'Regions.csv': `Timestamp,Country,State,${counts},Germany,Berlin,3,2\n`,
  };
  // A city, a country and a region.
  expect(await stagedOf(zipOf(tables))).toBe(3);
});

test('P-3: a number that no site has is refused, not cut', async () => {
  const archive = zipOf({
    'imported_visitors.csv': `${VISITORS}2025-01-02,1099511627777,7,2,5,1\n`,
  });
  await expect(stagedOf(archive)).rejects.toThrow(
    'imported_visitors.csv, line 2: expected at most 1099511627776, found "1099511627777"',
  );
});
