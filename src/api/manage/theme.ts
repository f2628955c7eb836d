/** Themes of users and organizations, and the files of any theme (M-70, M-71). */
import { listOf } from '../../base/schema.ts';
import { TEXT } from '../../control/descriptor/fields.ts';
import type { Place } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import type { RecordRequest } from '../../control/records.ts';
import { domain } from '../../control/resources/domain.ts';
import { member } from '../../control/resources/member.ts';
import { organization } from '../../control/resources/organization.ts';
import {
  THEME_FILE_NAMES,
  type Theme,
  type ThemeFile,
  theme,
  themeLayers,
} from '../../control/resources/theme.ts';
import { user } from '../../control/resources/user.ts';
import { saveTheme, type ThemeTarget, themeRemoval, withoutFile } from '../../control/themes.ts';
import { errors } from '../../model/errors.ts';
import {
  firstValue,
  parseQueryString,
  type QueryParameters,
} from '../../query/question/parameters.ts';
import type { Endpoint, Part } from '../endpoint.ts';
import { json, NOTHING, optional, READS, required, users } from '../presets.ts';
import { Problems } from '../problems.ts';
import { requiredValue, viewingOf } from './permitted.ts';
import { checkThemeRole, permittedTheme, type ThemeAsked } from './permitted-theme.ts';
import { requestOf } from './resource-endpoints.ts';
import { themeForm } from './theme-form.ts';

const PATH = '/api/v1/theme';
const FORM = themeForm({
  required: [],
  fields: {
    ...{ id: TEXT, copy_id: TEXT, domain_id: TEXT, organization_id: TEXT },
    ...{ name: TEXT, settings: { type: ['object', 'null'] } },
  },
});
const SHAPE = wireSchema(theme);
/** Parameter → the field of a domain that it names. */
const SELECTORS = { subdomain: 'subdomain', domain: 'customDomain' } as const;

/** For users only: a client of a domain changes what the domain has for itself, at domain/theme. */
export const themeEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, auth: users('themes', 'r', 'Admin') },
    summary: 'Lists the themes of the user, of an organization, or those that a domain shows.',
    parameters: [
      optional('include_organizations', 'true: also those of organizations it is Admin of.'),
      optional('organization_id', 'The id of an organization.'),
      optional('subdomain', 'The subdomain of a dashboard.'),
      optional('domain', 'The custom hostname of a dashboard.'),
    ],
    answer: json(listOf(SHAPE)),
    handle: (call, ports) => said(listed({ call, ports }), { call, ports }),
  },
  {
    ...{ method: 'POST', path: PATH, needsReady: true, auth: users('themes', 'w', 'Admin') },
    summary: 'Makes a theme, changes the one of an id, or copies the one of a copy_id.',
    ...{ parameters: [], body: FORM.body, answer: json(SHAPE) },
    handle: (call, ports) => posted({ call, ports }),
  },
  {
    ...{ method: 'DELETE', path: PATH, needsReady: true, auth: users('themes', 'w', 'Admin') },
    summary: 'Removes a theme.',
    parameters: [
      required('id', 'The id of the theme.'),
      optional('keep_settings', 'true: domains go on showing what they have of it.'),
    ],
    ...{ body: null, answer: json(NOTHING) },
    handle: (call, ports) => removed({ call, ports }),
  },
  {
    ...{ method: 'DELETE', path: `${PATH}/file`, needsReady: true },
    auth: users('themes', 'w', 'Admin'),
    summary: 'Removes a file of a theme, or of what a domain has for itself.',
    parameters: [
      optional('theme_id', 'The id of a theme; this or domain_id is required.'),
      optional('domain_id', 'The id of a domain.'),
      required('file', `One of ${THEME_FILE_NAMES.join(', ')}.`),
    ],
    ...{ body: null, answer: json(NOTHING) },
    handle: (call, ports) => fileRemoved({ call, ports }),
  },
];

function said(themes: readonly Theme[], asked: ThemeAsked): string {
  const viewing = viewingOf(asked);
  return JSON.stringify(themes.map((one) => toWire(theme, one, viewing)));
}

function listed(asked: ThemeAsked): readonly Theme[] {
  const { ports } = asked;
  const parameters = parseQueryString(asked.call.query);
  const organizationId = firstValue(parameters, 'organization_id');
  if (organizationId !== undefined) {
    checkThemeRole(asked, { kind: organization.name, id: organizationId });
    return ports.records.list(theme, 'organizationId', organizationId);
  }
  for (const parameter of Object.keys(SELECTORS) as (keyof typeof SELECTORS)[]) {
    const value = firstValue(parameters, parameter);
    if (value !== undefined) return byAge(shownBy(parameter, value, asked));
  }
  const { userId } = viewingOf(asked);
  const own = ports.records.list(theme, 'ownerId', userId);
  if (!isOn(parameters, 'include_organizations')) return own;
  return byAge([
    ...own,
    ...organizationsOf(asked).flatMap((id) => ports.records.list(theme, 'organizationId', id)),
  ]);
}

/** The themes that the page of a domain is made of. */
function shownBy(parameter: keyof typeof SELECTORS, value: string, asked: ThemeAsked): Theme[] {
  const { call, ports } = asked;
  const domains = call.credential === null ? [] : ports.access.domainsOf(call.credential);
  const site = domains.find((one) => one[SELECTORS[parameter]] === value);
  if (site === undefined) throw errors.DOMAIN_UNMATCHED({ parameter, value });
  checkThemeRole(asked, { kind: domain.name, id: site.id });
  return [...new Set(themeLayers(site, viewingOf(asked).view))];
}

/** Organizations whose domains the caller may give a theme to: as owner, and as Admin. */
function organizationsOf(asked: ThemeAsked): string[] {
  const { view, userId } = viewingOf(asked);
  const own = view.of(organization, 'userId', userId).map(({ id }) => id);
  const shared = view
    .of(member, 'userId', userId)
    .flatMap(({ role, organizationId: id }) => (role === 'Admin' && id !== null ? [id] : []));
  return [...new Set([...own, ...shared])];
}

function byAge(themes: readonly Theme[]): Theme[] {
  return themes.toSorted(
    (left, right) => left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1),
  );
}

async function posted(asked: ThemeAsked): Promise<string> {
  const { call, ports } = asked;
  const { data, files } = FORM.read(call.body as readonly Part[]);
  const target = permittedTarget(data, asked);
  const copyOf = idIn(data, 'copy_id') || null;
  if (copyOf !== null) permittedTheme(asked, copyOf);
  const { name, settings } = data;
  const owner = target.kind === 'new' ? { organization_id: idIn(data, 'organization_id') } : {};
  const request = { ...requestOf(call), sent: { ...owner, name, settings } };
  const saved = await saveTheme(ports, { target, copyOf, files }, request);
  return JSON.stringify(toWire(theme, saved, viewingOf(asked)));
}

/** What a body is about, if the caller may change that. */
function permittedTarget(data: RecordRequest['sent'], asked: ThemeAsked): ThemeTarget {
  const [id, domainId, organizationId] = ['id', 'domain_id', 'organization_id'].map((name) =>
    idIn(data, name),
  ) as [string, string, string];
  const problems = new Problems();
  if (id !== '' && idIn(data, 'copy_id') !== '') problems.add('copy_id', 'must not stand with id');
  if (id === '' && domainId !== '' && organizationId !== '') {
    problems.add('organization_id', 'must not stand with domain_id');
  }
  if (!problems.isEmpty) throw problems.error();
  if (id !== '') return { kind: 'id', id: permittedTheme(asked, id).id };
  checkThemeRole(asked, placeIn(domainId, organizationId, viewingOf(asked).userId));
  return domainId === '' ? { kind: 'new' } : { kind: 'domain', id: domainId };
}

function placeIn(domainId: string, organizationId: string, userId: string): Place {
  if (domainId !== '') return { kind: domain.name, id: domainId };
  if (organizationId !== '') return { kind: organization.name, id: organizationId };
  return { kind: user.name, id: userId };
}

async function removed(asked: ThemeAsked): Promise<string> {
  const { call, ports } = asked;
  const parameters = parseQueryString(call.query);
  const wanted = requiredValue(parameters, 'id', 'the id of a theme');
  const { id } = permittedTheme(asked, wanted);
  const keeps = isOn(parameters, 'keep_settings');
  const { userId, by, nowMs } = requestOf(call);
  await ports.records.decide({ by, nowMs }, (view, atMs) => {
    return { changes: themeRemoval(id, keeps, { view, userId, nowMs: atMs }), result: null };
  });
  return '{}';
}

async function fileRemoved(asked: ThemeAsked): Promise<string> {
  const { call, ports } = asked;
  const parameters = parseQueryString(call.query);
  const name = requestedFile(parameters);
  const target = requestedTarget(parameters, asked);
  await ports.records.decide(requestOf(call), (view, nowMs) => {
    return { changes: withoutFile(target, name, { view, nowMs }), result: null };
  });
  return '{}';
}

function requestedFile(parameters: QueryParameters): ThemeFile {
  const given = requiredValue(parameters, 'file', THEME_FILE_NAMES.join(' or '));
  const name = THEME_FILE_NAMES.find((one) => one === given);
  if (name !== undefined) return name;
  const validation = { file: `must be ${THEME_FILE_NAMES.join(' or ')}` };
  throw errors.VALIDATION_FAILED({ validation });
}

function requestedTarget(parameters: QueryParameters, asked: ThemeAsked): ThemeTarget {
  const domainId = firstValue(parameters, 'domain_id');
  const themeId = firstValue(parameters, 'theme_id');
  if (themeId === undefined && domainId !== undefined) {
    checkThemeRole(asked, { kind: domain.name, id: domainId });
    return { kind: 'domain', id: domainId };
  }
  const id = requiredValue(parameters, 'theme_id', 'the id of a theme, or domain_id');
  return { kind: 'id', id: permittedTheme(asked, id).id };
}

function isOn(parameters: QueryParameters, name: string): boolean {
  const value = firstValue(parameters, name);
  return value === 'true' || value === '1';
}

function idIn(data: RecordRequest['sent'], name: string): string {
  return String(data[name] ?? '').trim();
}
