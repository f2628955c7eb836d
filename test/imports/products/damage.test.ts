// Goal: a damaged file is told with the line that is damaged, wherever it is, and bounded in any case.
// Method: samples are damaged line by line; what no product writes is made up.
import { expect, test } from 'vitest';
import type { Adapter, ImportFault } from '../../../src/imports/adapter.ts';
import { ACCESS_LOG } from '../../../src/imports/products/access-log.ts';
import { FATHOM } from '../../../src/imports/products/fathom.ts';
import { GOATCOUNTER } from '../../../src/imports/products/goatcounter.ts';
import { GOOGLE_ANALYTICS } from '../../../src/imports/products/google-analytics.ts';
import { MATOMO_REPORTS } from '../../../src/imports/products/matomo/reports.ts';
import { MATOMO_VISITS } from '../../../src/imports/products/matomo/visits.ts';
import { SIMPLE_ANALYTICS } from '../../../src/imports/products/simple-analytics.ts';
import { UMAMI } from '../../../src/imports/products/umami/umami.ts';
import { entriesOf } from '../../../src/imports/source/json.ts';
import {
  SOURCE_ENTRY_LENGTH_MAX,
  SOURCE_ROW_LENGTH_MAX,
} from '../../../src/model/import-limits.ts';
import { rowsOf, sampleBytes, textFile } from './sources.ts';

interface Table {
  adapter: Adapter;
  sample: string;
  file: string;
  /** Of the first row below the names. */
  first: number;
}

const TABLES: Table[] = [
  { adapter: FATHOM, sample: 'fathom', file: 'Pages.csv', first: 2 },
  { adapter: GOOGLE_ANALYTICS, sample: 'google-analytics', file: 'countries.csv', first: 9 },
  {
    adapter: SIMPLE_ANALYTICS,
    sample: 'simple-analytics',
    file: 'simple-analytics-export.csv',
    first: 2,
  },
  { adapter: UMAMI, sample: 'umami-cloud', file: 'website_event.csv', first: 2 },
  { adapter: ACCESS_LOG, sample: 'access-log', file: 'access.log', first: 1 },
];

async function faultOf(
  adapter: Adapter,
  file: string,
  text: string | Buffer,
): Promise<ImportFault> {
  return (await rowsOf(adapter, [textFile(file, text, 50)]).then(
    () => Promise.reject(new Error('was read without a fault')),
    (error: unknown) => error,
  )) as ImportFault;
}

test.each(TABLES)('a line of $sample that is damaged is named', async (table) => {
  const { adapter, sample, file, first } = table;
  const lines = sampleBytes(sample, file).toString().trimEnd().split('\n');
  for (let line = first; line <= lines.length; line++) {
    // Half of a row, as a file that was written twice at once would have.
    const damaged = [...lines];
    const row = lines[line - 1] as string;
    damaged[line - 1] = row.slice(0, Math.floor(row.length / 8));
    const { place, message } = await faultOf(adapter, file, damaged.join('\n'));
    expect(place).toEqual({ file, line });
    expect(message).toContain(`${file}, line ${line}: expected `);
  }
});

test('a cell that is not what its column says is named with what was found', async () => {
  const text = sampleBytes('goatcounter', 'goatcounter-export.csv').toString();
  const file = 'goatcounter-export.csv';
  const later = await faultOf(
    GOATCOUNTER,
    file,
    text.replace('2024-03-02T10:00', '2024-02-30T10:00'),
  );
  expect(later.message).toBe(
    `${file}, line 7: expected a date and time as 2026-01-31 23:59:59, found "2024-02-30T10:00:00Z"`,
  );
  const flag = await faultOf(GOATCOUNTER, file, text.replace('signup,,true', 'signup,,yes'));
  expect(flag.place.line).toBe(4);
  const quote = await faultOf(GOATCOUNTER, file, text.replace('"A title', '"A "title'));
  expect(quote.place.line).toBe(7);
  const open = await faultOf(GOATCOUNTER, file, text.replace('lines"', 'lines'));
  expect(open.place.line).toBe(7);
});

test('P-3: a day or a duration that no report has is named, and no fault of the service', async () => {
  const top = '# ----\n# Start date: 20250101\nNth day,Users,Sessions\n';
  const late = await faultOf(GOOGLE_ANALYTICS, 'a.csv', `${top}0001,5,6\n999999999999999,5,6\n`);
  expect(late.message).toBe(
    'a.csv, line 5: expected a day up to the 36525th, found "999999999999999"',
  );
  const names = 'Date,Sessions,Average session duration\n';
  const negative = await faultOf(GOOGLE_ANALYTICS, 'a.csv', `${names}20250102,6,-12.5\n`);
  expect(negative.message).toBe('a.csv, line 2: expected a number as 12.5, found "-12.5"');
});

test('another version of the export is refused by a sentence', async () => {
  const text = sampleBytes('goatcounter', 'goatcounter-export.csv').toString();
  const { message } = await faultOf(GOATCOUNTER, 'a.csv', text.replace('2Path', '3Path'));
  expect(message).toBe(
    'a.csv, line 1: expected version 2 of the export, as GoatCounter 2.0 and later write it, ' +
      'found "version 3"',
  );
});

test('JSON that ends anywhere is named by the line where it ends', async () => {
  const text = sampleBytes('matomo-visits', 'visits.json').toString();
  const lengthMax = text.trimEnd().length - 1;
  for (let length = 1; length <= lengthMax; length += 37) {
    const cut = text.slice(0, length);
    const { place } = await faultOf(MATOMO_VISITS, 'visits.json', cut);
    expect(place.line).toBe(cut.split('\n').length);
  }
  const bad = text.replace('"timestamp":1704000000', '"timestamp":"soon"');
  expect((await faultOf(MATOMO_VISITS, 'visits.json', bad)).message).toContain(
    'line 10: expected seconds since 1970 under \'timestamp\' in each action of entry 2, found "soon"',
  );
});

test('reports that have no days are refused by a sentence', async () => {
  const whole = '[{"label":"Germany","nb_visits":8,"nb_uniq_visitors":7}]';
  const { message } = await faultOf(MATOMO_REPORTS, 'UserCountry.getCountry.json', whole);
  expect(message).toContain('expected a report by day: period=day and a range');
  const error = '{"result":"error","message":"You must be logged in"}';
  const refused = await faultOf(MATOMO_REPORTS, 'VisitsSummary.get.json', error);
  expect(refused.message).toContain("this file is an error of Matomo's");
  const google = '# ----\n\nCountry,Total users\nGermany,5\n';
  expect((await faultOf(GOOGLE_ANALYTICS, 'a.csv', google)).message).toContain(
    "a.csv, line 3: expected a column 'Date': without the dimension Date",
  );
  const two = '# ----\n\nDate,Country,Browser,Total users\n20240101,Germany,Chrome,5\n';
  expect((await faultOf(GOOGLE_ANALYTICS, 'a.csv', two)).message).toContain('one dimension');
});

test('rows of two websites, and dumps of INSERT statements, are refused by a sentence', async () => {
  const text = sampleBytes('umami-cloud', 'website_event.csv').toString();
  const two = text.replace(/\n26158eb8(?=[^\n]*\n$)/, '\n36158eb8');
  const { message } = await faultOf(UMAMI, 'website_event.csv', two);
  expect(message).toContain('line 5: expected rows of one website, 26158eb8');
  const insert = "-- umami\nINSERT INTO public.website_event VALUES ('a', 'b');\n";
  expect((await faultOf(UMAMI, 'umami.sql', insert)).message).toContain(
    'line 2: expected a dump with COPY, as pg_dump writes without --inserts',
  );
  const dump = sampleBytes('umami-dump', 'umami.sql').toString();
  const cut = dump.slice(0, dump.lastIndexOf('\\.'));
  expect((await faultOf(UMAMI, 'umami.sql', cut)).message).toContain('the dump is cut off');
});

test('lines, entries and depths without an end are refused where they begin', async () => {
  const open = `"${'a\n'.repeat(SOURCE_ROW_LENGTH_MAX / 2 + 1)}`;
  const names = sampleBytes('goatcounter', 'goatcounter-export.csv').toString().split('\n')[0];
  const table = textFile('a.csv', `${names}\n${open}`);
  await expect(rowsOf(GOATCOUNTER, [table])).rejects.toThrow('expected a row of at most');
  const line = textFile('access.log', 'x'.repeat(SOURCE_ROW_LENGTH_MAX + 1));
  await expect(rowsOf(ACCESS_LOG, [line])).rejects.toThrow('line 1: expected a line of at most');
  const read = async (text: string) => {
    for await (const entries of entriesOf(textFile('a.json', text))) if (entries.length > 9) break;
  };
  await expect(read('['.repeat(100))).rejects.toThrow('expected a depth of 64');
  const long = `["${'a'.repeat(SOURCE_ENTRY_LENGTH_MAX + 100_000)}"]`;
  await expect(read(long)).rejects.toThrow('expected entries of at most');
});

test('what is no text is named, but in logs', async () => {
  const latin = Buffer.concat([
    sampleBytes('fathom', 'Pages.csv'),
    Buffer.from('2024-05-22 00:00:00,https://example.org,/\xe9,1,1\n', 'latin1'),
  ]);
  const { message } = await faultOf(FATHOM, 'Pages.csv', latin);
  expect(message).toBe('Pages.csv, line 6: expected text in UTF-8');
  // Anybody may ask for anything: a log is read nevertheless.
  const log = sampleBytes('access-log', 'access.log').toString().replace('/pricing', '/\xe9');
  expect(
    await rowsOf(ACCESS_LOG, [textFile('access.log', Buffer.from(log, 'latin1'))]),
  ).toHaveLength(5);
});
