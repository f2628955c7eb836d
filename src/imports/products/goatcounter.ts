/**
 * GoatCounter: the CSV export of all page views, version 2.
 *
 * The first name of the table begins with the version, and the product's own documentation asks
 * everybody to check it: what another version means is not known. The referrer has a scheme beside
 * it that says whether it is an address, a name that was given to one, or the text of a campaign.
 */

import { type Adapter, type ImportedHit, ImportFault, type Place } from '../adapter.ts';
import { browserVersioned, systemNamed } from '../source/agent-names.ts';
import { type Row, readTable } from '../source/table.ts';
import { instant, known, screenWidth } from '../source/values.ts';

const VERSION = '2';
const FIRST_NAME = /^(\d+),?Path$/;
const NAMES = [
  ...['path', 'title', 'event', 'browser', 'system', 'session', 'bot', 'referrer'],
  ...['referrerscheme', 'screensize', 'location', 'date'],
];

export const GOATCOUNTER: Adapter = {
  name: 'goatcounter',
  title: 'GoatCounter',
  gives: 'hits',
  isPersonal: true,
  recognises: (files) => files.some(({ head }) => isExport(head)),
  async *read(files) {
    for (const file of files) {
      if (!/\.csv$/i.test(file.name)) continue;
      const place = { file: file.name, line: 1 };
      const nameOf = (typed: string) => nameWithoutVersion(place, typed);
      for await (const rows of readTable(file, { required: NAMES, nameOf })) {
        yield rows.filter((row) => row.text('bot') === '0').map(hitOf);
      }
    }
  },
};

function isExport(head: string): boolean {
  return /^"?\d+,?Path"?,Title,Event,/.test(head);
}

/** @throws ImportFault when the version is another one. */
function nameWithoutVersion(place: Place, typed: string): string {
  const version = FIRST_NAME.exec(typed.trim())?.[1];
  if (version !== undefined && version !== VERSION) {
    const expected = `version ${VERSION} of the export, as GoatCounter 2.0 and later write it`;
    throw new ImportFault(place, expected, `version ${version}`);
  }
  return typed
    .toLowerCase()
    .replace(/^\d+,?/, '')
    .replaceAll(/[^a-z]/g, '');
}

function hitOf(row: Row): ImportedHit {
  const { place } = row;
  const path = row.text('path');
  const isEvent = flag(row, 'event');
  const browser = browserVersioned(row.text('browser'));
  const system = systemNamed(row.text('system'));
  const location = row.text('location');
  const session = row.text('session');
  if (session === '') throw row.fault("the session's id under 'Session'", session);
  return {
    kind: isEvent ? 'event' : 'view',
    at: instant(place, row.text('date'), 'UTC'),
    visitor: session,
    // The path of an event is its name; the page is not in the export.
    path: isEvent ? '/' : path,
    eventName: isEvent ? path : undefined,
    title: known(row.text('title')),
    ...sourceOf(row),
    browser: browser.name,
    browserVersion: browser.version,
    os: system.name,
    osVersion: system.version,
    country: known(location.slice(0, 2)),
    region: location.includes('-') ? location : undefined,
    screenWidth: screenWidth(row.text('screensize')),
    place,
  };
}

function sourceOf(row: Row): Pick<ImportedHit, 'referrer' | 'utmCampaign'> {
  const text = known(row.text('referrer'));
  return row.text('referrerscheme') === 'c' ? { utmCampaign: text } : { referrer: text };
}

function flag(row: Row, name: string): boolean {
  const text = row.text(name);
  if (text !== 'true' && text !== 'false') throw row.fault(`true or false under '${name}'`, text);
  return text === 'true';
}
