/**
 * `npm run measure`: what the page of a site weighs, how soon its numbers are there, and how much it
 * makes the reader's machine work (D-3). Work is processor time of the page's thread, which load
 * changes least; all else is elapsed time, so the load of the machine is said beside it.
 *
 * `-- --updates` measures what a hit takes alone; `--against DIR` does so in turns with another build,
 * whose folder it is; `--loads N` opens each page so often.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SiteProfile } from '../../src/demo/simulator/site.ts';
import { SITES } from '../../src/demo/simulator/sites.ts';
import { Window } from '../support/devtools.ts';
import { Stage } from './stage.ts';
import { type Costs, costsOf, type Followed, quantile } from './updates.ts';

const PATH = '/shop-example';
/** As large, but of all who come the measured ones are alone. */
const QUIET: SiteProfile = { ...(SITES[0] as SiteProfile), hostname: 'quiet.example' };
const QUIET_PATH = '/quiet-example';
const WARM_LOADS = 10;
const CLICKS = 8;
/** Of ten updates each. */
const UPDATE_LOADS = '6';

/** Runs before the page's own scripts: when numbers are there, and whether something moved. */
const WATCH = `
  window.shift = 0;
  window.numbersMs = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('main[data-position]')) return;
    window.numbersMs = performance.now();
    observer.disconnect();
    tellTest('');
  }).observe(document, { subtree: true, childList: true, attributes: true });
`;

/** Clicks the first source and takes the filter away again; milliseconds until each has its numbers. */
const CLICK = `new Promise((resolve) => {
  const startMs = performance.now();
  const chips = document.querySelectorAll('.chip').length;
  const chip = document.querySelector('.chip > .button');
  const main = document.getElementById('numbers');
  new MutationObserver((_, observer) => {
    if (main.getAttribute('aria-busy') !== 'false') return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - startMs));
  }).observe(main, { attributeFilter: ['aria-busy'] });
  if (chips > 0) chip.click();
  else document.querySelector('[aria-labelledby=panel-sources-title] tbody tr:nth-child(2) button').click();
})`;

async function measurePage(stage: Stage, window: Window): Promise<void> {
  await window.setCookie(stage.address, stage.cookie.name, stage.cookie.value);
  await window.beforeScripts(WATCH);
  for (let load = 0; load <= WARM_LOADS; load++) {
    const numbers = window.told();
    await window.go(`${stage.address}${PATH}?range=30d`);
    await numbers;
    // Of a page it is counted from its navigation on.
    const { task, script } = await window.work();
    const numbersMs = await window.evaluate<number>('window.numbersMs');
    tell(
      load === 0 ? 'first numbers, cold' : 'first numbers',
      `${numbersMs.toFixed(0)} ms, of it ${task.toFixed(0)} ms of the page's thread, ` +
        `${script.toFixed(0)} ms in scripts`,
    );
    if (load === 0) await tellWeight(window);
    // What follows the numbers belongs to no other load.
    await window.until("document.querySelectorAll('path[data-country]').length > 0");
  }
  await window.until("document.querySelector('.active:not(.is-still)')");
  for (let click = 0; click < CLICKS; click++) {
    const before = await window.work();
    const ms = await window.evaluate<number>(CLICK);
    const after = await window.work();
    const own = (after.task - before.task).toFixed(0);
    tell('a filter to new numbers', `${ms.toFixed(0)} ms, of it ${own} ms of the page's thread`);
  }
  tell('layout shift', String(await window.evaluate<number>('window.shift')));
}

async function tellWeight(window: Window): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const files = await window.evaluate<[string, number][]>(`[
    ...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource'),
  ].map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`);
  for (const [name, bytes] of files) tell('file', `${bytes} ${name}`);
  tell('weight', `${files.reduce((sum, [, bytes]) => sum + bytes, 0)} bytes`);
}

async function tellUpdates(pages: readonly Followed[], loads: number): Promise<void> {
  const all = await costsOf(pages, loads);
  for (const [at, { name }] of pages.entries()) {
    for (const [part, samples] of Object.entries(all[at] as Costs)) {
      const [median, p95] = [0.5, 0.95].map((share) => quantile(samples, share).toFixed(1));
      tell(`${name}, ${part}`, `median ${median} ms, p95 ${p95} ms of ${samples.length}`);
    }
  }
  const [own, other] = all.map(({ task }) => quantile(task, 0.5));
  if (own !== undefined && other !== undefined) tell('ratio', (own / other).toFixed(2));
}

/** A site as large as the shop, on which the measured ones are alone. */
function quietPage(stage: Stage, name: string): Followed {
  return { name, stage, hostname: QUIET.hostname, path: `${QUIET_PATH}?range=30d` };
}

function tellLoad(): void {
  const told = loadavg().map((one) => one.toFixed(1));
  tell('load of the machine', told.join(' '));
}

function tell(what: string, said: string): void {
  process.stdout.write(`${what}: ${said}\n`);
}

const { values } = parseArgs({
  options: {
    updates: { type: 'boolean', default: false },
    against: { type: 'string' },
    loads: { type: 'string', default: UPDATE_LOADS },
  },
});
const stage = new Stage();
const other =
  values.against === undefined ? null : new Stage(join(values.against, 'dist/src/main.js'));
try {
  tellLoad();
  await stage.open({ quiet: [QUIET], isEmpty: values.updates });
  if (!values.updates) {
    const window = await Window.open();
    await measurePage(stage, window).finally(() => window.close());
  }
  const pages = [quietPage(stage, 'an update')];
  if (other !== null) {
    await other.open({ quiet: [QUIET], isEmpty: values.updates });
    pages.push(quietPage(other, 'an update of the other build'));
  }
  await tellUpdates(pages, Number(values.loads));
  tellLoad();
} finally {
  await other?.close();
  await stage.close();
}
