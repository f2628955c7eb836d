/** What a domain has of a search console: the file with its rows, and which days they are of (P-4). */
import { integer, nullable, string } from '../../base/schema.ts';
import { kept, reference } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';

/** At most one a domain; it goes with the domain, and the file with it. */
export const keywords = defineResource({
  name: 'keywords',
  table: 'keywords',
  owners: ['domainId'],
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    file: {
      ...kept(nullable(string), () => null),
      refersTo: { to: 'file', whenGone: 'clear', whenUnused: 'remove' },
    },
    rowCount: kept(integer, () => 0),
    /** Days, both included. */
    from: kept(string, () => ''),
    to: kept(string, () => ''),
  },
});

export type StoredKeywords = RecordType<typeof keywords>;
