/**
 * Simple Analytics: the export of raw data points as CSV.
 *
 * Who exports chooses the fields. Needed are the time, the path and the session, which alone tells
 * visitors apart; the rest is taken where it is there. Robots are left out.
 */

import type { Adapter, ImportedHit } from '../adapter.ts';
import { browserNamed, deviceNamed, systemNamed } from '../source/agent-names.ts';
import { type Row, readTable } from '../source/table.ts';
import { instant, known, screenWidth } from '../source/values.ts';
import { campaignOf } from './campaign.ts';

const NAMES = ['added_iso', 'path', 'session_id'];

export const SIMPLE_ANALYTICS: Adapter = {
  name: 'simple-analytics',
  title: 'Simple Analytics',
  gives: 'hits',
  isPersonal: true,
  recognises: (files) => files.some(({ head }) => /^[^\n]*\badded_iso\b/.test(head)),
  async *read(files, { timezone }) {
    for (const file of files) {
      if (!/\.csv$/i.test(file.name)) continue;
      for await (const rows of readTable(file, { required: NAMES })) {
        const people = rows.filter((row) => row.text('is_robot') !== 'true');
        yield people.map((row) => hitOf(row, timezone));
      }
    }
  },
};

function hitOf(row: Row, timezone: string): ImportedHit {
  const { place } = row;
  const point = row.text('datapoint');
  const isEvent = point !== '' && point !== 'pageview';
  const system = systemNamed(row.text('os_name'));
  const visitor = row.text('session_id');
  if (visitor === '') throw row.fault("an id under 'session_id'", visitor);
  return {
    kind: isEvent ? 'event' : 'view',
    at: instant(place, row.text('added_iso'), timezone),
    visitor,
    hostname: known(row.text('hostname')),
    path: row.text('path'),
    eventName: isEvent ? point : undefined,
    referrer: known(row.text('document_referrer')),
    language: known(row.text('lang_language')),
    country: known(row.text('country_code')),
    browser: browserNamed(row.text('browser_name')),
    browserVersion: known(row.text('browser_version')),
    os: system.name,
    osVersion: known(row.text('os_version')) ?? system.version,
    device: deviceNamed(row.text('device_type')),
    screenWidth: screenWidth(row.text('screen_width')),
    userAgent: known(row.text('user_agent')),
    ...campaignOf(row, row.text('query')),
    place,
  };
}
