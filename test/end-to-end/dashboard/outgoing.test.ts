// Goal: whoever looks after a site sees what its webhooks were told and why one is inactive, tells them
// again, and says which mails they want (D-17, A-60, O-13, O-21).
// Method: a real browser on a service of its own, a receiver that verifies signatures; what stands on
// the page is compared with what the interface says.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BROWSER_AGENT } from '../../support/browser.ts';
import { taken, WebhookReceiver } from '../../support/webhook-receiver.ts';
import { DashboardSite } from './support.ts';

const WAIT = { timeout: 30_000 };
const PHONE = { viewport: { width: 320, height: 640 } } as const;
/** Failures in a row after which a webhook is inactive, and one more. */
const TOO_MANY = 101;
const EVENT = 'Order <b>paid</b> ١٢٣';

interface Attempt {
  readonly entry_id: string;
  readonly attempt: number;
  readonly status: number | null;
}

let site: DashboardSite;
let receiver: WebhookReceiver;
let id: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  site = await DashboardSite.open({ FOOTFALL_OUTBOUND_PRIVATE: 'on' });
  const made = await site.manage<{ id: string; secret: string }>('POST', 'webhook', {
    ...{ domain_id: site.shop.id, description: 'Shop', event: EVENT },
    endpoint: receiver.url('/orders'),
  });
  id = made.id;
  receiver.secrets.set('/orders', made.secret);
});
afterAll(async () => {
  await site?.close();
  await receiver.close();
});
beforeEach(() => site.begin());
afterEach(() => site.end());

const attempts = () => site.manage<Attempt[]>('GET', `webhook/delivery?id=${id}`);
const isActive = async () => {
  const hooks = await site.manage<{ active: boolean }[]>(
    'GET',
    `webhook?domain_id=${site.shop.id}`,
  );
  return hooks[0]?.active;
};
const button = (name: string | RegExp) => site.page.getByRole('button', { name });
const status = () => site.page.locator('dialog .deliveries > [role=status]');
const rows = () => site.page.locator('dialog .records li');

function sendEvents(count: number): Promise<unknown> {
  const headers = { Authorization: `Bearer ${site.shop.access_key}` };
  const event = { url: 'https://shop.example/', ip: '203.0.113.8', user_agent: BROWSER_AGENT };
  const items = Array.from({ length: count }, () => ({
    ...{ ...event, event_name: EVENT, time: new Date().toISOString() },
  }));
  return site.post('/api/v1/event/batch', items, headers);
}

async function openDeliveries(): Promise<void> {
  await site.signIn('/shop?settings=webhooks');
  await button(/^(Deliveries|Zustellungen): Shop$/).click();
  await site.page.getByRole('dialog').waitFor();
}

describe('webhooks (D-17)', () => {
  test('are tried with a sample, whose outcome is said; nothing was delivered yet (O-13)', async () => {
    await openDeliveries();
    await site.page.getByText('Nothing was sent yet').waitFor();
    await button('Send a test').click();
    await expect.poll(() => status().textContent(), WAIT).toMatch(/^Accepted: 200 in [\d,]+ ms$/);
    expect(receiver.received).toHaveLength(1);
    expect(await rows().count()).toBe(0);
    expect(await site.barriers()).toEqual([]);
  });

  test('list what they were told, and tell it again, as the interface has it (O-13)', async () => {
    receiver.behaviour = (_, response) => response.writeHead(503).end('<i>closed</i> until two');
    await sendEvents(1);
    await expect.poll(async () => (await attempts()).length, WAIT).toBeGreaterThan(0);
    await openDeliveries();
    const first = rows().last();
    await first.waitFor();
    expect(await first.textContent()).toContain(EVENT);
    expect(await first.locator('.status').textContent()).toBe('503');
    const [when, what] = await first.locator('small').allTextContents();
    expect(when).toMatch(/ · Attempt 1$/);
    expect(what).toMatch(/^Failed: answered 503, after [\d,]+ ms$/);
    await first.locator('summary').click();
    expect(await first.locator('pre').textContent()).toBe('<i>closed</i> until two');
    expect(await site.barriers()).toEqual([]);
    receiver.behaviour = taken;
    await first.getByRole('button', { name: /^Send again/ }).click();
    await expect.poll(() => status().textContent(), WAIT).toMatch(/^Accepted: 200/);
    const told = await attempts();
    expect(told[0]).toMatchObject({ status: 200, entry_id: told.at(-1)?.entry_id });
    await expect
      .poll(() => rows().locator('.status').allTextContents(), WAIT)
      .toEqual(told.map((one) => String(one.status)));
    expect(receiver.faults).toEqual([]);
  });

  test('that are inactive say why, in both languages, and are switched on again (A-60)', async () => {
    receiver.behaviour = (_, response) => response.writeHead(500).end();
    await sendEvents(TOO_MANY);
    await expect.poll(isActive, WAIT).toBe(false);
    await site.signIn('/shop?settings=webhooks');
    const notice = site.page.getByRole('note');
    await notice.getByText('more than 100 attempts in a row failed').waitFor();
    await notice.getByText(/^Last attempt: Failed: answered 500, after/).waitFor();
    expect(await site.barriers()).toEqual([]);
    await site.end();
    await site.begin({ ...PHONE, locale: 'de-DE', colorScheme: 'dark' });
    await openDeliveries();
    await expect.poll(() => rows().count(), WAIT).toBe(20);
    expect(await site.barriers()).toEqual([]);
    await button(/^Alle \d+ zeigen$/).click();
    await expect.poll(() => rows().count(), WAIT).toBeGreaterThan(TOO_MANY);
    await site.page.keyboard.press('Escape');
    receiver.behaviour = taken;
    await button('Wieder einschalten').click();
    await site.page.getByRole('note').waitFor({ state: 'detached' });
    expect(await isActive()).toBe(true);
    // What waited is told now.
    await expect.poll(async () => (await attempts())[0]?.status, WAIT).toBe(200);
  });
});

test('mails that somebody has ended are listed, and are had again where they ended them (O-21)', async () => {
  const ended = () => site.manage<{ muted: string[] }[]>('GET', 'user/notification');
  await site.signIn('/shop?settings=notifications');
  const goals = site.page.getByRole('switch', { name: 'Goals that are reached' });
  await goals.click();
  await expect.poll(() => goals.getAttribute('aria-checked')).toBe('false');
  await site.page.getByRole('switch', { name: 'Traffic spikes', exact: true }).click();
  await expect.poll(async () => (await ended())[0]?.muted).toEqual(['goal', 'spike']);
  expect(await site.barriers()).toEqual([]);
  await site.end();
  await site.begin({ ...PHONE, locale: 'de-DE', colorScheme: 'dark' });
  await site.signIn('/account');
  const part = site.page.locator('section', { hasText: 'Mails, die du beendet hast' });
  await part.waitFor();
  expect(await part.locator('li').allTextContents()).toEqual([
    expect.stringContaining('Besucherspitzen'),
    expect.stringContaining('Erreichte Ziele'),
  ]);
  expect(await site.barriers()).toEqual([]);
  await button('Wieder bekommen: Erreichte Ziele, shop.example').click();
  await expect.poll(() => part.locator('li').count()).toBe(1);
  await button('Wieder bekommen: Besucherspitzen, shop.example').click();
  await part.waitFor({ state: 'detached' });
  expect(await ended()).toEqual([]);
});
