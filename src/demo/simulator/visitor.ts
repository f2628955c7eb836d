/**
 * One visitor and one visit: who comes, and the steps of the visit as requests to collect.
 *
 * Control plane, pure: everything random comes from the seeded stream. A visit is planned whole when
 * it begins. Its first step is a page view, so that no event ever opens a session (I-50) and page
 * views sent are page views counted.
 */
import { BOT_USER_AGENTS, type Device, pickDevice } from './devices.ts';
import { addressIn, PLACES, type Place } from './places.ts';
import type { Seeded } from './seeded.ts';
import type { Page, SiteProfile, Source } from './site.ts';

/** Page views of one visit; with `VISIT_COUNT_MAX` a visitor stays below the cap of I-49. */
export const VISIT_VIEWS_MAX = 12;
/** Visits of one visitor. */
export const VISIT_COUNT_MAX = 12;
/** Silence after which a page that is still open reports itself alive. */
const KEEP_ALIVE_SECONDS = 60;
/** Reading time is at most this, far below the session gap (I-40). */
const DWELL_SECONDS_MAX = 600;

/** Which collection endpoint a step is for. */
export type StepKind = 'hit' | 'event' | 'session';

/** A request body of the collection endpoints in the words of the interface. */
export type StepBody = Readonly<Record<string, unknown>>;

/** One request of a visit. */
export interface Step {
  kind: StepKind;
  /** When it happens, since the start of the visit, in the visitor's own time. */
  atMs: number;
  body: StepBody;
}

/** A person on a site, or a bot. */
export interface Visitor {
  place: Place;
  device: Device;
  address: string;
  language: string;
  isBot: boolean;
  visits: number;
}

/** A visit as planned: its steps are in order of time and the first is at 0. */
export interface Visit {
  visitor: Visitor;
  steps: readonly Step[];
}

/**
 * Somebody who was never there before.
 *
 * @param ordinal how many visitors the site has had before.
 */
export function newVisitor(site: SiteProfile, random: Seeded, ordinal: number): Visitor {
  const place = PLACES[random.weighted(site.countries)] ?? (PLACES['us'] as Place);
  const isBot = random.happens(site.botChance);
  const device = pickDevice(random);
  return {
    place,
    device: isBot ? asBot(device, random) : device,
    address: addressIn(place, random, ordinal),
    language: random.weighted(place.languages),
    isBot,
    visits: 0,
  };
}

function asBot(device: Device, random: Seeded): Device {
  return { ...device, userAgent: random.pick(BOT_USER_AGENTS), clientHints: null };
}

/** Plans one visit and counts it for the visitor. */
export function planVisit(site: SiteProfile, visitor: Visitor, random: Seeded): Visit {
  visitor.visits++;
  const source = random.weighted(site.sources);
  const steps: Step[] = [];
  let name = random.weighted(site.entries);
  let atMs = 0;
  for (let view = 0; view < VISIT_VIEWS_MAX && name !== ''; view++) {
    const page = site.pages[name] as Page;
    const ordinal = random.popular(page.variants) + 1;
    const shown = describe(site, page, { ordinal, view, source, random });
    const dwellMs = Math.min(random.wait(page.dwellSeconds), DWELL_SECONDS_MAX) * 1_000 + 800;
    steps.push({ kind: 'hit', atMs, body: pageViewBody(visitor, shown) });
    if (view > 0 && random.happens(0.04)) {
      steps.push({ kind: 'hit', atMs: atMs + dwellMs * 0.1, body: pageViewBody(visitor, shown) });
    }
    addActions(steps, { page, visitor, shown, atMs, dwellMs, random });
    addKeepAlives(steps, { visitor, shown, atMs, dwellMs });
    atMs += dwellMs;
    name = view === 0 && random.happens(site.bounceChance) ? '' : random.weighted(page.next);
  }
  steps.sort((left, right) => left.atMs - right.atMs);
  return { visitor, steps };
}

interface ShownPage {
  url: string;
  title: string;
  referrer: string;
}

function describe(
  site: SiteProfile,
  page: Page,
  visit: { ordinal: number; view: number; source: Source; random: Seeded },
): ShownPage {
  const { ordinal, view, source, random } = visit;
  const isEntry = view === 0;
  const campaign = source.campaign.replace('#', String(1 + random.below(4)));
  const query = isEntry && campaign !== '' ? `?${campaign}` : '';
  const path = page.path.replace('#', String(ordinal));
  return {
    url: `https://${site.hostname}${path}${query}`,
    title: page.title.replace('#', String(ordinal)),
    referrer: isEntry ? source.referrer : `https://${site.hostname}/`,
  };
}

function addActions(
  steps: Step[],
  context: {
    page: Page;
    visitor: Visitor;
    shown: ShownPage;
    atMs: number;
    dwellMs: number;
    random: Seeded;
  },
): void {
  const { page, visitor, shown, atMs, dwellMs, random } = context;
  for (const { name, chance, meta, nonInteractive } of page.actions) {
    if (!random.happens(chance)) continue;
    const offsetMs = dwellMs * (0.2 + 0.7 * random.next());
    const body = {
      ...pageViewBody(visitor, shown),
      event_name: name,
      event_duration: Math.floor(offsetMs / 1_000),
      event_meta: meta(random),
      non_interactive: nonInteractive,
    };
    steps.push({ kind: 'event', atMs: atMs + offsetMs, body });
  }
}

function addKeepAlives(
  steps: Step[],
  context: { visitor: Visitor; shown: ShownPage; atMs: number; dwellMs: number },
): void {
  const { visitor, shown, atMs, dwellMs } = context;
  const body = { ...visitorFields(visitor), url: shown.url };
  for (let ms = KEEP_ALIVE_SECONDS * 1_000; ms < dwellMs; ms += KEEP_ALIVE_SECONDS * 1_000) {
    steps.push({ kind: 'session', atMs: atMs + ms, body });
  }
}

function pageViewBody(visitor: Visitor, shown: ShownPage): StepBody {
  const { device, language } = visitor;
  return {
    ...visitorFields(visitor),
    url: shown.url,
    title: shown.title,
    ...(shown.referrer === '' ? {} : { referrer: shown.referrer }),
    accept_language: language,
    screen_width: device.screenWidth,
    screen_height: device.screenHeight,
  };
}

function visitorFields({ address, device }: Visitor): StepBody {
  const { userAgent, clientHints } = device;
  if (clientHints === null) return { ip: address, user_agent: userAgent };
  return {
    ip: address,
    user_agent: userAgent,
    sec_ch_ua: clientHints.brands,
    sec_ch_ua_mobile: clientHints.mobile,
    sec_ch_ua_platform: clientHints.platform,
    sec_ch_ua_platform_version: clientHints.platformVersion,
  };
}
