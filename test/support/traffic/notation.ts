/**
 * The notation of the worked examples (`src/docs/semantics-examples.md`): read it, print it, send it.
 *
 *   a 10:00:00 pv /?utm_source=nl {author=John} ; b 05-07 00:10 ka ; a 10:01 ev order @/shop {k=v} ni
 *
 * A visitor's letter stands for a person: an address and a user agent. Words after the path, in any
 * order: `{k=v,…}` tags or metadata, `ni` non_interactive, `ref=` referrer, `d=` event duration,
 * `w=` screen width, `lang=` Accept-Language, `t=` title, `host=` another host than the domain's,
 * `nofilter` disable_bot_filter. An `Item` is what is sent (`wireOf`) and what the oracle gets
 * (`modelHitOf`): the same thing twice, one raw and one derived by the tables of known.ts.
 */

import type { ModelHit } from '../oracle/world.ts';
import {
  type Acquisition,
  AGENTS,
  addressIn,
  type KnownAgent,
  knownAcquisition,
  LANGUAGES,
  SCREEN_WIDTHS,
} from './known.ts';
import { addressAt, type Place } from './place-database.ts';

export type ItemKind = 'pv' | 'ev' | 'ka';

export interface Person {
  /** The letter of the notation. */
  name: string;
  address: string;
  place: Place;
  agent: KnownAgent;
}

export interface Item {
  kind: ItemKind;
  person: Person;
  timeMs: number;
  /** '' is the domain's own host. */
  host: string;
  path: string;
  acquisition: Acquisition;
  title: string;
  eventName: string;
  /** Tags of a page view, metadata of an event. */
  pairs: Readonly<Record<string, string>>;
  nonInteractive: boolean;
  durationSeconds: number;
  /** A key of `LANGUAGES`. */
  acceptLanguage: string;
  /** A key of `SCREEN_WIDTHS`. */
  screenWidth: number;
  disableBotFilter: boolean;
}

/** The persons of one example: a new letter gets the next unused address. */
export class Cast {
  private readonly people = new Map<string, Person>();

  /** Gives a letter properties of its own before it is used; country '' is unknown. */
  add(name: string, country: string, agent: KnownAgent = AGENTS[0] as KnownAgent): Person {
    const address = addressIn(country, this.people.size);
    return this.put({ name, address, place: { country, region: '', city: '' }, agent });
  }

  /** As `add`, at a place that only the database of `placesDatabase` knows. */
  addAt(name: string, place: Place, agent: KnownAgent = AGENTS[0] as KnownAgent): Person {
    return this.put({ name, address: addressAt(place, this.people.size), place, agent });
  }

  private put(person: Person): Person {
    this.people.set(person.name, person);
    return person;
  }

  /** The person of a letter; new ones are German and use the first agent of the table. */
  get(name: string): Person {
    return this.people.get(name) ?? this.add(name, 'de');
  }
}

const DEFAULT_DATE = '05-06';
const YEAR = '2024';

/** Every item of a text in the notation, in its order. @throws Error naming the item it cannot read. */
export function parseNotation(text: string, cast: Cast = new Cast()): Item[] {
  return text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => parseItem(part, cast));
}

function parseItem(text: string, cast: Cast): Item {
  const words = text.split(/\s+/);
  const next = (): string => {
    const word = words.shift();
    if (word === undefined) throw new Error(`'${text}' ends too early`);
    return word;
  };
  const person = cast.get(next());
  let clock = next();
  let date = DEFAULT_DATE;
  if (/^\d\d-\d\d$/.test(clock)) {
    date = clock;
    clock = next();
  }
  const timeMs = parseInstant(date, clock);
  const kind = next();
  if (kind !== 'pv' && kind !== 'ev' && kind !== 'ka') throw new Error(`'${text}': kind ${kind}?`);
  const eventName = kind === 'ev' ? next() : '';
  const address = kind === 'ka' ? '/' : next().replace(/^@/, '');
  const [path = '', query = ''] = address.split('?');
  const options = parseOptions(words, text);
  return {
    ...{ kind, person, timeMs, host: options.host ?? '', path, eventName },
    acquisition: knownAcquisition(query, options.ref ?? ''),
    title: options.t ?? '',
    pairs: parsePairs(options.pairs ?? ''),
    nonInteractive: options.ni === 'true',
    durationSeconds: Number(options.d ?? '0'),
    acceptLanguage: options.lang ?? '',
    screenWidth: Number(options.w ?? '0'),
    disableBotFilter: options.nofilter === 'true',
  };
}

function parseInstant(date: string, clock: string): number {
  const parts = clock.split(':');
  if (parts.length === 2) parts.push('00');
  const timeMs = Date.parse(`${YEAR}-${date}T${parts.join(':')}Z`);
  if (Number.isNaN(timeMs)) throw new Error(`'${date} ${clock}' is no time`);
  return timeMs;
}

function parseOptions(words: readonly string[], text: string): Record<string, string> {
  const options: Record<string, string> = {};
  for (const word of words) {
    const [key = '', ...rest] = word.split('=');
    if (word.startsWith('{') && word.endsWith('}')) options.pairs = word.slice(1, -1);
    else if (word === 'ni' || word === 'nofilter') options[word] = 'true';
    else if (['ref', 'd', 'w', 'lang', 't', 'host'].includes(key)) options[key] = rest.join('=');
    else throw new Error(`'${text}': what is ${word}?`);
  }
  return options;
}

function parsePairs(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [key, value.join('=')];
    }),
  );
}

/** One item in the notation, with the year only where it is not 2024. */
export function printItem(item: Item): string {
  const iso = new Date(item.timeMs).toISOString();
  const clock = iso.endsWith('.000Z') ? iso.slice(11, 19) : iso.slice(11, 23);
  const date = iso.startsWith(YEAR) ? iso.slice(5, 10) : iso.slice(0, 10);
  const { acquisition } = item;
  const query = acquisition.query === '' ? '' : `?${acquisition.query}`;
  const pairs = Object.entries(item.pairs).map(([key, value]) => `${key}=${value}`);
  const words = [item.person.name, date, clock, item.kind];
  if (item.kind === 'ev') words.push(item.eventName, `@${item.path}${query}`);
  if (item.kind === 'pv') words.push(`${item.path}${query}`);
  if (pairs.length > 0) words.push(`{${pairs.join(',')}}`);
  if (item.nonInteractive) words.push('ni');
  if (acquisition.sent !== '') words.push(`ref=${acquisition.sent}`);
  if (item.durationSeconds !== 0) words.push(`d=${item.durationSeconds}`);
  if (item.screenWidth !== 0) words.push(`w=${item.screenWidth}`);
  if (item.acceptLanguage !== '') words.push(`lang=${item.acceptLanguage.replaceAll(' ', '')}`);
  if (item.title !== '') words.push(`t=${item.title}`);
  if (item.host !== '') words.push(`host=${item.host}`);
  if (item.disableBotFilter) words.push('nofilter');
  return words.join(' ');
}

/** The page's address as sent; `https://own/` in a referrer is the domain's own host. */
function addressOf(item: Item, hostname: string): string {
  const { query } = item.acquisition;
  const host = item.host === '' ? hostname : item.host;
  return `https://${host}${item.path}${query === '' ? '' : `?${query}`}`;
}

/** The item as a batch endpoint takes it; optional fields only where they say something. */
export function wireOf(item: Item, hostname: string): Record<string, unknown> {
  const wire: Record<string, unknown> = {
    ip: item.person.address,
    user_agent: item.person.agent.userAgent,
    time: new Date(item.timeMs).toISOString(),
  };
  if (item.disableBotFilter) wire.disable_bot_filter = true;
  const { modelHint } = item.person.agent;
  if (modelHint !== '') wire.sec_ch_ua_model = modelHint;
  if (item.kind === 'ka') return wire;
  wire.url = addressOf(item, hostname);
  if (item.title !== '') wire.title = item.title;
  if (item.acquisition.sent !== '') {
    wire.referrer = item.acquisition.sent.replace('https://own/', `https://${hostname}/`);
  }
  if (item.acceptLanguage !== '') wire.accept_language = item.acceptLanguage;
  if (item.screenWidth !== 0) wire.screen_width = item.screenWidth;
  if (item.kind === 'pv') {
    if (Object.keys(item.pairs).length > 0) wire.tags = item.pairs;
    return wire;
  }
  wire.event_name = item.eventName;
  wire.event_meta = item.pairs;
  if (item.durationSeconds !== 0) wire.event_duration = item.durationSeconds;
  if (item.nonInteractive) wire.non_interactive = true;
  return wire;
}

const ENDPOINTS = { pv: 'hit', ev: 'event', ka: 'session' } as const;

/** The collection endpoint of an item, without `/batch`. */
export function endpointOf(item: Item): 'hit' | 'event' | 'session' {
  return ENDPOINTS[item.kind];
}

/** The item as the oracle takes it: everything derived already. */
export function modelHitOf(item: Item, hostname: string): ModelHit {
  const { person, acquisition } = item;
  const isForeign = item.kind !== 'ka' && item.host !== '' && item.host !== hostname;
  const botReason = item.disableBotFilter ? '' : person.agent.dropped;
  return {
    kind: item.kind,
    timeMs: item.timeMs,
    person: `${person.address} ${person.agent.userAgent}`,
    isForeign,
    botReason,
    path: item.path,
    title: item.title,
    pairs: item.pairs,
    eventName: item.eventName,
    eventDurationSeconds: Math.trunc(item.durationSeconds),
    nonInteractive: item.nonInteractive,
    dimensions: {
      country: person.place.country,
      region: person.place.region,
      city: person.place.city,
      language: LANGUAGES[item.acceptLanguage] ?? '',
      referrer: acquisition.referrer,
      referrerName: acquisition.referrerName,
      channel: acquisition.channel,
      os: person.agent.os,
      osVersion: person.agent.osVersion,
      browser: person.agent.browser,
      browserVersion: person.agent.browserVersion,
      device: person.agent.device,
      platform: person.agent.platform,
      screenClass: SCREEN_WIDTHS[item.screenWidth] ?? '',
      utmSource: acquisition.utmSource,
      utmMedium: acquisition.utmMedium,
      utmCampaign: acquisition.utmCampaign,
      utmContent: acquisition.utmContent,
      utmTerm: acquisition.utmTerm,
      hostname,
    },
  };
}

/**
 * Cuts a sequence into the batches that keep its order: a batch endpoint takes one kind only.
 *
 * @param items any kinds, in the order in which they are to arrive.
 */
export function runsOfOneKind(items: readonly Item[]): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === item.kind) last.push(item);
    else runs.push([item]);
  }
  return runs;
}
