/**
 * Hits of a source as hits of our own: by the steps that every hit goes through, and then what the
 * source knows better.
 *
 * The visitor's id is that of the source under our key (I-30): as little can be found from it as from
 * any other. What the bot filter drops of a source that has user agents is not imported.
 */
import type { ListedRanges } from '../../ingest/address-filter.ts';
import { parsePageUrl } from '../../ingest/page/page-url.ts';
import { hostnameAllowed, type Site } from '../../ingest/page/site.ts';
import { Pipeline } from '../../ingest/pipeline.ts';
import type { Locate } from '../../ingest/place/locate.ts';
import { NOWHERE } from '../../ingest/place/place.ts';
import type { RawHit } from '../../ingest/raw-hit.ts';
import { checkPairs } from '../../ingest/tags-and-metadata.ts';
import { cutText } from '../../ingest/text.ts';
import { utcDayIndex, VisitorIds } from '../../ingest/visitor/visitor.ts';
import { createHit } from '../../model/blank-hit.ts';
import { Platform } from '../../model/dimensions.ts';
import { type Hit, HitKind } from '../../model/hit.ts';
import {
  AGENT_FIELD_LENGTH_MAX,
  DAY_MS,
  INPUT_TEXT_LENGTH_MAX,
  PLACE_NAME_LENGTH_MAX,
  SESSION_GAP_MS,
} from '../../model/limits.ts';
import { type ImportedHit, ImportFault } from '../adapter.ts';

/** What ids of imported visitors begin with, so that none is that of a live one. */
const NAMESPACE = 'import:';
const COUNTRY = /^[a-z]{2}$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const HOST_FIRST = /^[^\s/]+\.[^\s/]+/;
const PLATFORMS = {
  desktop: Platform.Desktop,
  mobile: Platform.Mobile,
  tablet: Platform.Mobile,
} as const;

/** What hits of a source that has addresses are looked up in, as those of pages are. */
export interface Outside {
  /** Where an address is (I-87). */
  readonly locate: Locate;
  /** Addresses that the installation drops, and lets through (I-24); null: it names none. */
  readonly addresses: ListedRanges | null;
}

/** Makes hits for one domain. */
export class NativeHits {
  /** Of rows without an address; nobody is told of an event of last year. */
  readonly #site: Site;
  readonly #pipeline: Pipeline;
  /** Of rows with one. */
  readonly #siteOfAddresses: Site;
  readonly #pipelineOfAddresses: Pipeline;
  readonly #ids: VisitorIds;
  readonly #words = new Uint32Array(2);

  constructor(site: Site, visitorKey: Uint8Array, outside: Outside) {
    this.#siteOfAddresses = { ...site, webhooks: null };
    // Where any address is blocked, no address is (I-24): a source without them is not asked.
    this.#site = { ...this.#siteOfAddresses, addresses: null };
    this.#pipeline = new Pipeline({ locate: () => NOWHERE, visitorKey });
    this.#pipelineOfAddresses = new Pipeline({ ...outside, visitorKey });
    this.#ids = new VisitorIds(visitorKey);
  }

  /** @returns null: it is dropped, as a live one would be. @throws ImportFault. */
  of(row: ImportedHit): Hit | null {
    const kind = row.kind === 'event' ? HitKind.Event : HitKind.PageView;
    const raw = rawOf(row);
    const page = parsePageUrl(urlOf(row, this.#site.hostname));
    if (page === null) throw new ImportFault(row.place, 'a hostname and a path', row.hostname);
    if (checkPairs(raw, kind) !== null) return null;
    const hasAddress = row.address !== undefined;
    // A server may log all of its sites in one file (I-5).
    if (hasAddress && !hostnameAllowed(page.hostname, this.#site)) return null;
    const site = hasAddress ? this.#siteOfAddresses : this.#site;
    const pipeline = hasAddress ? this.#pipelineOfAddresses : this.#pipeline;
    const hit = pipeline.run({ kind, raw, page, site, timeMs: row.at, requestVerdict: 0 });
    if (typeof hit === 'number') return null;
    this.#putVisitor(hit, row.visitor);
    putKnown(hit, row);
    return hit;
  }

  #putVisitor(hit: Hit, visitor: string): void {
    const words = this.#words;
    this.#ids.digest(NAMESPACE + visitor, words);
    const digest = { digestLow: words[0] as number, digestHigh: words[1] as number };
    const { domainId } = this.#site;
    const day = utcDayIndex(hit.timeMs);
    const id = this.#ids.id(digest, NAMESPACE, domainId, day);
    hit.visitorLow = id[0] as number;
    hit.visitorHigh = id[1] as number;
    if (hit.timeMs - day * DAY_MS >= SESSION_GAP_MS) return;
    this.#ids.id(digest, NAMESPACE, domainId, day - 1);
    hit.previousLow = id[0] as number;
    hit.previousHigh = id[1] as number;
  }
}

function rawOf(row: ImportedHit): RawHit {
  const { referrer } = row;
  return {
    ip: row.address ?? '',
    user_agent: inputText(row.userAgent) ?? '',
    // Without a user agent there is nothing to tell a bot by; the source has done that.
    disable_bot_filter: row.userAgent === undefined,
    accept_language: inputText(row.language),
    title: inputText(row.title),
    referrer: referrer === undefined ? null : inputText(addressOf(referrer)),
    screen_width: row.screenWidth ?? null,
    tags: row.tags ?? null,
    event_name: inputText(row.eventName),
    event_duration: row.eventDuration ?? null,
    event_meta: row.eventMeta ?? null,
  };
}

/** As long as any text of a request may be: the rules that read it know no longer ones. */
function inputText(text: string | undefined): string | null {
  return text === undefined ? null : text.slice(0, INPUT_TEXT_LENGTH_MAX);
}

/** Some sources have hostnames where pages send addresses. */
function addressOf(referrer: string): string {
  return SCHEME.test(referrer) || !HOST_FIRST.test(referrer) ? referrer : `https://${referrer}`;
}

/** With the campaign in it, as a page of ours would have sent it. */
function urlOf(row: ImportedHit, ownHostname: string): string {
  const campaign = new URLSearchParams();
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== '') campaign.set(name, value);
  };
  add('utm_source', row.utmSource);
  add('utm_medium', row.utmMedium);
  add('utm_campaign', row.utmCampaign);
  add('utm_content', row.utmContent);
  add('utm_term', row.utmTerm);
  const own = row.path.slice(0, INPUT_TEXT_LENGTH_MAX);
  const path = own.startsWith('/') ? own : `/${own}`;
  const text = campaign.toString();
  const joint = path.includes('?') ? '&' : '?';
  return `https://${row.hostname || ownHostname}${path}${text === '' ? '' : joint + text}`;
}

/** What the source knows of place and program. */
function putKnown(hit: Hit, row: ImportedHit): void {
  const country = row.country?.toLowerCase() ?? '';
  if (COUNTRY.test(country)) hit.country = country;
  if (row.region) hit.region = cutText(row.region, PLACE_NAME_LENGTH_MAX);
  if (row.city) hit.city = cutText(row.city, PLACE_NAME_LENGTH_MAX);
  if (row.browser) hit.browser = cutText(row.browser, AGENT_FIELD_LENGTH_MAX);
  if (row.browserVersion) {
    hit.browserVersion = cutText(row.browserVersion, AGENT_FIELD_LENGTH_MAX);
  }
  if (row.os) hit.os = cutText(row.os, AGENT_FIELD_LENGTH_MAX);
  if (row.osVersion) hit.osVersion = cutText(row.osVersion, AGENT_FIELD_LENGTH_MAX);
  if (row.device === undefined) return;
  hit.platform = PLATFORMS[row.device];
  if (row.device === 'tablet') hit.device ||= 'Tablet';
}

/** What a hit has beside a blank one. */
export type PackedHit = Pick<Hit, 'kind' | 'timeMs'> & Partial<Hit>;

/** A hit as it is kept meanwhile: what it has beside a blank one. */
export function packHit(hit: Hit): PackedHit {
  const blank = createHit(hit.kind, hit.timeMs) as unknown as Record<string, unknown>;
  const packed: Record<string, unknown> = { kind: hit.kind, timeMs: hit.timeMs };
  for (const [name, value] of Object.entries(hit)) {
    if (value !== blank[name]) packed[name] = value;
  }
  return packed as PackedHit;
}

/** The hit that was packed. */
export function unpackHit(packed: PackedHit): Hit {
  return Object.assign(createHit(packed.kind, packed.timeMs), packed);
}
