/** The kinds of records of an account, which belong to no single site. */
import { say } from '../../words/settings.ts';
import { CLIENTS } from '../lists/record-kinds.tsx';
import { type RecordKind, text } from '../lists/records.ts';
import { scopeField } from '../lists/scopes.ts';

const nothing = () => ({});

/** Clients that act as their user, within their scopes (M-40). */
export const ACCOUNT_CLIENTS: RecordKind = {
  ...CLIENTS,
  ...{ hint: 'accountClientsHint', listed: nothing, made: nothing },
  fields: [...CLIENTS.fields, ...(['organizations', 'themes', 'billing'] as const).map(scopeField)],
};

export const ORGANIZATIONS: RecordKind = {
  ...{ key: 'organizations', title: 'organizations', hint: 'organizationsHint' },
  ...{ none: 'organizationsNone', path: 'organization', listed: nothing, made: nothing },
  ...{ change: 'PUT' },
  fields: [{ name: 'name', label: 'name', kind: 'text', isRequired: true }],
  isChanged: ({ can_edit: canEdit }) => canEdit === true,
  // Its end is a page of its own, where its name is typed (D-17).
  isRemoved: () => false,
  told: (one) => ({
    name: text(one['name']),
    href: `/?settings=sites&organization=${one.id}`,
    more: say('organizationMore', {
      ...{ members: String(one['member']), domains: String(one['domains']) },
      role: say(`role${text(one['role']) as 'Owner'}`),
    }),
  }),
};
