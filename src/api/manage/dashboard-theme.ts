/** Which theme a dashboard shows: of a domain, and of the domains of an organization (M-71). */
import { mapOf, string } from '../../base/schema.ts';
import { changed } from '../../control/descriptor/draft.ts';
import { REQUIRED_TEXT, TEXT } from '../../control/descriptor/fields.ts';
import type { Base, Resource } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { notFound } from '../../control/records.ts';
import { type Domain, domain } from '../../control/resources/domain.ts';
import { organization } from '../../control/resources/organization.ts';
import { shownTheme, theme } from '../../control/resources/theme.ts';
import { saveTheme } from '../../control/themes.ts';
import type { Call, Endpoint, Part } from '../endpoint.ts';
import { json, jsonBody, managers, NOTHING, users } from '../presets.ts';
import { type Asked, checkRole, viewingOf } from './permitted.ts';
import { choosableTheme, type ThemeAsked } from './permitted-theme.ts';
import { requestOf } from './resource-endpoints.ts';
import { themeForm } from './theme-form.ts';

const FORM = themeForm({
  required: ['domain_id'],
  fields: { domain_id: REQUIRED_TEXT, settings: { type: ['object', 'null'] } },
});
const ORGANIZATION = users('organizations', 'w', 'Owner');

/** What a domain has for itself stands over the theme that is chosen, and that over the default. */
export const dashboardThemeEndpoints: readonly Endpoint[] = [
  {
    ...{ method: 'PUT', path: '/api/v1/domain/theme', needsReady: true },
    summary: 'Chooses the theme of a domain; without theme_id none. Answers what is shown then.',
    ...{ auth: managers('domains', 'w', 'Admin'), parameters: [] },
    body: jsonBody({
      required: ['domain_id'],
      fields: { domain_id: REQUIRED_TEXT, theme_id: TEXT },
    }),
    answer: json(mapOf(string)),
    handle: (call, ports) => chosen({ call, ports, role: 'Admin' }),
  },
  {
    ...{ method: 'POST', path: '/api/v1/domain/theme', needsReady: true },
    summary: 'Changes the settings and files that a domain has for itself.',
    ...{ auth: managers('domains', 'w', 'Admin'), parameters: [] },
    ...{ body: FORM.body, answer: json(wireSchema(domain)) },
    handle: (call, ports) => changedOwn({ call, ports, role: 'Admin' }),
  },
  {
    ...{ method: 'PUT', path: '/api/v1/organization/theme', needsReady: true },
    summary: 'Chooses the theme that domains of an organization show below their own.',
    ...{ auth: ORGANIZATION, parameters: [] },
    body: jsonBody({
      required: ['organization_id'],
      fields: { organization_id: REQUIRED_TEXT, theme_id: TEXT },
    }),
    answer: json(NOTHING),
    handle: (call, ports) => chosenDefault({ call, ports, role: 'Owner' }),
  },
];

async function chosen(asked: Asked): Promise<string> {
  const site = domainIn(asked.call.body, asked);
  await choose(domain, site.id, themeIn(asked, site), asked);
  const { view } = viewingOf(asked);
  return JSON.stringify(shownTheme(view.find(domain, site.id) ?? site, view));
}

async function changedOwn(asked: Asked): Promise<string> {
  const { call, ports } = asked;
  const { data, files } = FORM.read(call.body as readonly Part[]);
  const site = domainIn(data, asked);
  const request = { ...requestOf(call), sent: { settings: data['settings'] } };
  const target = { kind: 'domain', id: site.id } as const;
  await saveTheme(ports, { target, copyOf: null, files }, request);
  return JSON.stringify(toWire(domain, ports.access.domain(site.id) ?? site, viewingOf(asked)));
}

async function chosenDefault(asked: Asked): Promise<string> {
  const { organization_id: id } = asked.call.body as { organization_id: string };
  const place = { kind: organization.name, id };
  checkRole(asked, place, place);
  await choose(organization, id, themeIn(asked, null), asked);
  return '{}';
}

function domainIn(body: unknown, asked: Asked): Domain {
  const { domain_id: id } = body as { domain_id: string };
  const place = { kind: domain.name, id };
  checkRole(asked, place, place);
  return asked.ports.access.domain(id) as Domain;
}

function themeIn(asked: ThemeAsked, site: Domain | null): string | null {
  const { theme_id: sent } = asked.call.body as { theme_id?: string | null };
  const id = (sent ?? '').trim();
  return id === '' ? null : choosableTheme(asked, id, site).id;
}

/** A domain, or an organization, from now on with a theme or with none. */
async function choose<Rec extends Base & { readonly themeId: string | null }>(
  resource: Resource<Rec>,
  id: string,
  themeId: string | null,
  { call, ports }: ThemeAsked & { readonly call: Call },
): Promise<void> {
  await ports.records.decide(requestOf(call), (view, modifiedMs) => {
    const before = view.find(resource, id);
    if (before === null) throw notFound(resource, id);
    if (themeId !== null && view.find(theme, themeId) === null) throw notFound(theme, themeId);
    if (before.themeId === themeId) return { changes: [], result: null };
    return { changes: [changed(resource, { ...before, themeId, modifiedMs })], result: null };
  });
}
