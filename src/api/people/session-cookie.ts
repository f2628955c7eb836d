/** The cookie that a browser is given for a session, and taken away (M-80). */
import { SECOND_MS, SESSION_COOKIE, SESSION_MS } from '../../model/limits.ts';
import type { FullAnswer } from '../endpoint.ts';

/** Done; there is nothing to say but the cookie. @param token '' takes it away. */
export function cookieAnswer(token: string, publicUrl: string): FullAnswer {
  return { body: '{}', headers: cookieHeader(token, publicUrl) };
}

/** For no script to read, for no other site to send along with changes, for https alone where that is. */
export function cookieHeader(token: string, publicUrl: string): Readonly<Record<string, string>> {
  const seconds = token === '' ? 0 : SESSION_MS / SECOND_MS;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const rules = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  return { 'Set-Cookie': `${SESSION_COOKIE}=${token}; ${rules}` };
}
