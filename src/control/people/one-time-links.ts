/**
 * Links that set a password, once (M-81): made, looked up, ended. Pure: what is to happen comes back.
 *
 * Control plane. The registry keeps the hash of a token; the token itself is in the link alone.
 */
import { sha256Hex } from '../../base/hash.ts';
import { randomAlphanumeric } from '../../base/random.ts';
import { ONE_TIME_LINK_MS, ONE_TIME_TOKEN_LENGTH } from '../../model/limits.ts';
import { created, deleted, draftNew } from '../descriptor/draft.ts';
import type { Change, Look } from '../descriptor/resource.ts';
import { type LinkPurpose, type OneTimeLink, oneTimeLink } from '../resources/one-time-link.ts';

/** The dashboard's pages that take a token. */
const PAGES: Readonly<Record<LinkPurpose, string>> = { activation: 'activate', reset: 'reset' };

/** What a link is made for and from. */
export interface LinkWish {
  /** Whose password it sets; the user may be made by the same changes, before these. */
  readonly userId: string;
  readonly purpose: LinkPurpose;
  readonly view: Look;
  readonly nowMs: number;
  /** Those that the user had before stay good. */
  readonly isAnother?: boolean;
}

/** A new link; unless it is another one, those that the user had before end. @returns with the token, which is nowhere else. */
export function newLink(wish: LinkWish): { token: string; changes: Change[] } {
  const { userId, purpose, view, nowMs } = wish;
  const token = randomAlphanumeric(ONE_TIME_TOKEN_LENGTH);
  const sent = { purpose, token_hash: sha256Hex(token), expires_ms: nowMs + ONE_TIME_LINK_MS };
  const { record } = draftNew(oneTimeLink, { sent, userId, nowMs, view });
  const ended = wish.isAnother === true ? [] : endedLinks(userId, view);
  return { token, changes: [...ended, created(oneTimeLink, record)] };
}

/** The link of a token; null when there is none, or it has expired. */
export function linkOf(token: string, view: Look, nowMs: number): OneTimeLink | null {
  const found = view.by(oneTimeLink, 'tokenHash', sha256Hex(token));
  return found === null || nowMs >= found.expiresMs ? null : found;
}

/** All links of a user end. */
export function endedLinks(userId: string, view: Look): Change[] {
  return view.of(oneTimeLink, 'userId', userId).map(({ id }) => deleted(oneTimeLink, id));
}

/** What the person follows. @param publicUrl of the service, without a trailing slash. */
export function linkAddress(publicUrl: string, purpose: LinkPurpose, token: string): string {
  return `${publicUrl}/${PAGES[purpose]}?token=${token}`;
}
