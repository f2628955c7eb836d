/** What the page shows at an address, and to whom: given with the page, or asked for. */
import type { User } from './account/user.ts';
import { ApiError, call, callAs, enterAs, leaveVisit } from './data/api.ts';
import { SitePage } from './pages.ts';
import type { Domain } from './site/site-data.ts';
import { given } from './view/given.ts';
import { ACCOUNT, HOST, hadNobody, nameIn, siteOf } from './view/host.ts';
import { place } from './view/view.ts';

/** What is shown. */
export type Scene =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'sites'; readonly user: User }
  | { readonly kind: 'site'; readonly domain: Domain; readonly user: User | null }
  | { readonly kind: 'account'; readonly user: User }
  /** Nothing is there: no such dashboard, no such host, a link that is not good (any more). */
  | { readonly kind: 'unknown'; readonly why: 'unknownPage' | 'unknownHost' | 'endedPage' }
  | { readonly kind: 'fault'; readonly error: ApiError };

const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/** It is known that nobody is signed in, so that nobody is asked to be refused; of the next look alone. */
let isNobody = hadNobody;

/**
 * What the page shows at first, where the service gave all that it takes; null: it has to be asked. Of
 * this look alone: a later one may see something else.
 */
export function firstScene(): Scene | null {
  const { user, domain } = given;
  const { path } = place.peek();
  const isSite = HOST.name !== '' || (path !== '/' && path !== ACCOUNT);
  if (HOST.kind === 'unknown' || (isSite && domain === undefined)) return null;
  if (!isSite && user === undefined && !hadNobody) return null;
  isNobody = false;
  callAs(user?.id ?? null);
  if (domain !== undefined) return { kind: 'site', domain, user: user ?? null };
  if (user === undefined) return { kind: 'sign-in' };
  return { kind: path === ACCOUNT ? 'account' : 'sites', user };
}

/** @throws ApiError when the service does not say. */
export async function sceneOf(path: string, access: string): Promise<Scene> {
  const name = nameIn(path);
  if (HOST.kind === 'unknown' || name === null || (HOST.name !== '' && name !== '')) {
    const isHost = HOST.kind === 'unknown' && path === '/';
    return { kind: 'unknown', why: isHost ? 'unknownHost' : 'unknownPage' };
  }
  leaveVisit();
  const asked = siteOf(path);
  const isSite = HOST.name !== '' || (name !== '' && path !== ACCOUNT);
  if (isSite) void SitePage.load();
  const isAsked = access === '' && !isNobody;
  isNobody = false;
  // One after the other they would keep the first numbers waiting.
  const [user, own] = await Promise.all([
    isAsked ? userOrNull() : null,
    isAsked && isSite ? domainOrNull(asked) : null,
  ]);
  if (!isSite) {
    if (user === null) return { kind: 'sign-in' };
    return { kind: name === '' ? 'sites' : 'account', user };
  }
  if (user !== null && own !== null) return { kind: 'site', domain: own, user };
  try {
    await enterAs({ ...asked, ...(access === '' ? {} : { access }) });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) throw error;
    if (access !== '') return { kind: 'unknown', why: 'endedPage' };
    return user === null ? { kind: 'sign-in' } : { kind: 'unknown', why: 'unknownPage' };
  }
  const domain = await domainOrNull(asked);
  return domain === null
    ? { kind: 'unknown', why: 'unknownPage' }
    : { kind: 'site', domain, user: null };
}

/** Ends the session of whoever is here: what the service does not answer goes on. */
export async function endSession(): Promise<void> {
  isNobody = await call('POST /api/v1/logout', {}).then(
    () => true,
    () => false,
  );
}

async function userOrNull(): Promise<User | null> {
  try {
    return await call('GET /api/v1/user', {});
  } catch (error) {
    if (error instanceof ApiError && error.status === UNAUTHORIZED) return null;
    throw error;
  }
}

async function domainOrNull(asked: ReturnType<typeof siteOf>): Promise<Domain | null> {
  try {
    const selector = 'hostname' in asked ? { domain: asked.hostname } : asked;
    const answer = await call('GET /api/v1/domain', selector);
    return (Array.isArray(answer) ? (answer[0] ?? null) : answer) as Domain | null;
  } catch (error) {
    if (error instanceof ApiError && (error.status === NOT_FOUND || error.status === UNAUTHORIZED))
      return null;
    throw error;
  }
}
