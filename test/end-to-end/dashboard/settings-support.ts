/** The settings in a browser: what their tests do again and again. */
import type { APIResponse } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { DashboardSite } from './support.ts';

export type Rec = Readonly<Record<string, unknown>>;

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
