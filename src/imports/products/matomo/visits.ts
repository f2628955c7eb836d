/**
 * Matomo: visits with all that was done in them, as `Live.getLastVisitsDetails` answers them in
 * JSON.
 *
 * Page views and site searches become views, events and downloads and outlinks become events. The
 * address of the visitor is in the file; it is not looked at.
 */

import { type Adapter, type ImportedHit, ImportFault } from '../../adapter.ts';
import { browserNamed, deviceNamed, isUnknown, systemNamed } from '../../source/agent-names.ts';
import { type Entry, entriesOf } from '../../source/json.ts';
import { known, languageCode, screenWidth } from '../../source/values.ts';
import { campaignIn } from '../campaign.ts';
import { fieldsOf, listOf, refuseError, textIn } from './fields.ts';

type Fields = Readonly<Record<string, unknown>>;
/** What a hit has of its visit. */
type OfVisit = Omit<ImportedHit, 'kind' | 'at' | 'path' | 'place'>;

/** What Matomo calls what was done, and what it is here; the rest, as goals and orders, is no hit. */
const EVENTS: Readonly<Record<string, string>> = {
  download: 'Download',
  outlink: 'Outlink',
  event: '',
};

export const MATOMO_VISITS: Adapter = {
  name: 'matomo-visits',
  title: 'Matomo (visits)',
  gives: 'hits',
  isPersonal: true,
  recognises: (files) =>
    files.some(({ head }) => /^\s*\[\s*\{/.test(head) && /"idVisit"\s*:/.test(head)),
  async *read(files) {
    for (const file of files) {
      if (!/\.json$/i.test(file.name)) continue;
      for await (const entries of entriesOf(file)) {
        yield entries.flatMap(hitsOf);
      }
    }
  },
};

function hitsOf(entry: Entry): ImportedHit[] {
  const { place } = entry;
  refuseError(entry);
  const visit = fieldsOf(entry.value);
  if (typeof entry.key !== 'number' || visit === null || !Array.isArray(visit['actionDetails'])) {
    throw new ImportFault(place, `a visit with 'actionDetails' as entry ${entry.number}`);
  }
  const ofVisit = visitOf(visit, entry);
  const hits: ImportedHit[] = [];
  for (const action of listOf(visit['actionDetails'])) {
    const hit = hitOf(action, { entry, ofVisit, isFirst: hits.length === 0 });
    if (hit !== null) hits.push(hit);
  }
  return hits;
}

function visitOf(visit: Fields, { place, number }: Entry): OfVisit {
  const text = (name: string) => textIn(visit, name);
  const visitor = text('visitorId') || text('fingerprint');
  if (visitor === '') throw new ImportFault(place, `'visitorId' in the visit of entry ${number}`);
  const country = text('countryCode');
  const system = systemNamed(text('operatingSystemName') || text('operatingSystem'));
  return {
    visitor,
    language: languageCode(text('languageCode')),
    country: country === 'xx' ? undefined : known(country),
    region: placeName(text('region')),
    city: placeName(text('city')),
    browser: browserNamed(text('browserName')),
    browserVersion: version(text('browserVersion')),
    os: system.name,
    osVersion: version(text('operatingSystemVersion')),
    device: deviceNamed(text('deviceType')),
    screenWidth: screenWidth(text('resolution')),
  };
}

function hitOf(
  action: Fields,
  { entry, ofVisit, isFirst }: { entry: Entry; ofVisit: OfVisit; isFirst: boolean },
): ImportedHit | null {
  const type = textIn(action, 'type');
  const eventName = EVENTS[type];
  if (eventName === undefined && type !== 'action' && type !== 'search') return null;
  const url = textIn(action, 'url');
  const { hostname, path, query } = parted(url);
  return {
    ...ofVisit,
    ...(eventName === undefined
      ? { kind: 'view', title: known(textIn(action, 'pageTitle')) }
      : eventOf(action, eventName, url)),
    at: secondsOf(action, entry) * 1_000,
    // Of a click out of the site, the address is another site's.
    ...(type === 'outlink' || type === 'download' ? { path: '/' } : { hostname, path }),
    // Where somebody came from belongs to the first hit of a visit.
    ...(isFirst ? { ...sourceOf(fieldsOf(entry.value) as Fields), ...campaignIn(query) } : {}),
    place: entry.place,
  };
}

function eventOf(action: Fields, name: string, url: string): Pick<ImportedHit, 'kind'> & OfEvent {
  if (name !== '') return { kind: 'event', eventName: name, eventMeta: url === '' ? {} : { url } };
  const text = (field: string) => textIn(action, field);
  const meta = {
    category: text('eventCategory'),
    name: text('eventName'),
    value: text('eventValue'),
  };
  return {
    kind: 'event',
    eventName: text('eventAction'),
    eventMeta: Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== '')),
  };
}

type OfEvent = Pick<ImportedHit, 'eventName' | 'eventMeta'>;

function sourceOf(visit: Fields): Partial<ImportedHit> {
  const referrer = known(textIn(visit, 'referrerUrl'));
  if (textIn(visit, 'referrerType') !== 'campaign') return { referrer };
  return {
    referrer,
    utmCampaign: known(textIn(visit, 'campaignName')) ?? known(textIn(visit, 'referrerName')),
    utmSource: known(textIn(visit, 'campaignSource')),
    utmMedium: known(textIn(visit, 'campaignMedium')),
    utmContent: known(textIn(visit, 'campaignContent')),
    utmTerm: known(textIn(visit, 'campaignKeyword')) ?? known(textIn(visit, 'referrerKeyword')),
  };
}

function secondsOf(action: Fields, { place, number }: Entry): number {
  const seconds = Number(textIn(action, 'timestamp') || Number.NaN);
  if (Number.isInteger(seconds) && seconds > 0 && seconds < 1e11) return seconds;
  const expected = `seconds since 1970 under 'timestamp' in each action of entry ${number}`;
  throw new ImportFault(place, expected, textIn(action, 'timestamp'));
}

function parted(url: string): { hostname: string | undefined; path: string; query: string } {
  const parts = /^(?:[a-z]+:)?\/\/([^/?#:]+)(?::\d+)?([^?#]*)(?:\?([^#]*))?/i.exec(url);
  if (parts === null) return { hostname: undefined, path: url === '' ? '/' : url, query: '' };
  return { hostname: parts[1], path: parts[2] || '/', query: parts[3] ?? '' };
}

function version(text: string): string | undefined {
  return isUnknown(text) ? undefined : text;
}

function placeName(text: string): string | undefined {
  return isUnknown(text) ? undefined : text;
}
