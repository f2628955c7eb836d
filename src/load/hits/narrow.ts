/**
 * The narrow mix: visits of three page views in a row each, 300 browsers, 2,000 paths by popularity. It
 * is what the figures of earlier versions were measured with. Control plane.
 */
import { type Device, pickDevice } from '../../demo/simulator/devices.ts';
import { Seeded } from '../../demo/simulator/seeded.ts';
import { LANGUAGES, type LoadHit, pageView } from './load-hit.ts';

/** Page views of one visit. */
export const VISIT_VIEWS = 3;

const PATH_COUNT = 2_000;
const DEVICE_COUNT = 300;

/** Page views, `VISIT_VIEWS` in a row for each visit, always the same for the same seed. */
export function narrowHits(of: { hostname: string; seed: number; visits: number }): LoadHit[] {
  const random = new Seeded(of.seed);
  const devices = Array.from({ length: DEVICE_COUNT }, () => pickDevice(random));
  const hits: LoadHit[] = [];
  for (let visit = 0; visit < of.visits; visit++) {
    const device = devices[random.popular(DEVICE_COUNT)] as Device;
    const by = { visit, device, language: random.pick(LANGUAGES) };
    for (let view = 0; view < VISIT_VIEWS; view++) {
      const page = random.popular(PATH_COUNT);
      const path = `/section-${page % 20}/article-${page}`;
      const title = `Article ${page} of section ${page % 20}`;
      hits.push(pageView(of.hostname, by, { path, title, isEntry: view === 0 }, random));
    }
  }
  return hits;
}
