/**
 * A page view or an event as a browser causes it, before anybody's interface gives it a form; and what
 * a site of the load is made of.
 *
 * Control plane: hits are made once, before a clock starts.
 */
import type { ClientHints, Device } from '../../demo/simulator/devices.ts';
import type { Seeded, Weighted } from '../../demo/simulator/seeded.ts';
import { addressPlaceholder } from './placeholders.ts';

/** One hit; `ip` is a placeholder, `path` and `title` may hold one. */
export interface LoadHit {
  readonly hostname: string;
  /** With the query. */
  readonly path: string;
  readonly title: string;
  /** '' for none. */
  readonly referrer: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly language: string;
  readonly screenWidth: number;
  readonly screenHeight: number;
  readonly hints: ClientHints | null;
  /** null: a page view. */
  readonly event: { readonly name: string; readonly meta: Readonly<Record<string, string>> } | null;
}

/** Who sends the hits of one visit. */
export interface Visitor {
  readonly visit: number;
  readonly device: Device;
  readonly language: string;
}

/** What is seen, and how it was come to. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly isEntry: boolean;
}

const REFERRERS: Weighted<string> = [
  [40, ''],
  [30, 'https://www.google.com/'],
  [5, 'https://www.bing.com/'],
  [5, 'https://duckduckgo.com/'],
  [6, 'https://news.ycombinator.com/item?id='],
  [6, 'https://old.reddit.com/r/programming/comments/'],
  [8, 'https://blog.example.org/links/'],
];
const CAMPAIGNS: Weighted<string> = [
  [85, ''],
  [8, '?utm_source=newsletter&utm_medium=email&utm_campaign=week-'],
  [7, '?utm_source=google&utm_medium=cpc&utm_campaign=brand-'],
];
/** What browsers say of their language. */
export const LANGUAGES = [
  ...['en-US,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.8', 'fr-FR,fr;q=0.9', 'ja-JP,ja;q=0.9'],
];

/** The page view of a visitor; entries have referrers from outside, some of them campaigns. */
export function pageView(hostname: string, by: Visitor, page: Page, random: Seeded): LoadHit {
  const campaign = page.isEntry ? random.weighted(CAMPAIGNS) : '';
  const query = campaign === '' ? '' : campaign + random.below(12);
  const outside = random.weighted(REFERRERS);
  return {
    hostname,
    path: page.path + query,
    title: page.title,
    referrer: page.isEntry ? tailed(outside, random) : `https://${hostname}/`,
    ip: addressPlaceholder(by.visit),
    userAgent: by.device.userAgent,
    language: by.language,
    screenWidth: by.device.screenWidth,
    screenHeight: by.device.screenHeight,
    hints: by.device.clientHints,
    event: null,
  };
}

function tailed(referrer: string, random: Seeded): string {
  return referrer.endsWith('=') || referrer.endsWith('s/') ? referrer + random.below(50) : referrer;
}
