/**
 * What a hit takes of the thread of a page that follows its site (D-3, O-51): processor time, which the
 * load of the machine changes least, from the hit until all that it changes has come and gone.
 *
 * Two builds are measured in turns, so that whatever else the machine does meets both.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BROWSER_AGENT } from '../support/browser.ts';
import { Window, type Work } from '../support/devtools.ts';
import type { Stage } from './stage.ts';

/** Updates of one load that count, and those before them, which compile what runs for the first time. */
const UPDATES_PER_LOAD = 10;
const FIRST_UPDATES = 4;
/** What a hit lights on the map is out again by then, and the next question may be asked at once. */
const SETTLED_MS = 2_200;

/** A page that follows one site. */
export interface Followed {
  readonly name: string;
  readonly stage: Stage;
  readonly hostname: string;
  /** Of its page. */
  readonly path: string;
}

/** Milliseconds of the page's thread, one for each update. */
export type Costs = Readonly<Record<keyof Work, number[]>>;

/** @returns one for each page, in order. @param loads how often each page is opened anew. */
export async function costsOf(pages: readonly Followed[], loads: number): Promise<Costs[]> {
  const all = pages.map((): Costs => ({ task: [], script: [], style: [], layout: [] }));
  for (let load = 0; load < loads; load++) {
    for (const [at, page] of pages.entries()) await measureLoad(page, all[at] as Costs);
  }
  return all;
}

async function measureLoad(page: Followed, costs: Costs): Promise<void> {
  const window = await Window.open();
  try {
    const { stage, path } = page;
    await window.setCookie(stage.address, stage.cookie.name, stage.cookie.value);
    await window.go(`${stage.address}${path}`);
    await window.until(
      "document.querySelector('main[data-position]') && " +
        "document.querySelector('.active:not(.is-still)')",
    );
    await window.evaluate(`new MutationObserver(() => tellTest(''))
      .observe(document.getElementById('numbers'), { attributeFilter: ['data-position'] })`);
    for (let update = -FIRST_UPDATES; update < UPDATES_PER_LOAD; update++) {
      const before = await window.work();
      await updateOnce(window, page, update + FIRST_UPDATES);
      const after = await window.work();
      if (update < 0) continue;
      for (const part of Object.keys(costs) as (keyof Work)[])
        costs[part].push(after[part] - before[part]);
    }
  } finally {
    await window.close();
  }
}

/** Visitors of several countries, which light up on the map; none of them leaves meanwhile. */
const VISITORS = ['8.8.8.7', '81.2.69.7', '91.65.12.7', '133.11.0.7'];

/** A hit of one of the visitors, until the page has shown it. */
async function updateOnce(window: Window, page: Followed, update: number): Promise<void> {
  const { stage, hostname } = page;
  const seen = window.told();
  const url = `https://${hostname}/p/${update % 5}`;
  const ip = VISITORS[update % VISITORS.length];
  await stage.hit(hostname, { url, user_agent: BROWSER_AGENT, ip });
  await seen;
  await sleep(SETTLED_MS);
}

/** That of a part of all samples which is not above it. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
