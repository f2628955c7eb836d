/** Two resources that no version has, with everything a descriptor can say; tests add them to the list. */
import { boolean } from '../../src/base/schema.ts';
import {
  choice,
  flag,
  generated,
  kept,
  optionalReference,
  optionalText,
  reference,
  secret,
  text,
} from '../../src/control/descriptor/fields.ts';
import { defineResource, type Field } from '../../src/control/descriptor/resource.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from '../../src/control/resources/permissions.ts';
import { USERS } from '../../src/model/rights.ts';

/** Belongs to a domain; by POST with an id it is changed, as webhooks are. */
export const note = defineResource({
  name: 'note',
  table: 'notes',
  owners: ['domainId'],
  countMax: 3,
  surface: {
    path: 'note',
    read: READ_SETTINGS,
    change: WRITE_DOMAINS,
    listBy: { domain_id: 'domainId' },
    creates: 'record',
    changes: { by: 'POST', answers: 'record' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    title: text({ lengthMax: 10 }),
    body: optionalText({ lengthMax: 20 }),
    color: choice(['red', 'blue'], { absent: 'red' }),
    draft: flag(),
    code: generated(24),
    keyHash: secret('key', () => 'k'.repeat(40)),
    isPinned: { ...kept(boolean, () => false), wire: 'pinned' } as Field<boolean>,
  },
  actions: [
    {
      ...{ method: 'POST', path: 'note/pin', summary: 'Pins a note, or takes the pin away.' },
      ...{ idName: 'note_id', answers: 'nothing' },
      act: (record) => ({ ...record, isPinned: !record.isPinned }),
    },
    {
      ...{ method: 'PUT', path: 'note/color', summary: 'Says the color.', idName: 'id' },
      ...{ answers: 'record', sent: { color: { type: 'string' } } },
      permission: { ...WRITE_DOMAINS, callers: USERS },
      act: (record, { sent }) => ({ ...record, color: sent['color'] as 'red' }),
    },
  ],
});

/** Belongs to a note, and may name another one. */
export const remark = defineResource({
  name: 'remark',
  table: 'remarks',
  owners: ['noteId'],
  fields: {
    noteId: reference({ to: 'note', whenGone: 'remove' }),
    about: optionalReference({ to: 'note', whenGone: 'clear' }),
    name: text({
      unique: { key: (name) => name.toLowerCase(), taken: (name) => `'${name}' is taken` },
    }),
  },
});
