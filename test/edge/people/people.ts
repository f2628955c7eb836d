/** People for tests of signing in: a user with a password, browsers with a cookie, links from mails. */
import { expect } from 'vitest';
import type { Reply } from '../edge.ts';
import type { Browsing, RegistryEdge, SentMail } from '../registry-edge.ts';

export const EMAIL = 'ada@example.org';
export const PASSWORD = 'correct horse battery';

/** What a browser keeps of an answer: the cookie, `name=value`; '' when it was taken away or not set. */
export function cookieOf(reply: Reply): string {
  const [pair = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  return pair.endsWith('=') ? '' : pair;
}

/** A page of the service in a browser with a cookie. */
export function ownPage(edge: RegistryEdge, cookie: string): Record<string, string> {
  return { cookie, origin: edge.baseUrl };
}

/** Sets a password as a person does: asks for a link by mail, and follows it. */
export async function setPassword(edge: RegistryEdge, password = PASSWORD, email = EMAIL) {
  const token = await forgottenToken(edge, email);
  const reply = await edge.browse('POST', 'password/reset', { body: { token, password } });
  expect(reply).toMatchObject({ status: 200, json: {} });
}

/** The token of a new link for a user, from the mail. */
export async function forgottenToken(edge: RegistryEdge, email = EMAIL): Promise<string> {
  const before = edge.mails.length;
  const reply = await edge.browse('POST', 'password/forgot', { body: { email } });
  expect(reply).toMatchObject({ status: 200, json: {} });
  await expect.poll(() => edge.mails.length).toBe(before + 1);
  return tokenOf(edge.mails.at(-1) as SentMail);
}

/** The token in the link of a mail. */
export function tokenOf({ link }: SentMail): string {
  return new URL(link).searchParams.get('token') ?? '';
}

/** Signs in. @param more fields beside the address and the right password. */
export function signIn(
  edge: RegistryEdge,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const body = { email: EMAIL, password: PASSWORD, ...more };
  return edge.browse('POST', 'login', { body, headers });
}

/** A signed-in browser: what it sends is sent from a page of the service. */
export async function browser(edge: RegistryEdge, more: Record<string, unknown> = {}) {
  const reply = await signIn(edge, more);
  expect(reply.status).toBe(200);
  const cookie = cookieOf(reply);
  return {
    cookie,
    send: (method: string, path: string, body?: Browsing['body']) =>
      edge.browse(method, path, { body, headers: ownPage(edge, cookie) }),
  };
}
