/**
 * Sessions of signed-in people (M-80): opened, ended, and kept alive by use.
 *
 * Control plane. A session is a record of the registry, so it counts on every thread and node, outlives
 * restarts, and ends everywhere. Reading writes nothing: a use extends a session at most once a day.
 */
import { sha256Hex } from '../../base/hash.ts';
import { randomAlphanumeric } from '../../base/random.ts';
import {
  SESSION_EXTENSION_MS,
  SESSION_MS,
  SESSION_TOKEN_LENGTH,
  USER_SESSION_COUNT_MAX,
} from '../../model/limits.ts';
import { changed, created, deleted, draftNew } from '../descriptor/draft.ts';
import type { Change, Look } from '../descriptor/resource.ts';
import type { Registry } from '../registry/registry.ts';
import { session } from '../resources/session.ts';

/** A new session of a user, instead of those that have expired, and of too many the longest unused. */
export function openedSession(
  userId: string,
  view: Look,
  nowMs: number,
): { token: string; changes: Change[] } {
  const { token, changes } = onlySession(userId, view, nowMs);
  const there = view.of(session, 'userId', userId);
  const alive = there
    .filter(({ expiresMs }) => nowMs < expiresMs)
    .sort((left, right) => left.expiresMs - right.expiresMs);
  const stay = new Set(alive.slice(Math.max(0, alive.length - USER_SESSION_COUNT_MAX + 1)));
  const gone = there.filter((one) => !stay.has(one)).map(({ id }) => deleted(session, id));
  return { token, changes: [...gone, ...changes] };
}

/** The session of who has just set the password, with which all others end. */
export function onlySession(userId: string, view: Look, nowMs: number) {
  const token = randomAlphanumeric(SESSION_TOKEN_LENGTH);
  const sent = { token_hash: sha256Hex(token), expires_ms: nowMs + SESSION_MS };
  const { record } = draftNew(session, { sent, userId, nowMs, view });
  return { token, changes: [created(session, record)] };
}

/** All sessions of a user end. @param exceptId but for this one; '' for none. */
export function endedSessions(userId: string, view: Look, exceptId = ''): Change[] {
  return view
    .of(session, 'userId', userId)
    .filter(({ id }) => id !== exceptId)
    .map(({ id }) => deleted(session, id));
}

/** Keeps the sessions alive that requests use. One for each edge. */
export class SessionUses {
  readonly #registry: Registry;
  /** Extensions under way. */
  readonly #extended = new Set<string>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * Notes a use of a session that was found to be alive.
   *
   * @returns whether it is extended: the browser's cookie then has to last as long.
   * @cost one Map hit, but once a day.
   */
  used(sessionId: string, nowMs: number): boolean {
    const expiresMs = this.#registry.view.find(session, sessionId)?.expiresMs ?? Infinity;
    if (!isDue(expiresMs, nowMs) || this.#extended.has(sessionId)) return false;
    this.#extended.add(sessionId);
    void this.#extend(sessionId, nowMs)
      // The request has its answer either way; the next use tries again.
      .catch(() => {})
      .finally(() => this.#extended.delete(sessionId));
    return true;
  }

  async #extend(sessionId: string, nowMs: number): Promise<void> {
    await this.#registry.change({ nowMs, by: { kind: 'node', id: '' } }, (view, atMs) => {
      const found = view.find(session, sessionId);
      // It ended meanwhile, or another thread was first.
      if (found === null || !isDue(found.expiresMs, nowMs)) return [];
      const expiresMs = nowMs + SESSION_MS;
      return [changed(session, { ...found, expiresMs, modifiedMs: atMs })];
    });
  }
}

function isDue(expiresMs: number, nowMs: number): boolean {
  return expiresMs - nowMs <= SESSION_MS - SESSION_EXTENSION_MS;
}
