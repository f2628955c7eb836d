/**
 * The mix of a real site: how many views a visit has is drawn from a heavy tail, visits are under way
 * side by side, a twentieth of the hits are events, and a fifth go to paths that nobody has seen.
 *
 * Control plane. Lengths follow a Pareto distribution of exponent 1.2, cut at 150: more than half of
 * the visits see one page, the mean is near four, and the few long ones make most of the views, as
 * sites with logged-in users, feeds and crawled archives have them.
 */
import { type Device, pickDevice } from '../../demo/simulator/devices.ts';
import { Seeded } from '../../demo/simulator/seeded.ts';
import { LANGUAGES, type LoadHit, type Page, pageView, type Visitor } from './load-hit.ts';
import { freshPlaceholder } from './placeholders.ts';

/** Of the number of hits in a visit. */
const TAIL_EXPONENT = 1.2;
/** Below what a session may have (I-49), so that no hit is refused for it. */
const VISIT_HITS_MAX = 150;
const EVENT_SHARE = 0.05;
const NEW_PATH_SHARE = 0.2;
/** Visits under way at the same time; so a long one takes its turns over many others. */
const VISITS_AT_ONCE = 64;
const PATH_COUNT = 5_000;
const DEVICE_COUNT = 1_000;
const EVENT_NAMES = ['Sign up', 'Download', 'Order', 'Outbound link', 'Video', 'Search'];
const PLANS = ['free', 'team', 'business'];

interface OpenVisit extends Visitor {
  left: number;
  isEntry: boolean;
}

/** Hits in the order in which they are sent, always the same for the same seed. */
export function siteHits(of: { hostname: string; seed: number; hits: number }): LoadHit[] {
  const random = new Seeded(of.seed);
  const devices = Array.from({ length: DEVICE_COUNT }, () => pickDevice(random));
  let visits = 0;
  let fresh = 0;
  const begin = (): OpenVisit => ({
    visit: visits++,
    device: devices[random.popular(DEVICE_COUNT)] as Device,
    language: random.pick(LANGUAGES),
    left: visitLength(random),
    isEntry: true,
  });
  const nextPage = (isEntry: boolean): Page => {
    if (random.happens(NEW_PATH_SHARE)) {
      const mark = freshPlaceholder(fresh++);
      return { path: `/archive/entry-${mark}`, title: `Entry ${mark} of the archive`, isEntry };
    }
    const page = random.popular(PATH_COUNT);
    const path = `/section-${page % 20}/article-${page}`;
    return { path, title: `Article ${page} of section ${page % 20}`, isEntry };
  };
  const eventChance = EVENT_SHARE / (1 - entryShare());
  const open = Array.from({ length: VISITS_AT_ONCE }, begin);
  return Array.from({ length: of.hits }, () => {
    const at = random.below(open.length);
    const visit = open[at] as OpenVisit;
    const view = pageView(of.hostname, visit, nextPage(visit.isEntry), random);
    // A visit begins with a page: its first hit is never an event.
    const isEvent = !visit.isEntry && random.happens(eventChance);
    visit.isEntry = false;
    if (--visit.left === 0) open[at] = begin();
    return isEvent ? { ...view, event: eventOf(random) } : view;
  });
}

/** Hits of a visit: 1 in more than half of all cases, 150 in one of a few hundred. */
function visitLength(random: Seeded): number {
  return Math.min(VISIT_HITS_MAX, Math.floor((1 - random.next()) ** (-1 / TAIL_EXPONENT)));
}

/** Share of the hits that begin a visit: one over the mean length of a visit. */
function entryShare(): number {
  let mean = 0;
  // P(length >= n) is n to the power of minus the exponent.
  for (let length = 1; length <= VISIT_HITS_MAX; length++) mean += length ** -TAIL_EXPONENT;
  return 1 / mean;
}

function eventOf(random: Seeded): LoadHit['event'] {
  const meta = { plan: random.pick(PLANS), seats: String(1 + random.below(20)) };
  return { name: random.pick(EVENT_NAMES), meta };
}
