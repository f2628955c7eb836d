/**
 * `npm run measure`: what the page of a site weighs, how soon its numbers are there, and how much it
 * makes the reader's machine work (D-3). Work is processor time of the page's thread, which load
 * changes least; all else is elapsed time, so the load of the machine is said beside it.
 */
import { loadavg } from 'node:os';
import type { SiteProfile } from '../../src/demo/simulator/site.ts';
import { SITES } from '../../src/demo/simulator/sites.ts';
import { BROWSER_AGENT } from '../support/browser.ts';
import { Window } from '../support/devtools.ts';
import { Stage } from './stage.ts';

const SITE = 'shop.example';
const PATH = '/shop-example';
/** As large, but of all who come the measured ones are alone. */
const QUIET: SiteProfile = { ...(SITES[0] as SiteProfile), hostname: 'quiet.example' };
const QUIET_PATH = '/quiet-example';
const WARM_LOADS = 10;
const CLICKS = 8;
const UPDATES = 20;

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

const stage = new Stage();

async function measure(window: Window): Promise<void> {
  tell(
    'load of the machine',
    loadavg()
      .map((one) => one.toFixed(1))
      .join(' '),
  );
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
  await tellUpdates(window, SITE, 'an update while others come');
  await window.go(`${stage.address}${QUIET_PATH}?range=30d`);
  await window.until(
    "document.querySelector('main[data-position]') && document.querySelector('.active:not(.is-still)')",
  );
  await tellUpdates(window, QUIET.hostname, 'an update of a hit alone');
  tell('layout shift', String(await window.evaluate<number>('window.shift')));
  tell(
    'load of the machine',
    loadavg()
      .map((one) => one.toFixed(1))
      .join(' '),
  );
}

async function tellWeight(window: Window): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const files = await window.evaluate<[string, number][]>(`[
    ...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource'),
  ].map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`);
  for (const [name, bytes] of files) tell('file', `${bytes} ${name}`);
  tell('weight', `${files.reduce((sum, [, bytes]) => sum + bytes, 0)} bytes`);
}

async function tellUpdates(window: Window, site: string, what: string): Promise<void> {
  await window.evaluate(`new MutationObserver(() => tellTest(''))
    .observe(document.getElementById('numbers'), { attributeFilter: ['data-position'] })`);
  const before = await window.work();
  for (let update = 0; update < UPDATES; update++) {
    const seen = window.told();
    const page = { url: `https://${site}/p/${update % 5}`, user_agent: BROWSER_AGENT };
    await stage.hit(site, { ...page, ip: `203.0.113.${update + 1}` });
    await seen;
  }
  const after = await window.work();
  for (const part of ['task', 'script', 'style', 'layout'] as const) {
    tell(`${what}, ${part}`, `${((after[part] - before[part]) / UPDATES).toFixed(1)} ms`);
  }
}

function tell(what: string, said: string): void {
  process.stdout.write(`${what}: ${said}\n`);
}

try {
  await stage.open([QUIET]);
  const window = await Window.open();
  await measure(window).finally(() => window.close());
} finally {
  await stage.close();
}
