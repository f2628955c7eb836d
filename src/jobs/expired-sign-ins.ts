/**
 * Removes sessions, one-time links and mails that have expired (M-80, M-81), so that the registry
 * does not keep everybody who ever signed in.
 *
 * Control plane. Nothing depends on it: what has expired is refused anyway.
 */
import { deleted } from '../control/descriptor/draft.ts';
import type { Base, Change, Resource } from '../control/descriptor/resource.ts';
import { mail } from '../control/resources/mail.ts';
import { oneTimeLink } from '../control/resources/one-time-link.ts';
import { session } from '../control/resources/session.ts';
import { EXPIRED_REMOVED_COUNT_MAX } from '../model/limits.ts';
import type { JobContext, JobTurn } from './job.ts';

type Parts = Pick<JobContext, 'registry' | 'nowMs'>;

/** The job of what has expired. */
export function expiredSignIns(parts: Parts): JobTurn {
  return () => sweep(parts);
}

/** Removes what has expired by now, some at a time: a record of the registry has a bound. */
async function sweep({ registry, nowMs }: Parts): Promise<void> {
  const by = { kind: 'node', id: '' } as const;
  let removed: readonly Change[];
  do {
    const atMs = nowMs();
    removed = await registry.change({ nowMs: atMs, by }, (view) => {
      const expired = [session, oneTimeLink, mail].flatMap((resource) =>
        expiredOf(resource, view.all<Base & Expires>(resource as never), atMs),
      );
      return expired.slice(0, EXPIRED_REMOVED_COUNT_MAX);
    });
  } while (removed.length === EXPIRED_REMOVED_COUNT_MAX);
}

type Expires = { readonly expiresMs: number };

function expiredOf(resource: Resource, records: Iterable<Base & Expires>, nowMs: number): Change[] {
  const expired: Change[] = [];
  for (const { id, expiresMs } of records) {
    if (expiresMs <= nowMs && expired.length < EXPIRED_REMOVED_COUNT_MAX) {
      expired.push(deleted(resource, id));
    }
  }
  return expired;
}
