// Goal: whatever texts a product exports come back as they were, and sums add up to the source's own.
// Method: fast-check writes files as the products do; naive models say what is in them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportedHit, ImportedSum } from '../../../src/imports/adapter.ts';
import { FATHOM } from '../../../src/imports/products/fathom.ts';
import { GOATCOUNTER } from '../../../src/imports/products/goatcounter.ts';
import { GOOGLE_ANALYTICS } from '../../../src/imports/products/google-analytics.ts';
import { MATOMO_VISITS } from '../../../src/imports/products/matomo/visits.ts';
import { Sessions } from '../../../src/imports/products/umami/sessions.ts';
import { UMAMI } from '../../../src/imports/products/umami/umami.ts';
import { Row } from '../../../src/imports/source/table.ts';
import { instant } from '../../../src/imports/source/values.ts';
import { tries } from '../../support/runs.ts';
import { rowsOf, textFile } from './sources.ts';

const PLACE = { file: 'a', line: 1 };
const text = fc.string({
  unit: fc.constantFrom('a', ',', '"', '\n', '\t', '\\', 'ü', '漢', 'N', ' '),
});
const instants = fc.date({
  min: new Date('2001-01-01T00:00:00Z'),
  max: new Date('2030-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

test('titles and times of an export come back as they were, in any pieces', async () => {
  const rows = fc.array(fc.tuple(text, instants), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 7, max: 90 }), async (rows, size) => {
      const lines = rows.map(([title, at]) =>
        ['/', title, 'false', '', 'Firefox 128', 'Linux', 's', '0', '', '', '', '', 'true']
          .map(quoted)
          .concat(at.toISOString())
          .join(','),
      );
      const names =
        '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,' +
        'Screen size,Location,FirstVisit,Date';
      const file = textFile('a.csv', [names, ...lines, ''].join('\r\n'), size);
      const read = (await rowsOf(GOATCOUNTER, [file])) as ImportedHit[];
      expect(read.map(({ title }) => title ?? '')).toEqual(rows.map(([title]) => title));
      expect(read.map(({ at }) => at)).toEqual(rows.map(([, at]) => at.getTime()));
    }),
    tries(),
  );
});

test('texts of a dump come back as they were, however they are escaped', async () => {
  const escaped = (cell: string) =>
    cell.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 6 }), async (titles) => {
      const columns = 'website_id, session_id, created_at, url_path, event_type, page_title';
      const lines = titles.map((title) =>
        ['w', 's', '2026-01-01 00:00:00+00', '/', '1', escaped(title)].join('\t'),
      );
      const head = `COPY public.website_event (${columns}) FROM stdin;`;
      const dump = ['-- umami', head, ...lines, '\\.', ''].join('\n');
      const read = (await rowsOf(UMAMI, [textFile('umami.sql', dump, 11)])) as ImportedHit[];
      expect(read.map(({ title }) => title ?? '')).toEqual(titles);
      expect(read.map(({ place }) => place.line)).toEqual(titles.map((_, index) => index + 3));
    }),
    tries(),
  );
});

test('visits come back with their actions, in any pieces and any layout', async () => {
  const action = fc.record({ pageTitle: text, timestamp: fc.integer({ min: 1, max: 2 ** 31 }) });
  const visit = fc.record({
    visitorId: fc.uuid(),
    actionDetails: fc.array(action, { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(visit), fc.boolean(), fc.nat(90), async (visits, isPretty, size) => {
      const typed = visits.map(({ visitorId, actionDetails }) => ({
        visitorId,
        actionDetails: actionDetails.map((one) => ({ type: 'action', url: '/', ...one })),
      }));
      const json = JSON.stringify(typed, null, isPretty ? 2 : 0);
      const file = textFile('a.json', json, size + 2);
      const read = (await rowsOf(MATOMO_VISITS, [file])) as ImportedHit[];
      const all = visits.flatMap(({ visitorId, actionDetails }) =>
        actionDetails.map(({ pageTitle, timestamp }) => [visitorId, pageTitle, timestamp * 1_000]),
      );
      expect(read.map(({ visitor, title, at }) => [visitor, title ?? '', at])).toEqual(all);
    }),
    tries(),
  );
});

test('sums by day and value add up to what the source says of all rows', async () => {
  const row = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(99), fc.nat(99));
  await fc.assert(
    fc.asyncProperty(fc.array(row), async (rows) => {
      const total = rows.reduce((sum, [, , users]) => sum + users, 0);
      const google = [
        ...['# ----', '# Free form', '# ----', '', 'Date,Browser,Total users,Sessions'],
        `,,${total},0,Grand total`,
        ...rows.map(
          ([day, of, users, sessions]) => `2024010${day + 1},B${of},${users},${sessions}`,
        ),
      ].join('\n');
      const fathom = [
        'Timestamp,Browser,Pageviews,Visits',
        ...rows.map(
          ([day, of, visits, views]) => `2024-01-0${day + 1} 0${of}:00:00,B,${views},${visits}`,
        ),
      ].join('\n');
      for (const [adapter, file] of [
        [GOOGLE_ANALYTICS, textFile('a.csv', google, 17)],
        [FATHOM, textFile('Browsers.csv', fathom, 17)],
      ] as const) {
        const sums = (await rowsOf(adapter, [file])) as ImportedSum[];
        expect(sums.reduce((sum, { visitors }) => sum + visitors, 0)).toBe(total);
        for (const day of [1, 2, 3, 4]) {
          const ofDay = sums.filter(({ date }) => date === `2024-01-0${day}`);
          const expected = rows.filter(([of]) => of === day - 1);
          expect(ofDay.map(({ visitors }) => visitors)).toEqual(
            expected.map(([, , users]) => users),
          );
        }
      }
    }),
    tries(),
  );
});

test('a time means the same instant however it is written', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -840, max: 840 }), (at, minutes) => {
      const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const two = (number: number) => String(number).padStart(2, '0');
      const size = Math.abs(minutes);
      const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
      for (const written of [
        local + offset,
        `${local.replace('T', ' ')}${offset.replace(':', '')}`,
      ]) {
        expect(instant(PLACE, written, 'UTC')).toBe(at.getTime());
      }
      expect(instant(PLACE, at.toISOString().slice(0, -1), 'UTC')).toBe(at.getTime());
    }),
    tries(),
  );
  expect(instant(PLACE, '2024-07-01 12:00:00', 'Europe/Berlin')).toBe(Date.UTC(2024, 6, 1, 10));
  expect(instant(PLACE, '2024-07-01 12:00:00+02', 'UTC')).toBe(Date.UTC(2024, 6, 1, 10));
});

test('sessions are found again by their ids, whatever their number', () => {
  const columns = new Map(
    [...['session_id', 'browser', 'city'].entries()].map(([at, name]) => [name, at]),
  );
  const session = fc.tuple(fc.uuid(), fc.constantFrom('chrome', 'firefox', ''), fc.string());
  fc.assert(
    fc.property(fc.array(session, { maxLength: 3_000, size: 'max' }), (all) => {
      const sessions = new Sessions();
      const model = new Map<string, readonly [string, string]>();
      for (const [id, browser, city] of all) {
        sessions.add(new Row([id, browser, city], PLACE, columns));
        model.set(id, [browser, city]);
      }
      expect(sessions.count).toBe(model.size);
      for (const [id, [browser, city]] of model) {
        expect([sessions.text(id, 'browser'), sessions.text(id, 'city')]).toEqual([browser, city]);
      }
      expect(sessions.text('00000000-0000-0000-0000-00000000000g', 'city')).toBe('');
    }),
    tries(64),
  );
});
