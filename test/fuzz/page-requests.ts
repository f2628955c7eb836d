/** Good requests as pages send them: by the code of a site, with the headers of browsers. */
import type { Stream } from '../torture/random.ts';
import type { Draft } from './draft.ts';
import { AGENTS, type Maker, type Target } from './good-requests.ts';

const WAYS = [
  ['GET', '/hit'],
  ['POST', '/hit'],
  ['GET', '/hit.gif'],
  ['POST', '/session'],
] as const;

/** A page view or a keep-alive. */
export const pageSending: Maker = (random, target) => {
  const [method, path] = random.pick(WAYS);
  const query: [string, string][] = [
    ['code', target.identificationCode],
    ['url', urlOf(random, target)],
    ['nc', String(target.startMs)],
  ];
  for (const [name, value] of PARAMETERS) if (random.chance(0.5)) query.push([name, value]);
  return { ...sent(random, target), method, path, query };
};

/** An event. */
export const pageEvent: Maker = (random, target) => ({
  ...sent(random, target),
  body: {
    ...{ identification_code: target.identificationCode, url: urlOf(random, target) },
    ...{ event_name: `event ${random.whole(1, 9)}`, event_duration: random.whole(0, 100) },
    ...{ event_meta: { plan: random.pick(['free', 'pro']), paid: true }, non_interactive: false },
    ...{ title: 'Page', referrer: '', screen_width: random.whole(300, 3_000), screen_height: 800 },
    tags: { author: `a${random.whole(1, 5)}` },
  },
});

const PARAMETERS: readonly [string, string][] = [
  ['t', 'Ein Titel + mehr'],
  ['ref', 'https://www.google.com/?q=a&b'],
  ['w', '1920'],
  ['h', '1080.5'],
  ['tag_logged-in', 'yes'],
  ['tag___proto__', 'x'],
];

const urlOf = (random: Stream, { hostname }: Target): string =>
  `https://${hostname}/page-${random.whole(1, 200)}?utm_source=s${random.whole(1, 9)}`;

/** An event without its body. */
function sent(random: Stream, target: Target): Draft {
  const headers: [string, string][] = [
    ['User-Agent', random.pick(AGENTS)],
    ['X-Forwarded-For', `81.2.${random.whole(0, 255)}.${random.whole(0, 255)}`],
    ['Origin', `https://${target.hostname}`],
    ['Accept', random.pick(['*/*', 'image/avif,image/*,*/*;q=0.8'])],
    ['Accept-Language', random.pick(['de-DE,de;q=0.9', 'en', ''])],
    ['Sec-CH-UA', '"Chromium";v="126", "Not-A.Brand";v="99"'],
    ['Sec-CH-UA-Mobile', random.pick(['?0', '?1', 'x'])],
    ['Content-Type', random.pick(['text/plain;charset=UTF-8', 'application/json', ''])],
  ];
  return { method: 'POST', path: '/event', query: [], body: undefined, bearer: '', headers };
}
