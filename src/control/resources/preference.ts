/**
 * What a user thinks of a domain: a favorite, pinned in front (M-14); which mails about it they
 * have ended (O-21). Nobody else sees it.
 */
import { boolean, listOf, oneOf } from '../../base/schema.ts';
import { callerReference, kept, reference } from '../descriptor/fields.ts';
import {
  type AnyRecord,
  defineResource,
  type Look,
  type RecordType,
} from '../descriptor/resource.ts';

/** Mails about what happens to a domain, each to be ended by itself. */
export const NOTICE_KINDS = ['spike', 'warning', 'goal', 'webhook'] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** One per user and domain, made when the user says something for the first time. */
export const preference = defineResource({
  name: 'preference',
  table: 'preferences',
  owners: ['userId'],
  fields: {
    userId: callerReference('remove'),
    domainId: {
      ...reference({ to: 'domain', whenGone: 'remove' }),
      unique: {
        key: (domainId: string, { userId }: AnyRecord) => keyOf(String(userId), domainId),
        taken: () => 'is there already',
      },
    },
    favorite: kept(boolean, () => false),
    pinned: kept(boolean, () => false),
    muted: kept(listOf(oneOf(NOTICE_KINDS)), () => []),
  },
});

/** What can be said. */
export type Preference = 'favorite' | 'pinned';

/** What a user said of a domain; null: nothing. */
export function preferenceOf(
  view: Look,
  userId: string,
  domainId: string,
): RecordType<typeof preference> | null {
  if (userId === '' || view.countOf(preference, 'userId', userId) === 0) return null;
  return view.by(preference, 'domainId', keyOf(userId, domainId));
}

/** Which notices are not mailed any more; records of earlier versions have none. */
export function mutedOf(of: RecordType<typeof preference> | null): readonly NoticeKind[] {
  return of?.muted ?? [];
}

function keyOf(userId: string, domainId: string): string {
  return `${userId} ${domainId}`;
}
