// Goal: a page that follows what happens leaves the reader's machine, and eyes, alone (D-3, D-14).
// Method: what the page makes anew and moves, told by the browser itself, in a window that no tool
// watches. What that takes of its thread is a figure (`npm run measure`), not a test.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Window } from '../../support/devtools.ts';
import { DashboardSite } from './support.ts';

const UPDATES = 6;
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
  test('makes nothing anew where only numbers change, and moves nothing from the first', async () => {
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
    for (let one = 0; one < UPDATES; one++) await update();
    expect(await window.evaluate('window.made')).toEqual([]);
    expect(await window.evaluate('window.shift')).toBeLessThan(0.001);
  });
});
