/** The table's rows of organizations and themes. */
import {
  ADMIN,
  ANYBODY,
  type ByPerson,
  CHANGE_ORGANIZATION,
  CHANGE_THEMES,
  NOBODY_SEES,
  ORGANIZATION_OWNER,
  READ_ORGANIZATION,
  READ_THEMES,
  type Row,
} from './row.ts';
import type { World } from './world.ts';

const OWN_ORGANIZATIONS = { ...CHANGE_ORGANIZATION, people: ANYBODY };
const idQuery = ({ organization }: World) => ({ id: organization });

/** An Admin of both may add a domain (M-3): who sees both but is less on one of them is told so. */
const ADMIN_OF_BOTH: ByPerson = {
  ...{ owner: 404, admin: 404, viewer: 404 },
  ...{ orgOwner: 200, orgAdmin: 200, orgViewer: 403, stranger: 404 },
};
const VIEWER_OF_THE_DOMAIN: ByPerson = { ...ADMIN_OF_BOTH, orgOwner: 403, orgAdmin: 403 };

const organizations: readonly Row[] = [
  { ...READ_ORGANIZATION, at: 'GET organization', people: ANYBODY },
  { ...OWN_ORGANIZATIONS, at: 'POST organization', body: () => ({ name: 'New' }) },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'PUT organization' },
    body: ({ organization }) => ({ id: organization, name: 'Renamed' }),
  },
  { ...CHANGE_ORGANIZATION, at: 'DELETE organization', query: idQuery },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'DELETE organization', how: 'with its domains' },
    query: (world) => ({ ...idQuery(world), delete_domains: 'true' }),
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'PUT organization/theme' },
    body: ({ organization, orgTheme }) => ({ organization_id: organization, theme_id: orgTheme }),
  },
  { ...READ_ORGANIZATION, at: 'GET organization/domain', query: idQuery },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'POST organization/domain', people: ADMIN_OF_BOTH },
    body: ({ organization, loose }) => ({ id: organization, domain_id: loose }),
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'POST organization/domain', how: 'that one only reads' },
    people: VIEWER_OF_THE_DOMAIN,
    body: ({ organization, watched }) => ({ id: organization, domain_id: watched }),
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'POST organization/domain', how: 'of another' },
    people: { ...NOBODY_SEES, orgViewer: null },
    unseen: ['unseen'],
    body: ({ organization, unseen }) => ({ id: organization, domain_id: unseen }),
  },
  {
    ...{ ...CHANGE_ORGANIZATION, at: 'DELETE organization/domain' },
    query: (world) => ({ ...idQuery(world), domain_id: world.domain }),
  },
];

const data = (fields: object) => [{ name: 'data', content: JSON.stringify(fields) }];
const THEME = { name: 'Dark', settings: { color: '#123456' } };

const themes: readonly Row[] = [
  { ...READ_THEMES, at: 'GET theme', how: 'of ones own' },
  {
    ...{ ...READ_THEMES, at: 'GET theme', how: 'with those of organizations' },
    query: () => ({ include_organizations: 'true' }),
  },
  {
    ...{ ...READ_THEMES, at: 'GET theme', how: 'of an organization', people: ORGANIZATION_OWNER },
    query: ({ organization }) => ({ organization_id: organization }),
  },
  { ...CHANGE_THEMES, at: 'POST theme', how: 'of ones own', form: () => data(THEME) },
  {
    ...{ ...CHANGE_THEMES, at: 'POST theme', how: 'that is there' },
    form: (_, own) => data({ ...THEME, id: own.theme }),
  },
  {
    ...{ ...CHANGE_THEMES, at: 'POST theme', how: 'of another', people: NOBODY_SEES },
    form: ({ foreignTheme }) => data({ ...THEME, id: foreignTheme }),
  },
  {
    ...{ ...CHANGE_THEMES, at: 'POST theme', how: 'of a domain', people: ADMIN },
    form: ({ domain }) => data({ ...THEME, domain_id: domain }),
  },
  {
    ...{ ...CHANGE_THEMES, at: 'POST theme', how: 'of an organization' },
    people: ORGANIZATION_OWNER,
    form: ({ organization }) => data({ ...THEME, organization_id: organization }),
  },
  {
    ...CHANGE_THEMES,
    at: 'DELETE theme',
    how: 'of ones own',
    query: (_, own) => ({ id: own.theme }),
  },
  {
    ...{ ...CHANGE_THEMES, at: 'DELETE theme', how: 'of an organization' },
    people: ORGANIZATION_OWNER,
    query: ({ orgTheme }) => ({ id: orgTheme, keep_settings: 'true' }),
  },
  {
    ...{ ...CHANGE_THEMES, at: 'DELETE theme', how: 'of another', people: NOBODY_SEES },
    query: ({ foreignTheme }) => ({ id: foreignTheme }),
  },
  {
    ...{ ...CHANGE_THEMES, at: 'DELETE theme/file', how: 'of ones own' },
    query: (_, own) => ({ theme_id: own.theme, file: 'logo_light' }),
  },
  {
    ...{ ...CHANGE_THEMES, at: 'DELETE theme/file', how: 'of a domain', people: ADMIN },
    query: ({ domain }) => ({ domain_id: domain, file: 'logo_light' }),
  },
];

export const ORGANIZATION_ROWS: readonly Row[] = [...organizations, ...themes];
