// Goal: a page that follows what happens leaves the reader's machine, and eyes, alone (D-3, D-14).
// Method: Chromium's own counters of the page's thread, in processor time and beside a loop whose
// work is known, so that neither load nor machine decide; in a window that no tool watches.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Window } from '../../support/devtools.ts';
import { DashboardSite } from './support.ts';

const UPDATES = 6;
/** Of the loop: what an update may take. It was 0.37 when each drew everything, and is 0.16. */
const PART_MAX = 0.32;
const LOOP =
  '(() => { let x = 0; for (let i = 0; i < 2e7; i++) x = (x * 31 + i) | 0; return x; })()';
/** Before the page's own scripts: what moves, and what is made anew where only texts change. */
const WATCH = `
  window.shift = 0;
  window.made = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
const FOLLOW = `
  const main = document.getElementById('numbers');
  new MutationObserver(() => tellTest('')).observe(main, { attributeFilter: ['data-position'] });
  new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes)
      for (const node of addedNodes)
        if (node.nodeType === 1 && target.closest('.panel, .chart, .totals'))
          window.made.push(node.outerHTML.slice(0, 80));
  }).observe(main, { subtree: true, childList: true });
`;

let site: DashboardSite;
let window: Window;
beforeAll(async () => {
  site = await DashboardSite.open();
  await site.begin();
  await site.signIn('/docs');
  const [cookie] = await site.context.cookies();
  window = await Window.open();
  await window.setCookie(site.service.baseUrl, cookie?.name ?? '', cookie?.value ?? '');
});
afterAll(async () => {
  await window.close();
  await site.end();
  await site.close();
});

/** One hit, until its numbers are on the page. */
async function update(): Promise<void> {
  const seen = window.told();
  // The same visitor on a page that is there: numbers change, rows do not.
  await site.hit({ url: 'https://shop.example/prices', ip: '203.0.113.1', title: 'Prices' });
  await seen;
}

describe('following hits (D-3, D-14)', () => {
  test('takes little of the page’s thread, makes nothing anew, moves nothing from the first', async () => {
    await window.beforeScripts(WATCH);
    await window.go(`${site.service.baseUrl}/shop`);
    await window.until(
      "document.querySelector('main[data-position]') && " +
        "document.querySelector('.active:not(.is-still)')",
    );
    await window.evaluate(FOLLOW);
    // What belongs to the loading of the page comes with the first.
    for (let first = 0; first < 2; first++) await update();
    await window.evaluate('window.made.length = 0');
    const start = await window.work();
    await window.evaluate(LOOP);
    const before = await window.work();
    for (let one = 0; one < UPDATES; one++) await update();
    const after = await window.work();
    const part = (after.task - before.task) / UPDATES / (before.task - start.task);
    expect(part).toBeLessThan(PART_MAX);
    expect(await window.evaluate('window.made')).toEqual([]);
    expect(await window.evaluate('window.shift')).toBeLessThan(0.001);
  });
});
