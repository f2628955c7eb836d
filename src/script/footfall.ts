/**
 * The script of a page: page views, events and keep-alives (D-30 to D-32).
 *
 * It is written for two readers: a person, here, and gzip, which has to make 1,024 bytes of it; what
 * looks odd is short. `config/tools/build-script.mjs` builds it three times: plain, EXTENDED by
 * `extended.ts`, and for the RECORD of a domain, whose settings the service writes where
 * FOOTFALL_SETTINGS stands. The language is that of 2019: the bot filter drops older browsers (I-19).
 *
 * It never throws into the page and keeps nothing but the wish not to be counted. What it sends is a
 * POST of a text, or of nothing: no browser asks before it sends that to another site, no cache answers
 * it, and it is the same by `fetch` and by `sendBeacon`.
 */
import { notFound, watchPage } from './extended.ts';
import type { EventOptions, Footfall, Settings } from './settings.ts';

declare const EXTENDED: boolean;
declare const RECORD: boolean;
declare const FOOTFALL_SETTINGS: Record<'page' | 'event', Settings>;

const record = RECORD ? FOOTFALL_SETTINGS : (0 as never);
const page = document;
const place = location;
const script = page.currentScript as HTMLScriptElement;
/** An attribute of the tag wins over the record. */
let data: Settings = RECORD ? { ...record.page, ...script.dataset } : script.dataset;
/** Nothing, the stub with the calls that wait, or this script by another tag. */
const before = self.footfall || (0 as never);

let countedPath: unknown;
/** Not a number until the page was seen: what nobody has seen cannot be left. */
let idleMinutes!: number;
/** Goes with what is sent first: whatever comes later comes from this page. */
let referrer = 'disableReferrer' in data ? '' : page.referrer;
/** Ends when a page view is answered, or the page goes away: an event that overtook it would open the session (I-50). */
let viewed: unknown;
let leave: (value?: unknown) => void;
let show: (value?: unknown) => void;
/** Nothing leaves a page that nobody has seen: one prerendered, or opened behind others. */
const shown = new Promise((resolve) => (show = resolve));

/** Path of the page; with `data-hash` the path in its fragment follows, after one slash. */
const pathNow = () =>
  (place.pathname + ('hash' in data ? place.hash.split('?')[0] : '')).replace(/\/?#\/?/, '/');

/**
 * Sends what happens now, to each dashboard that it is for.
 *
 * @returns whether the first one took it; undefined when it was not to be sent.
 */
const send = async (
  kind: 'hit' | 'event' | 'session',
  event_name?: string,
  options?: EventOptions,
): Promise<boolean | string | undefined> => {
  try {
    if (RECORD) data = { ...(event_name ? record.event : record.page), ...script.dataset };
    let path = pathNow();
    const address = path + ('disableQuery' in data ? '' : place.search);
    // On localhost it is the page that the tag says, or none.
    const ownHost = /localhost$|^127\./.test(place.hostname) ? data.dev : place.hostname;
    const isListed = (patterns: string) =>
      patterns.split(/[\s,]+/).some((pattern) => pattern && path.match(pattern));
    const tags: Record<string, string> = {};
    // What follows of `off` and `on`.
    const asked = place.search.split('footfall=o')[1] as string;
    let isOff: unknown = asked < 'g';
    try {
      // Throws where storage is forbidden: then the address alone says it.
      isOff = asked
        ? (localStorage.disable_footfall = isOff ? 1 : '')
        : localStorage.disable_footfall;
      path = decodeURI(path);
    } catch {}
    if (!isOff && ownHost && isListed(data.include || '/') && !isListed(data.exclude || '')) {
      for (let { name, value } of script.attributes) {
        if ((name = name.split('data-tag-')[1] as string)) tags['tag_' + name] = value;
      }
      await shown;
      event_name && (await viewed);
      // Others may have been sent meanwhile.
      if (RECORD) data = { ...(event_name ? record.event : record.page), ...script.dataset };
      const { duration: event_duration, meta: event_meta, ...rest } = options || {};
      const body =
        event_name && JSON.stringify({ event_duration, event_name, event_meta, ...rest });
      const answers = `${ownHost}:${data.code},${data.domains}`.split(/[\s,]+/).map((target) => {
        const [host, code] = target.split(':');
        const to =
          (data.endpoint || script.src.split('/js/')[0]) +
          '/' +
          kind +
          '?' +
          new URLSearchParams({
            code: code as string,
            url: place.protocol + '//' + host + address,
            t: page.title,
            ref: referrer.replace('//' + place.host + '/', '//' + host + '/'),
            w: ('disableResolution' in data ? '' : screen.width) as string,
            ...tags,
          });
        return (
          code &&
          fetch(to, { method: 'POST', body, keepalive: 1 } as object).then(
            (answer) => answer.ok,
            () => page.hidden || navigator.sendBeacon(to, body),
          )
        );
      });
      referrer = '';
      return answers[0];
    }
  } catch {}
  return;
};

/** Counts the page, if it is another one than was counted last. */
const view = (path: unknown = 'disableHistory' in data || pathNow()) =>
  path != countedPath &&
  ((countedPath = path), (viewed = new Promise((resolve) => send('hit').then((leave = resolve)))));

/** Something happens to the page: it is in use, and may be another one by now. */
const look = (event: { persisted?: boolean }) => {
  // The back-forward cache gave it back: it counts once more.
  if (event.persisted) countedPath = 0;
  // Its title follows in a moment; a page that goes away has none.
  if (page.hidden) idleMinutes + 1 && view(leave() as never);
  else setTimeout(view, 99, show((idleMinutes = 0) as never));
};

// Two tags count once.
if (before.code != data.code) {
  const footfall: Footfall = (self.footfall = (name, options) => send('event', name, options));
  footfall.code = data.code;
  view();
  (EXTENDED ? [...(before.q || []), ...notFound(data)] : before.q || []).map((call) =>
    footfall(...call),
  );
  look(0 as never);
  // Methods of the history, and events.
  'pushState replaceState popstate pageshow visibilitychange click scroll'
    .split(' ')
    .map((name) => {
      const change = history[name as 'pushState'];
      change
        ? (history[name as 'pushState'] = (...state) => {
            // The page before may still wait for its title.
            view();
            change.apply(history, state);
            look(0 as never);
          })
        : addEventListener(name, look as EventListener, 1 as never);
    });
  // A minute after minute, until half an hour after the last use.
  setInterval(() => page.hidden || idleMinutes++ > 29 || send('session'), 60_000);
  if (EXTENDED) watchPage(footfall, data, pathNow);
}
