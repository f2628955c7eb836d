/**
 * The life of a hit between the edge's checks and the log: ONE ordered list of steps.
 *
 * Data plane. A step may end the hit (it returns a drop reason) or fill fields of it in place; read
 * `listDrops` (`bot-filter.ts`) and `listFills` and you know what happens to a hit. All hits are of one
 * hidden class, made by `createHit`.
 */

import { assert } from '../base/assert.ts';
import { createHit } from '../model/blank-hit.ts';
import { type Hit, HitKind } from '../model/hit.ts';
import { DAY_MS, SESSION_GAP_MS, TITLE_LENGTH_MAX } from '../model/limits.ts';
import { AddressFilter, type ListedRanges } from './address-filter.ts';
import { type AgentProfile, AgentProfiles } from './agent/agent-profile.ts';
import { ClientHints, NO_BRAND } from './agent/client-hints.ts';
import { languageOf } from './agent/language.ts';
import { screenClassOf } from './agent/screen.ts';
import { listDrops } from './bot-filter.ts';
import type { ProgramKind } from './data/programs.ts';
import { readPageQuery } from './page/page-query.ts';
import type { PageUrl } from './page/page-url.ts';
import { cleanAddress } from './place/address.ts';
import type { Locate } from './place/locate.ts';
import type { RawHit } from './raw-hit.ts';
import { applyCampaign, applyClickId } from './source/campaign.ts';
import { Channels } from './source/channel.ts';
import { Referrers } from './source/referrer.ts';
import { type Draft, GO_ON, type HitInput, type Step, type StepRun } from './step.ts';
import { pairsOf } from './tags-and-metadata.ts';
import { cutText } from './text.ts';
import type { DayKeys } from './visitor/day-keys.ts';
import { utcDayIndex, VisitorIds } from './visitor/visitor.ts';

/** What the pipeline needs from outside. */
export interface PipelineOptions {
  locate: Locate;
  /** At least 16 secret bytes, the same on every node (I-30). */
  visitorKey: Uint8Array;
  /** Keys of the days (P-22); null: every day has that one. */
  dayKeys?: DayKeys | null;
  /** Addresses that the installation drops, and lets through (I-24); null: it names none. */
  addresses?: ListedRanges | null;
}

const ALL = [HitKind.PageView, HitKind.Event, HitKind.KeepAlive];
const WITH_PAGE = [HitKind.PageView, HitKind.Event];
const EVENT = [HitKind.Event];

const NO_PAGE: PageUrl = { hostname: '', path: '', search: '' };

/** Turns raw hits into hits. One per edge thread; not shared. */
export class Pipeline {
  /** Per kind the steps that work on it, in order. */
  readonly #runs: readonly (readonly StepRun[])[];
  /** The same without those that have nothing to say of a user agent which no rule speaks against. */
  readonly #runsOfPeople: readonly (readonly StepRun[])[];
  /** The same without the bot filter (I-59). */
  readonly #unfiltered: readonly (readonly StepRun[])[];
  readonly #hints = new ClientHints();
  readonly #addresses: AddressFilter;
  readonly #profiles: AgentProfiles;
  readonly #visitorIds: VisitorIds;
  #draft: Draft | null = null;
  // The hits of a visit often come in a row: the same address need not be read again.
  #lastIp = '';
  #lastAddress = '';

  constructor(options: PipelineOptions) {
    const visitorIds = new VisitorIds(options.visitorKey, options.dayKeys ?? null);
    this.#visitorIds = visitorIds;
    this.#profiles = new AgentProfiles(visitorIds);
    this.#addresses = new AddressFilter(options.addresses ?? null);
    const referrers = new Referrers();
    const drops = listDrops({ referrers, addresses: this.#addresses });
    const fills = listFills({ hints: this.#hints, referrers, visitorIds, locate: options.locate });
    // Drops come first: what is dropped costs nothing more.
    this.#runs = runsByKind([...drops, ...fills]);
    const ofPeople = drops.filter((step) => step.isOfAgent === undefined);
    this.#runsOfPeople = runsByKind([...ofPeople, ...fills]);
    this.#unfiltered = runsByKind(fills);
  }

  /**
   * Enriches one hit.
   *
   * @returns the hit, or the index of the drop reason in `DROP_REASONS`.
   * @throws DAY_KEY_MISSING when days have keys and that of the hit has none yet.
   * @cost 1 to 3 µs when user agent, referrer and address are known.
   */
  run(input: HitInput): Hit | number {
    const draft = this.#fill(input);
    const runs = this.#runsFor(input.raw, draft.profile)[input.kind]!;
    const hit = createHit(input.kind, input.timeMs);
    for (let index = 0; index < runs.length; index++) {
      const reason = runs[index]!(hit, draft);
      if (reason !== GO_ON) return reason;
    }
    return hit;
  }

  /** Name of the program that a user agent belongs to; '' when it is not known. Of dropped hits only. */
  botOf(userAgent: string): string {
    return this.#profiles.programOf(userAgent);
  }

  /** The kind of a program that {@link botOf} names. */
  kindOfBot(name: string): ProgramKind {
    return this.#profiles.kindOf(name);
  }

  /** Takes other address lists of the installation, from the next hit on. */
  replaceAddresses(addresses: ListedRanges | null): void {
    this.#addresses.replace(addresses);
  }

  /** Forgets what was derived from keys of days (P-22). */
  forgetDays(): void {
    this.#visitorIds.forgetDays();
  }

  #runsFor(raw: RawHit, profile: AgentProfile): readonly (readonly StepRun[])[] {
    if (raw.disable_bot_filter === true) return this.#unfiltered;
    return profile.isSuspect ? this.#runs : this.#runsOfPeople;
  }

  #addressOf(ip: string): string {
    if (ip !== this.#lastIp) {
      this.#lastIp = ip;
      this.#lastAddress = cleanAddress(ip);
    }
    return this.#lastAddress;
  }

  #fill(input: HitInput): Draft {
    assert(
      input.page !== null || input.kind === HitKind.KeepAlive,
      'only a keep-alive has no page',
    );
    const page = input.page ?? NO_PAGE;
    const query = readPageQuery(page.search);
    const address = this.#addressOf(input.raw.ip);
    const profile = this.#profiles.of(input.raw.user_agent);
    // I-27: of a keep-alive it is not asked.
    const isAlone = input.kind === HitKind.KeepAlive;
    const brand = isAlone ? NO_BRAND : this.#hints.brandOf(input.raw.sec_ch_ua);
    const draft = this.#draft;
    if (draft === null) {
      const { raw, site, requestVerdict } = input;
      this.#draft = { raw, page, site, query, address, profile, brand, requestVerdict };
      return this.#draft;
    }
    draft.raw = input.raw;
    draft.page = page;
    draft.site = input.site;
    draft.query = query;
    draft.address = address;
    draft.profile = profile;
    draft.brand = brand;
    draft.requestVerdict = input.requestVerdict;
    return draft;
  }
}

function runsByKind(steps: readonly Step[]): StepRun[][] {
  return ALL.map((kind) =>
    steps.filter((step) => step.kinds.includes(kind)).map((step) => step.run),
  );
}

/** What the steps that fill a hit ask. */
interface FillSources {
  hints: ClientHints;
  referrers: Referrers;
  visitorIds: VisitorIds;
  locate: Locate;
}

/** What fills the hit, in order. */
function listFills({ hints, referrers, visitorIds, locate }: FillSources): readonly Step[] {
  const channels = new Channels();
  return [
    { name: 'visitor', kinds: ALL, run: visitorStep(visitorIds) },
    { name: 'page', kinds: WITH_PAGE, run: putPage },
    {
      name: 'place',
      kinds: WITH_PAGE,
      run: (hit, draft) => {
        const place = locate(draft.address);
        hit.country = place.country;
        hit.region = place.region;
        hit.city = place.city;
        return GO_ON;
      },
    },
    {
      name: 'agent',
      kinds: WITH_PAGE,
      run: (hit, draft) => {
        hints.apply(hit, draft.raw, draft.profile, draft.brand);
        return GO_ON;
      },
    },
    { name: 'language and screen', kinds: WITH_PAGE, run: putLanguageAndScreen },
    { name: 'campaign', kinds: WITH_PAGE, run: putCampaign },
    {
      name: 'referrer',
      kinds: WITH_PAGE,
      run: (hit, draft) => {
        referrers.apply(hit, draft.raw, draft.query, draft.site);
        return GO_ON;
      },
    },
    { name: 'click id', kinds: WITH_PAGE, run: putClickId },
    {
      name: 'channel',
      kinds: WITH_PAGE,
      run: (hit) => {
        channels.apply(hit);
        return GO_ON;
      },
    },
    { name: 'tags and metadata', kinds: WITH_PAGE, run: putPairs },
    { name: 'event', kinds: EVENT, run: putEvent },
  ];
}

/** The visitor's id of the hit's day; in its first half hour also that of the day before (I-46). */
function visitorStep(ids: VisitorIds): StepRun {
  return (hit, draft) => {
    const dayIndex = utcDayIndex(hit.timeMs);
    const id = ids.id(draft.profile, draft.address, draft.site.domainId, dayIndex);
    hit.visitorLow = id[0]!;
    hit.visitorHigh = id[1]!;
    // A session of yesterday can be live only this long: past it, its id is of no use (I-40).
    if (hit.timeMs - dayIndex * DAY_MS < SESSION_GAP_MS) {
      ids.id(draft.profile, draft.address, draft.site.domainId, dayIndex - 1);
      hit.previousLow = id[0]!;
      hit.previousHigh = id[1]!;
    }
    return GO_ON;
  };
}

function putPage(hit: Hit, draft: Draft): number {
  const title = draft.raw.title;
  hit.path = draft.page.path;
  hit.hostname = draft.page.hostname;
  if (title !== null && title !== undefined) hit.title = cutText(title, TITLE_LENGTH_MAX);
  return GO_ON;
}

function putLanguageAndScreen(hit: Hit, draft: Draft): number {
  hit.language = languageOf(draft.raw.accept_language);
  hit.screenClass = screenClassOf(draft.raw);
  return GO_ON;
}

function putCampaign(hit: Hit, draft: Draft): number {
  applyCampaign(hit, draft.query);
  return GO_ON;
}

function putClickId(hit: Hit, draft: Draft): number {
  applyClickId(hit, draft.query);
  return GO_ON;
}

function putPairs(hit: Hit, draft: Draft): number {
  hit.pairs = pairsOf(draft.raw, hit.kind);
  return GO_ON;
}

/** I-52, I-53. */
function putEvent(hit: Hit, draft: Draft): number {
  hit.eventName = (draft.raw.event_name ?? '').trim();
  hit.eventDurationSeconds = Math.floor(draft.raw.event_duration ?? 0);
  hit.nonInteractive = draft.raw.non_interactive === true;
  const { webhooks } = draft.site;
  if (webhooks !== null) putWebhooks(hit, draft.raw, webhooks);
  return GO_ON;
}

/** to whom the event is told stands in the log, so that a replay says the same. */
function putWebhooks(hit: Hit, { tags }: RawHit, webhooks: ReadonlyMap<string, string>): void {
  const told = webhooks.get(hit.eventName);
  if (told === undefined) return;
  hit.webhooks = told;
  if (tags !== undefined && tags !== null) hit.sentTags = JSON.stringify(tags);
}

/** Any number that is no small integer. */
const LARGE = 2 ** 32 - 1;

/**
 * A hit of large numbers, made before all others and kept, whose hidden class all hits share.
 *
 * The engine widens a field when the first large number comes along, and hits made before are then
 * of another class; it also forgets a class of which no object is left.
 */
export const LARGEST_HIT: Readonly<Hit> = createLargestHit();

function createLargestHit(): Hit {
  const hit = createHit(0, LARGE);
  hit.visitorLow = LARGE;
  hit.visitorHigh = LARGE;
  hit.previousLow = LARGE;
  hit.previousHigh = LARGE;
  hit.eventDurationSeconds = LARGE;
  hit.pairs = ['key', 'value'];
  return hit;
}
