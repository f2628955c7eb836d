/** The cookie of a signed-in person, and whether a request comes from a page of this service (M-80). */
import { SESSION_COOKIE } from '../../model/limits.ts';
import type { RequestHead } from './request-head.ts';

const START = `${SESSION_COOKIE}=`;

/** What the cookie of a session holds. @param header Cookie as sent. @returns '' when it is not there. */
export function sessionCookie(header: string): string {
  if (!header.includes(START)) return '';
  for (const pair of header.split(';')) {
    const cookie = pair.trim();
    if (cookie.startsWith(START)) return cookie.slice(START.length);
  }
  return '';
}

/**
 * Whether the page that made a browser send this is one of the host that it was sent to.
 *
 * Origin says it; a browser that sends none says it in Sec-Fetch-Site.
 *
 * @param ownOrigin of the public address of the service: behind a proxy Host may be another one.
 */
export function isOwnOrigin(
  { host, origin, fetchSite }: Readonly<RequestHead>,
  ownOrigin: string,
): boolean {
  if (origin === '') return fetchSite === 'same-origin';
  if (origin === ownOrigin) return true;
  const own = host.toLowerCase();
  return origin === `https://${own}` || origin === `http://${own}`;
}

/** Whether a browser says that a page of another site sent this; other clients say nothing. */
export function isForeignPage(head: Readonly<RequestHead>, ownOrigin: string): boolean {
  if (head.origin !== '') return !isOwnOrigin(head, ownOrigin);
  return head.fetchSite === 'cross-site' || head.fetchSite === 'same-site';
}
