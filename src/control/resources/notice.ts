/**
 * What the people of a domain were told by itself, so that they are not told again (O-40, O-41): it
 * is changed in the record of the log that writes the mails down.
 *
 * What was told of a goal stands in the goal, and of a webhook in the webhook.
 */
import { nullable, number } from '../../base/schema.ts';
import { kept, reference } from '../descriptor/fields.ts';
import { defineResource, type Look, type RecordType } from '../descriptor/resource.ts';

/** One per domain, made with its first mail. */
export const notice = defineResource({
  name: 'notice',
  table: 'notices',
  owners: [],
  fields: {
    domainId: {
      ...reference({ to: 'domain', whenGone: 'remove' }),
      unique: { key: (domainId: string) => domainId, taken: () => 'is there already' },
    },
    /** When the last spike was told, milliseconds since the epoch; null: never. */
    spikeToldMs: kept(nullable(number), () => null),
    /** The hit after which nothing came, as the last warning had it; 0: there never was one. */
    warnedOfMs: kept(nullable(number), () => null),
  },
});

export type Notice = RecordType<typeof notice>;

/** What was told of a domain; null: nothing yet. */
export function noticeOf(view: Look, domainId: string): Notice | null {
  return view.by(notice, 'domainId', domainId);
}
