/**
 * Signing in, and changes of the password (M-80, M-81, M-83). Pure: what is to happen comes back.
 *
 * Control plane. Hashing takes a while, and others may change things meanwhile: what was compared
 * before is looked at again in the record that follows from it.
 */
import type { Language } from '../../base/languages.ts';
import { errors } from '../../model/errors.ts';
import { changed, created, draftNew } from '../descriptor/draft.ts';
import type { Change, Look } from '../descriptor/resource.ts';
import { password } from '../resources/password.ts';
import { type User, user } from '../resources/user.ts';
import { endedLinks, linkOf } from './one-time-links.ts';
import { asksForCode, type FactorOf, factorUsed } from './second-factors.ts';
import { endedSessions, onlySession, openedSession } from './sessions.ts';

/** Somebody who may sign in, and the hash that the password is compared with. */
export interface Known {
  readonly person: User;
  /** Null: there is no password yet. */
  readonly hash: string | null;
}

/** Who has an address; null: nobody. Upper and lower case are the same. */
export function personOf(email: string, view: Look): Known | null {
  const person = view.by(user, 'email', email.trim().toLowerCase());
  return person === null ? null : { person, hash: hashOf(person.id, view) };
}

/** The hash of a user's password; null: there is none. */
export function hashOf(userId: string, view: Look): string | null {
  return view.by(password, 'userId', userId)?.hash ?? null;
}

/**
 * A session for who has sent the right password.
 *
 * @param hash that it was compared with.
 * @returns with the token for the cookie.
 * @throws SIGN_IN_WRONG when the password was changed meanwhile; what `factorUsed` throws.
 */
export function signedIn(
  at: FactorOf,
  { hash, code }: { readonly hash: string | null; readonly code: string },
): { changes: readonly Change[]; result: string } {
  const { userId, view, nowMs } = at;
  if (hash === null || hashOf(userId, view) !== hash) throw errors.SIGN_IN_WRONG({});
  const used = factorUsed(at, code);
  const { token, changes } = openedSession(userId, view, nowMs);
  return { changes: [...used, ...changes], result: token };
}

/**
 * The password that a one-time link sets; all links and sessions of its user end.
 *
 * @returns with the token of a new session: who has set a password looks at numbers at once (D-1). Not
 *   where codes are asked for: a link is no second factor.
 * @throws VALIDATION_FAILED for `token`: also when it was used meanwhile.
 */
export function resetPassword(
  { token, hash, language }: LinkedPassword,
  { view, nowMs }: Pick<FactorOf, 'view' | 'nowMs'>,
): { changes: Change[]; result: string | null } {
  const link = linkOf(token, view, nowMs);
  if (link === null) throw errors.VALIDATION_FAILED({ validation: { token: LINK_ENDED } });
  const { userId } = link;
  const isFirst = hashOf(userId, view) === null;
  const learned = isFirst ? languageLearned(userId, language, view, nowMs) : [];
  const changes = [...learned, ...passwordSet({ userId, view, nowMs }, hash, '')];
  if (asksForCode(userId, view)) return { changes, result: null };
  const { token: cookie, changes: opened } = onlySession(userId, view, nowMs);
  return { changes: [...changes, ...opened], result: cookie };
}

/** What comes with the token of a link. */
interface LinkedPassword {
  readonly token: string;
  readonly hash: string;
  /** Of the browser; null: none that mails are written in. */
  readonly language: Language | null;
}

/** Who comes for the first time and has said nothing is written to as their browser speaks (O-21). */
function languageLearned(
  userId: string,
  language: Language | null,
  view: Look,
  nowMs: number,
): Change[] {
  const person = view.find(user, userId);
  if (person === null || language === null || (person.language ?? '') !== '') return [];
  return [changed(user, { ...person, language, modifiedMs: nowMs })];
}

/** What is said of a token that is not good any more. */
export const LINK_ENDED = 'is unknown, used or expired: ask for a new link';

/** Another password. @param sessionId of the session that goes on; all others, and all links, end. */
export function passwordSet(at: FactorOf, hash: string, sessionId: string): Change[] {
  const { userId, view, nowMs } = at;
  const before = view.by(password, 'userId', userId);
  const after =
    before === null
      ? created(password, draftNew(password, { sent: { hash }, userId, nowMs, view }).record)
      : changed(password, { ...before, hash, modifiedMs: nowMs });
  return [after, ...endedLinks(userId, view), ...endedSessions(userId, view, sessionId)];
}
