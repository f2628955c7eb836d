/** What a user thinks of a domain: a favorite, pinned in front (M-14). Nobody else sees it. */
import { boolean } from '../../base/schema.ts';
import { callerReference, kept, reference } from '../descriptor/fields.ts';
import {
  type AnyRecord,
  defineResource,
  type Look,
  type RecordType,
} from '../descriptor/resource.ts';

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

function keyOf(userId: string, domainId: string): string {
  return `${userId} ${domainId}`;
}
