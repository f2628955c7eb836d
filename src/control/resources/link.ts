/** Access links: a code that shows one dashboard to whoever has it (M-20, F-35). */
import {
  DESCRIPTION_LENGTH_MAX,
  DOMAIN_CHILD_COUNT_MAX,
  LINK_CODE_LENGTH,
} from '../../model/limits.ts';
import { generated, reference, text } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from './permissions.ts';

/** Ends at once when it is removed. */
export const link = defineResource({
  name: 'link',
  table: 'links',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'domain/link',
    read: READ_SETTINGS,
    change: WRITE_DOMAINS,
    listBy: { domain_id: 'domainId' },
    creates: 'record',
    changes: { by: 'PUT', answers: 'nothing' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    code: {
      ...generated(LINK_CODE_LENGTH),
      unique: { key: (code: string) => code, taken: () => 'is taken' },
    },
    description: text({ lengthMax: DESCRIPTION_LENGTH_MAX, absent: () => '' }),
  },
});
