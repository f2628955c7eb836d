/** The settings in a browser: what their tests do again and again. */
import type { APIResponse } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { runCommand } from '../../support/service.ts';
import { DashboardSite, PASSWORD } from './support.ts';

export type Rec = Readonly<Record<string, unknown>>;

/** The parts of a site's settings, as an Owner finds them. */
export const SITE_PARTS = [
  ...['general', 'theme', 'snippet', 'alternatives', 'addresses', 'arrivals', 'members', 'links'],
  ...['clients', 'goals', 'funnels', 'views', 'reports', 'notifications', 'webhooks', 'import'],
  ...['export', 'audit', 'erasure', 'transfer', 'deletion'],
];

/** The keys of the parts of the settings that are offered. */
export async function partsShown(): Promise<string[]> {
  const links = await site.page.locator('.settings nav a').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  return addresses.map((address) =>
    String(new URLSearchParams(address?.split('?')[1]).get('settings')),
  );
}

export let site: DashboardSite;

/** One service for all tests of a file, and a window for each. */
export function useSite(): void {
  beforeAll(async () => {
    site = await DashboardSite.open();
  });
  afterAll(() => site.close());
  beforeEach(() => site.begin());
  afterEach(() => site.end());
}

/** Of the API, as the person who is signed in in the browser. */
export async function api<Answer>(path: string): Promise<Answer> {
  return (await site.context.request.get(`${site.service.baseUrl}/api/v1/${path}`)).json();
}

/** Somebody who has an account gets a password. */
export async function givePassword(email: string): Promise<void> {
  const asked = ['account', 'password', '--email', email, '--data-dir', site.service.dataDir];
  const { link } = await runCommand<{ link: string }>(asked);
  const token = new URL(link).searchParams.get('token');
  await site.post('/api/v1/password/reset', { token, password: PASSWORD });
}

/** A window of its own for somebody who has a password. */
export async function enter(email: string): Promise<void> {
  await site.end();
  await site.begin();
  const response = await send('POST', 'login', { email, password: PASSWORD });
  if (response.status() !== 200) throw new Error(await response.text());
}

/** Somebody who is invited gets a password and accepts; their window stays open. */
export async function join(email: string): Promise<void> {
  await givePassword(email);
  await enter(email);
  for (const { id } of await api<{ id: string }[]>('invitation')) {
    const response = await send('POST', 'invitation', { id });
    if (response.status() !== 200) throw new Error(await response.text());
  }
}

export function send(method: 'POST' | 'PUT', path: string, data: unknown): Promise<APIResponse> {
  const headers = { Origin: site.service.baseUrl };
  const url = `${site.service.baseUrl}/api/v1/${path}`;
  return site.context.request.fetch(url, { method, data, headers });
}

export const domain = () => api<Rec & { settings: Rec }>(`domain?id=${site.shop.id}`);
export const openPart = (part: string) => site.signIn(`/shop?settings=${part}`);
export const inDialog = (name: string) =>
  site.page.locator('dialog').getByRole('button', { name, exact: true });
export const row = (text: string) => site.page.locator('.records li', { hasText: text });
/** The form of a field that has a button of its own. */
export const formOf = (label: string) =>
  site.page.locator('form', { has: site.page.getByLabel(label, { exact: true }) });

export async function saveField(label: string, value: string): Promise<void> {
  await site.page.getByLabel(label, { exact: true }).fill(value);
  await formOf(label).getByRole('button', { name: 'Save' }).click();
}

/** What stands beside a field. */
export async function faultBeside(label: string, isInDialog = true): Promise<string> {
  const root = isInDialog ? site.page.locator('dialog') : site.page;
  const field = root.locator('.field', { has: site.page.getByLabel(label, { exact: true }) });
  return (await field.locator('.fault-text').first().textContent()) ?? '';
}
