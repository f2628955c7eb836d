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

/** Scrolls through the page, down and up, in steps and in leaps: what moves by itself is told by the watch. */
const SCROLL = `(async () => {
  const { scrollingElement } = document;
  const to = async (y) => {
    scrollingElement.scrollTop = y;
    // What came into sight is laid out with the next picture.
    for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  };
  const end = () => scrollingElement.scrollHeight - innerHeight;
  for (let y = 0; y < end(); y += 250) await to(y);
  for (let y = end(); y > 0; y -= 250) await to(y);
  for (const y of [end(), 0, end() / 2, end(), 0]) await to(y);
  return scrollingElement.scrollHeight;
})()`;

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

  test('moves nothing while it is scrolled, though panels out of sight are laid out late', async () => {
    // A panel with a map, one with nothing to show, and ones with few rows.
    await window.go(`${site.service.baseUrl}/shop?range=30d&compare=previous`);
    await window.until(
      "document.querySelector('main[data-position]') && " +
        "document.querySelectorAll('svg.world').length === 2",
    );
    const before = await window.evaluate<number>('document.scrollingElement.scrollHeight');
    await window.evaluate('window.shift = 0');
    const after = await window.evaluate<number>(SCROLL);
    expect(await window.evaluate('window.shift')).toBeLessThan(0.001);
    // Nor does the bar that says how long the page is jump much.
    expect(Math.abs(after - before) / after).toBeLessThan(0.02);
  });
});
