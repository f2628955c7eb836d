/** Visits with something for every panel: sources, campaigns, places, browsers, events, tags, goals. */
import { addressAt, PLACES, type Place } from '../../support/traffic/place-database.ts';
import type { DashboardSite } from './support.ts';

const DAY_MS = 86_400_000;

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
];
/** What a visitor may send wherever texts are taken. */
export const SCRIPT = '<img src=x onerror="globalThis.ran=1">';

const REFERRERS = [
  'https://www.google.com/',
  'https://news.ycombinator.com/item?id=1',
  '',
  'https://blog.example/post',
];
const LANGUAGES = ['en', 'de', 'fr', 'ar'];

/** Pages, sources and events of 48 visitors over six days, half of them in the three days before. */
export async function seedPanels(site: DashboardSite): Promise<void> {
  const headers = { Authorization: `Bearer ${site.shop.access_key}` };
  const people = Array.from({ length: 48 }, (_, at) => at);
  const startOf = (at: number) => Date.now() - (at % 12) * DAY_MS - 3_600_000 - at * 60_000;
  const personOf = (at: number) => ({
    ip: at % 5 === 4 ? `203.0.113.${100 + at}` : addressAt(PLACES[at % 4] as Place, at),
    user_agent: AGENTS[at % AGENTS.length],
    accept_language: LANGUAGES[at % 4],
  });
  const views = people.flatMap((at) =>
    ['/', `/products/${at % 14}`, '/checkout'].slice(0, 1 + (at % 3)).map((path, step) => ({
      ...personOf(at),
      url: `https://shop.example${path}${step === 0 && at % 4 === 0 ? '?utm_source=mail&utm_medium=email&utm_campaign=autumn&utm_content=top&utm_term=shoes' : ''}`,
      title: path === '/' ? 'Home' : `Page of ${path}`,
      referrer: step === 0 ? REFERRERS[at % REFERRERS.length] : '',
      screen_width: [1920, 1440, 390, 412][at % 4],
      screen_height: 900,
      tags: { author: at % 2 === 0 ? 'Ada' : 'Grace', section: `s${at % 3}` },
      time: new Date(startOf(at) + step * 20_000).toISOString(),
    })),
  );
  await site.post('/api/v1/hit/batch', views, headers);
  const events = people
    .filter((at) => at % 2 === 0)
    .map((at) => ({
      ...personOf(at),
      url: 'https://shop.example/checkout',
      event_name: at % 4 === 0 ? 'Signup' : 'Download',
      event_duration: 12,
      event_meta: { plan: at % 8 === 0 ? 'pro' : 'free', size: String(at % 3) },
      time: new Date(startOf(at) + 50_000).toISOString(),
    }));
  await site.post('/api/v1/event/batch', events, headers);
  await makeGoals(site);
}

/** Two goals and a funnel, made by the site's owner. */
async function makeGoals(site: DashboardSite): Promise<void> {
  await site.begin();
  await site.signIn();
  const { id } = site.shop;
  await site.make('goal', {
    domain_id: id,
    name: 'Checkout',
    path_pattern: '/checkout',
    visitor_goal: 20,
  });
  await site.make('goal', { domain_id: id, name: 'Sign up', event_name: 'Signup' });
  await site.make('funnel', {
    ...{ domain_id: id, name: 'Buying' },
    steps: [
      { name: 'Any page', filter: { path: ['~/'] } },
      { name: 'Product', filter: { path: ['~/products'] } },
      { name: 'Checkout', filter: { path: ['/checkout'] } },
    ],
  });
  await site.end();
}

/** The day on which nothing but the many pages was seen. */
export const MANY_DAY = new Date(Date.now() - 40 * DAY_MS).toISOString().slice(0, 10);
export const MANY = 10_000;
/** In one of the names. */
export const NEEDLE = 'needle-7777';
const ARABIC = 'صفحة طويلة جدا عن المنتجات ';

/** As many pages, with names that are long, of many scripts, and from right to left. */
export async function seedMany(site: DashboardSite): Promise<void> {
  const headers = { Authorization: `Bearer ${site.shop.access_key}` };
  const hits = Array.from({ length: MANY }, (_, at) => ({
    ip: `203.0.${at % 250}.${1 + Math.floor(at / 250)}`,
    user_agent: AGENTS[0],
    url: `https://shop.example/m/${at}${at === 7_777 ? NEEDLE : ''}`,
    title: `${at % 2 === 0 ? ARABIC.repeat(6) : '漢字とかな'.repeat(24)}${at} 👩‍👩‍👧‍👦`,
    time: `${MANY_DAY}T12:00:00Z`,
  }));
  for (let at = 0; at < MANY; at += 2_500)
    await site.post('/api/v1/hit/batch', hits.slice(at, at + 2_500), headers);
}
