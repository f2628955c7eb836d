// Goal: files as the products write them are read as what they say, row by row.
// Method: samples by their own documentation, and beside each the rows that a person read out of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSample } from './sources.ts';

const EXPECTED = join(import.meta.dirname, '../../data/imports/expected');

test.each([
  ['access-log', 'access-log'],
  ['fathom', 'fathom'],
  ['fathom-custom', 'fathom'],
  ['goatcounter', 'goatcounter'],
  ['google-analytics', 'google-analytics'],
  ['matomo-reports', 'matomo-reports'],
  ['matomo-visits', 'matomo-visits'],
  ['simple-analytics', 'simple-analytics'],
  ['umami-cloud', 'umami'],
  ['umami-dump', 'umami'],
  ['umami-tables', 'umami'],
])('what %s exports is read as its rows', async (sample, adapter) => {
  const lines = readFileSync(join(EXPECTED, `${sample}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const { names, rows } = await readSample(sample);
  expect(names[0]).toBe(adapter);
  expect(rows).toEqual(lines.map((line) => JSON.parse(line)));
});

test('exports without dates are refused with what to export instead', async () => {
  await expect(readSample('umami-interface')).rejects.toThrow(
    "browsers.csv, line 1: expected the rows of 'website_event', which have dates",
  );
  await expect(readSample('plausible-download')).rejects.toThrow(
    "browsers.csv, line 1: expected the archive of 'Export to CSV' in the settings of the site",
  );
});
