/** The table's rows of members, invitations, clients and users. */
import {
  ANYBODY,
  ANYBODY_BUT_BAD,
  type ByPerson,
  CHANGE_AS_USER,
  CHANGE_ORGANIZATION,
  ITSELF,
  NOBODY_SEES,
  OWN_DOMAINS,
  OWNER,
  READ_AS_ADMIN,
  READ_ORGANIZATION,
  type Row,
  VIEWER,
} from './row.ts';
import type { World } from './world.ts';

const idQuery = ({ domain }: World) => ({ id: domain });
const organizationQuery = ({ organization }: World) => ({ organization_id: organization });

/** An Admin may not touch another one (M-3); the organization's owner is an Admin of the domain. */
const OVER_AN_ADMIN: ByPerson = OWNER;
/** Who sees the domain sees that there is an invitation, which only the invited person accepts (M-31). */
const NOT_INVITED: ByPerson = {
  ...{ owner: 403, admin: 403, viewer: 403 },
  ...{ orgOwner: 403, orgAdmin: 403, orgViewer: 403, stranger: 404 },
};

const members: readonly Row[] = [
  { ...READ_AS_ADMIN, at: 'GET member', how: 'of a domain', query: idQuery },
  { ...READ_ORGANIZATION, at: 'GET member', how: 'of an organization', query: organizationQuery },
  {
    ...{ ...CHANGE_AS_USER, at: 'POST member', how: 'of a domain' },
    body: ({ domain }) => ({ id: domain, emails: ['new@example.org'] }),
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'POST member', how: 'of an organization' },
    body: ({ organization }) => ({ organization_id: organization, emails: ['new@example.org'] }),
  },
  {
    ...{ ...CHANGE_AS_USER, at: 'PUT member', how: 'a Viewer of a domain' },
    body: ({ guest }) => ({ id: guest, role: 'Admin' }),
  },
  {
    ...{ ...CHANGE_AS_USER, at: 'PUT member', how: 'an Admin of a domain', people: OVER_AN_ADMIN },
    body: ({ coAdmin }) => ({ id: coAdmin, role: 'Viewer' }),
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'PUT member', how: 'of an organization' },
    body: ({ orgGuest }) => ({ id: orgGuest, role: 'Admin' }),
  },
  {
    ...{ ...CHANGE_AS_USER, at: 'DELETE member', how: 'a Viewer of a domain' },
    query: ({ guest }) => ({ id: guest }),
  },
  {
    ...{ ...CHANGE_AS_USER, at: 'DELETE member', how: 'an Admin of a domain' },
    ...{ people: OVER_AN_ADMIN, query: ({ coAdmin }) => ({ id: coAdmin }) },
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'DELETE member', how: 'of an organization' },
    query: ({ orgGuest }) => ({ id: orgGuest }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'DELETE member', how: 'oneself, of a domain' },
    people: {
      ...VIEWER,
      owner: null,
      orgOwner: null,
      orgAdmin: null,
      orgViewer: null,
      stranger: null,
    },
    query: (_, own) => ({ id: own.membership }),
  },
];

const invitations: readonly Row[] = [
  { ...OWN_DOMAINS, at: 'GET invitation', how: 'of ones own', scopes: ['domains r'] },
  {
    ...{ ...READ_AS_ADMIN, at: 'GET invitation', how: 'of a domain' },
    query: ({ domain }) => ({ domain_id: domain }),
  },
  {
    ...{ ...READ_ORGANIZATION, at: 'GET invitation', how: 'of an organization' },
    query: organizationQuery,
  },
  {
    ...{ ...OWN_DOMAINS, at: 'POST invitation', how: 'of ones own' },
    body: (_, own) => ({ id: own.invitation }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'POST invitation', how: 'of another' },
    ...{ people: NOT_INVITED, body: ({ invitation }) => ({ id: invitation }) },
  },
  {
    ...{ ...OWN_DOMAINS, at: 'DELETE invitation', how: 'of ones own' },
    query: (_, own) => ({ id: own.invitation }),
  },
  {
    ...{ ...CHANGE_AS_USER, at: 'DELETE invitation', how: 'of a domain' },
    query: ({ domain, invitation }) => ({ id: invitation, domain_id: domain }),
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'DELETE invitation', how: 'of an organization' },
    query: ({ organization, orgInvitation }) => ({
      ...{ id: orgInvitation, organization_id: organization },
    }),
  },
];

const SCOPES = { scope_statistics: 'r', scope_domains: 'w' };

const clients: readonly Row[] = [
  {
    ...{ ...CHANGE_AS_USER, at: 'GET client', how: 'of a domain', scopes: ['domains r'] },
    query: idQuery,
  },
  { ...OWN_DOMAINS, at: 'GET client', how: 'of ones own', scopes: ['domains r'] },
  {
    ...{ ...CHANGE_AS_USER, at: 'POST client', how: 'of a domain' },
    body: ({ domain }) => ({ domain_id: domain, type: 'oauth', description: 'a', ...SCOPES }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'POST client', how: 'of ones own' },
    body: () => ({ domain_id: '', type: 'oauth', description: 'a', ...SCOPES }),
  },
  {
    ...{ ...CHANGE_AS_USER, at: 'POST client', how: 'that is there, of a domain' },
    body: ({ domainClient }) => ({ id: domainClient, description: 'b' }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'POST client', how: 'that is there, of ones own' },
    body: (_, own) => ({ id: own.client, description: 'b' }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'POST client', how: 'that is there, of another', people: NOBODY_SEES },
    body: ({ foreignClient }) => ({ id: foreignClient, description: 'b' }),
  },
  {
    ...{ ...CHANGE_AS_USER, at: 'DELETE client', how: 'of a domain' },
    query: ({ domainClient }) => ({ id: domainClient }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'DELETE client', how: 'of ones own' },
    query: (_, own) => ({ id: own.client }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'DELETE client', how: 'of another', people: NOBODY_SEES },
    query: ({ foreignClient }) => ({ id: foreignClient }),
  },
];

/** Who owns a domain or an organization is told which, and stays (M-83). */
const OWNS_NOTHING: ByPerson = { ...ANYBODY, owner: 400, orgOwner: 400, stranger: 400 };

const users: readonly Row[] = [
  { ...ITSELF, at: 'GET user' },
  { ...ITSELF, at: 'PUT user', body: () => ({ full_name: 'Another Name' }) },
  { ...ITSELF, at: 'DELETE user', people: OWNS_NOTHING },
  { ...ITSELF, at: 'POST user/active' },
  { ...ITSELF, at: 'POST user/fullwidth' },
  { ...ITSELF, at: 'POST user/totp' },
  {
    ...{ ...ITSELF, at: 'POST user/totp/confirm', how: 'with nothing to confirm' },
    ...{ people: ANYBODY_BUT_BAD, body: () => ({ code: '000000' }) },
  },
  {
    ...{ ...ITSELF, at: 'DELETE user/totp', how: 'with a code of nothing' },
    ...{ people: ANYBODY_BUT_BAD, body: () => ({ code: '000000' }) },
  },
];

export const PEOPLE_ROWS: readonly Row[] = [...members, ...invitations, ...clients, ...users];
