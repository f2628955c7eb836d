// Goal: everybody can use every view, on a phone, a tablet and a desk, in light and in dark (D-3, D-18).
// Method: a walk through all views in a real browser. Each is loaded once for an appearance and then
// made wider: axe-core, the width of the page, and what the page threw are looked at. Settings, part by
// part: `settings.test.ts`.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

const WIDTHS = [320, 768, 1_440] as const;
const SCHEMES = ['light', 'dark'] as const;

interface View {
  /** Where it is. */
  readonly path: string;
  /** Is there once it is drawn. */
  readonly until: string;
  /** Pressed to come there. */
  readonly press?: string;
}

const OWNER: readonly View[] = [
  { path: '/?order=traffic', until: '.site polyline' },
  { path: '/account', until: '#appearance' },
  { path: '/shop?range=30d&compare=previous&path=~p', until: '.bars' },
  { path: '/shop?tab.goals=funnels&tab.sessions=hours', until: '.hours' },
  { path: '/shop?open=pages', until: 'dialog table tbody tr' },
  { path: '/shop?open=sessions', until: 'dialog table tbody tr' },
  { path: '/shop?open=changed&compare=previous', until: 'dialog table' },
  { path: '/shop?range=today', press: '?', until: 'dialog' },
  { path: '/empty', until: '.first' },
  { path: '/shop?settings=goals', until: '.settings-part h2' },
  { path: '/there-is-none', until: 'h1' },
];
const GUEST: readonly View[] = [
  { path: '/', until: 'input[type=password]' },
  { path: '/shop?access=CODE', until: '.bars' },
  { path: `/shop?access=${'x'.repeat(24)}`, until: 'h1' },
];

let site: DashboardSite;
let code = '';
beforeAll(async () => {
  site = await DashboardSite.open();
  const domain = { domain_id: site.shop.id };
  await site.make('goal', { ...domain, name: 'Prices', path_pattern: '/prices' });
  const steps = ['~/', '/prices'].map((path, at) => ({ name: `Step ${at}`, filter: { path } }));
  await site.make('funnel', { ...domain, name: 'Looking', steps });
  const link = await site.manage<{ code: string }>('POST', 'domain/link', domain);
  code = link.code;
});
afterAll(() => site.close());
afterEach(() => site.end());

/** All that is drawn stands where it is going to stand. */
async function settled(): Promise<void> {
  const busy = 'main[aria-busy="true"], .panel-body[aria-busy="true"]';
  await expect.poll(() => site.page.locator(busy).count(), { timeout: 30_000 }).toBe(0);
  await site.page.evaluate('document.fonts.ready.then(() => undefined)');
  // axe would take colours from the middle of a change.
  const moving = `document.getAnimations().filter(({ playState, effect }) =>
    playState === 'running' && effect.getTiming().iterations !== Infinity).length`;
  await expect.poll(() => site.page.evaluate(moving), { timeout: 30_000 }).toBe(0);
}

/** What is wrong with a view at any of the widths. */
async function wrongIn({ path, until, press }: View): Promise<string[]> {
  await site.page.setViewportSize({ width: WIDTHS[0], height: 900 });
  await site.page.goto(site.service.baseUrl + path.replace('CODE', code));
  if (press !== undefined) {
    await site.page.waitForSelector('.bars');
    await site.page.keyboard.press(press);
  }
  await site.page.locator(until).first().waitFor({ state: 'attached' });
  const wrong: string[] = [];
  for (const width of WIDTHS) {
    await site.page.setViewportSize({ width, height: 900 });
    await settled();
    const barriers = await site.barriers();
    wrong.push(...barriers.map((barrier) => `${path} at ${width} px: ${barrier}`));
  }
  return wrong;
}

for (const colorScheme of SCHEMES) {
  test(`no view has a barrier or scrolls sideways at 320, 768 and 1,440 px, ${colorScheme} (D-3)`, async () => {
    await site.begin({ colorScheme, reducedMotion: 'reduce' });
    const wrong: string[] = [];
    for (const view of GUEST) wrong.push(...(await wrongIn(view)));
    await site.signIn('/account');
    for (const view of OWNER) wrong.push(...(await wrongIn(view)));
    expect(wrong).toEqual([]);
    // It was what it was to be.
    const dark = `matchMedia('(prefers-color-scheme: dark)').matches`;
    expect(await site.page.evaluate(dark)).toBe(colorScheme === 'dark');
  });
}
