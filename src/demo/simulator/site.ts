/**
 * What the simulator knows of a site, and the words in which the sites are written down.
 *
 * Control plane. A site is a graph of pages: where visitors enter, what they read next, how
 * long they stay, what they do there; beside it where they come from and at which hours.
 */
import type { Seeded, Weighted } from './seeded.ts';

/** Something a visitor does on a page; reported as an event. */
export interface PageAction {
  name: string;
  /** Probability per page view. */
  chance: number;
  /** Non-interactive events leave the bounce as it is (I-52). */
  nonInteractive: boolean;
  meta: (random: Seeded) => Record<string, string | number | boolean>;
}

/** A page of a site; `#` in path and title becomes a number below `variants`. */
export interface Page {
  path: string;
  title: string;
  variants: number;
  /** Mean seconds of reading. */
  dwellSeconds: number;
  /** Names of pages read next; the empty name is leaving. */
  next: Weighted<string>;
  actions: readonly PageAction[];
}

/** What brings a visitor: a referrer, a campaign, both or neither. */
export interface Source {
  /** '' is a direct visit. */
  referrer: string;
  /** Query string without `?`, '' for none. */
  campaign: string;
}

/** Everything the simulator knows of a site. */
export interface SiteProfile {
  hostname: string;
  timezone: string;
  /** Share of all traffic. */
  share: number;
  pages: Readonly<Record<string, Page>>;
  entries: Weighted<string>;
  sources: Weighted<Source>;
  countries: Weighted<string>;
  /** Probability that a visitor leaves after the first page. */
  bounceChance: number;
  /** Probability of a visitor who was there before. */
  returnChance: number;
  /** Probability that a visit is a bot's. */
  botChance: number;
  /** Relative traffic by local hour, 24 numbers with a maximum of 1. */
  dayCurve: readonly number[];
}

/** A page that is one of a kind, read for half a minute, unless told otherwise. */
export function page(path: string, title: string, fields: Partial<Page> = {}): Page {
  return { path, title, variants: 1, dwellSeconds: 30, next: [[1, '']], actions: [], ...fields };
}

/** Something to do on a page. */
export function action(
  name: string,
  chance: number,
  meta: PageAction['meta'] = () => ({}),
  nonInteractive = false,
): PageAction {
  return { name, chance, meta, nonInteractive };
}

/** Reading on: reported, but no interaction. */
export const scroll = action(
  'Scroll',
  0.35,
  (random) => ({ depth: random.pick([25, 50, 75, 100]) }),
  true,
);

/** A way to the site. */
export function source(referrer: string, campaign = ''): Source {
  return { referrer, campaign };
}
