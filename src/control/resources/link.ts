/** Access links: a code that shows one dashboard to whoever has it (M-20, F-35). */
import { DESCRIPTION_LENGTH_MAX, LINK_CODE_LENGTH } from '../../model/limits.ts';
import { generated, reference, text } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';

/** Ends at once when it is removed. */
export const link = defineResource({
  name: 'link',
  table: 'links',
  owners: ['domainId'],
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    code: {
      ...generated(LINK_CODE_LENGTH),
      unique: { key: (code: string) => code, taken: () => 'is taken' },
    },
    description: text({ lengthMax: DESCRIPTION_LENGTH_MAX, absent: () => '' }),
  },
});
