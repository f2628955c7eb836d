/** The kinds of records of a site, in the order of the page. */
import { FILTER_WORDS } from '../../view/filters.ts';
import { siteAddress } from '../../view/host.ts';
import { go, place as page } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import type { Field } from '../forms/fields.ts';
import { Deliveries } from '../out/deliveries.tsx';
import { InactiveWebhook } from '../out/inactive-webhook.tsx';
import type { Place } from '../place.ts';
import { FunnelResult } from './funnel-result.tsx';
import { GoalResult } from './goal-result.tsx';
import { by, type Rec, type RecordKind, text } from './records.ts';
import { SCOPES, scopeField, scopesOf } from './scopes.ts';

const BY_DOMAIN = { listed: by('domain_id'), made: by('domain_id') } as const;
const DESCRIPTION: Field = { name: 'description', label: 'description', kind: 'text' };
const NAME: Field = { name: 'name', label: 'name', kind: 'text', isRequired: true };
const EMAILS: Field = {
  ...{ name: 'emails', label: 'emails', kind: 'lines', isRequired: true, isOnce: true },
};

const hasMetric = ({ custom_metric_key: key }: Readonly<Record<string, unknown>>) =>
  text(key).trim() !== '';
const hasEvent = ({ event_name: name }: Readonly<Record<string, unknown>>) => text(name) !== '';

export const GOALS: RecordKind = {
  ...{ key: 'goals', title: 'goals', hint: 'goalsHint', none: 'goalsNone', path: 'goal' },
  ...{ listed: by('id'), made: by('domain_id'), change: 'PUT' },
  fields: [
    NAME,
    { name: 'path_pattern', label: 'pattern', kind: 'text', hint: 'pathPatternHint' },
    { name: 'event_name', label: 'event', kind: 'text', hint: 'eventHint' },
    { name: 'event_meta_key', label: 'eventKey', kind: 'text', isShown: hasEvent },
    { name: 'event_meta_value', label: 'eventValue', kind: 'text', isShown: hasEvent },
    { name: 'custom_metric_key', label: 'metricKey', kind: 'text', hint: 'metricKeyHint' },
    {
      ...{ name: 'custom_metric_type', label: 'metricType', kind: 'choice', isShown: hasMetric },
      choices: [
        ['integer', 'wholeNumber'],
        ['float', 'fraction'],
      ],
    },
    { name: 'visitors', label: 'targetVisitors', kind: 'number', shownAs: 'visitor_goal' },
    { name: 'cr', label: 'targetRate', kind: 'number', shownAs: 'cr_goal' },
    {
      ...{ name: 'custom_metric_total_goal', label: 'targetTotal', kind: 'number' },
      isShown: hasMetric,
    },
    {
      ...{ name: 'custom_metric_avg_goal', label: 'targetAverage', kind: 'number' },
      isShown: hasMetric,
    },
    { name: 'delete_reached', label: 'deleteReached', kind: 'switch' },
    { name: 'email_reached', label: 'emailReached', kind: 'switch' },
  ],
  told: (goal) => ({
    name: text(goal['name']),
    more: [text(goal['path_pattern']), text(goal['event_name'])].filter(Boolean).join(' · '),
  }),
  preview: (values, place) => <GoalResult values={values} place={place} />,
};

export const FUNNELS: RecordKind = {
  ...{ key: 'funnels', title: 'funnels', hint: 'funnelsHint', none: 'funnelsNone' },
  ...{ path: 'funnel', listed: by('id'), made: by('domain_id'), change: 'PUT' },
  fields: [NAME, { name: 'steps', label: 'steps', kind: 'steps' }],
  told: (funnel) => ({
    name: text(funnel['name']),
    more: (funnel['steps'] as { name: string }[])
      .map(({ name }, at) => name || say('stepName', { number: String(at + 1) }))
      .join(' → '),
  }),
  preview: (values, place) => <FunnelResult values={values} place={place} />,
};

export const LINKS: RecordKind = {
  ...{ key: 'links', title: 'links', hint: 'linksHint', none: 'linksNone' },
  ...{ path: 'domain/link', change: 'PUT', ...BY_DOMAIN },
  fields: [
    DESCRIPTION,
    { name: 'expires', label: 'expires', kind: 'moment', hint: 'expiresHint' },
    { name: 'filter', label: 'pinnedFilters', kind: 'filters', hint: 'pinnedFiltersHint' },
    { name: 'frame', label: 'frames', kind: 'lines', hint: 'framesHint' },
  ],
  told: (link, { domain }) => ({
    name: text(link['description']) || text(link['code']),
    more: linkAddress(domain, link),
    address: linkAddress(domain, link),
  }),
};

function linkAddress(domain: Place['domain'], { code }: Rec): string {
  return domain === null ? '' : `${siteAddress(domain)}?access=${text(code)}`;
}

/** Whoever is an Admin leaves other Admins as they are (M-30). */
const isBelow = (role: unknown, userId: unknown, { domain, me }: Place) =>
  role !== 'Admin' || domain?.user_role === 'Owner' || userId === me.id;

export const MEMBERS: RecordKind = {
  ...{ key: 'members', title: 'members', hint: 'membersHint', none: 'membersNone' },
  ...{ path: 'member', listed: by('id'), made: by('id'), change: 'PUT' },
  fields: [
    EMAILS,
    {
      ...{ name: 'role', label: 'role', kind: 'choice' },
      choices: [
        ['Viewer', 'viewer'],
        ['Admin', 'admin'],
      ],
    },
  ],
  isChanged: (member, place) => isBelow(member['role'], member['user_id'], place),
  told: (member) => {
    const user = (member['user'] ?? {}) as Rec;
    const role = member['role'] === 'Admin' ? say('admin') : say('viewer');
    const name = text(user['full_name']) || text(user['email']);
    return { name, more: [text(user['email']), role].filter(Boolean).join(' · ') };
  },
};

export const INVITATIONS: RecordKind = {
  ...{ key: 'invitations', title: 'invitations', hint: 'invitationsHint', none: 'invitationsNone' },
  ...{ path: 'invitation', listed: by('domain_id'), made: by('domain_id') },
  ...{ removed: by('domain_id'), change: null, fields: [] },
  told: (invitation) => ({ name: text(invitation['email']), more: '' }),
};

export const CLIENTS: RecordKind = {
  ...{ key: 'clients', title: 'clients', hint: 'clientsHint', none: 'clientsNone', path: 'client' },
  ...{ listed: by('id'), made: by('domain_id'), change: 'POST' },
  fields: [
    DESCRIPTION,
    {
      ...{ name: 'type', label: 'kind', kind: 'choice', isOnce: true },
      choices: [
        ['oauth', 'oauthClient'],
        ['token', 'accessKey'],
      ],
    },
    ...SCOPES.map(scopeField),
  ],
  told: (client) => ({
    name:
      text(client['description']) || say(client['type'] === 'token' ? 'accessKey' : 'oauthClient'),
    more: [text(client['client_id']), ...scopesOf(client)].join(' · '),
  }),
  secrets: ['client_id', 'client_secret'],
};

export const ALTERNATIVES: RecordKind = {
  ...{ key: 'alternatives', title: 'alternatives', hint: 'alternativesHint' },
  ...{ none: 'alternativesNone', path: 'domain/alternative', change: 'PUT', ...BY_DOMAIN },
  fields: [{ name: 'hostname', label: 'hostname', kind: 'text', isRequired: true }],
  told: (one) => ({ name: text(one['hostname']), more: '' }),
};

export const WEBHOOKS: RecordKind = {
  ...{ key: 'webhooks', title: 'webhooks', hint: 'webhooksHint', none: 'webhooksNone' },
  ...{ path: 'webhook', change: 'POST', changed: (_, place) => by('domain_id')(place) },
  ...BY_DOMAIN,
  fields: [
    DESCRIPTION,
    { name: 'event', label: 'event', kind: 'text', isRequired: true },
    { name: 'endpoint', label: 'endpoint', kind: 'url', isRequired: true },
  ],
  told: (one) => ({
    name: text(one['description']) || text(one['event']),
    more: [
      text(one['event']),
      text(one['endpoint']),
      ...(one['active'] === false ? [say('notActive')] : []),
    ].join(' · '),
  }),
  secrets: ['secret'],
  tools: [{ label: 'deliveries', show: ({ id }) => <Deliveries key={id} id={id} /> }],
  notice: (record, place, onDone) =>
    record['active'] === false && <InactiveWebhook {...{ record, place, onDone }} />,
};

export const REPORTS: RecordKind = {
  ...{ key: 'reports', title: 'reports', hint: 'reportsHint', none: 'reportsNone', path: 'report' },
  ...{ listed: by('id'), made: by('domain_id'), change: 'PUT' },
  fields: [
    EMAILS,
    { name: 'interval', label: 'weeks', kind: 'number', isRequired: true, hint: 'weeksHint' },
    {
      ...{ name: 'link_to', label: 'linkTo', kind: 'choice' },
      choices: [
        ['', 'linkNone'],
        ['dashboard', 'linkDashboard'],
        ['public', 'linkPublic'],
        ['custom', 'linkCustom'],
      ],
    },
    {
      ...{ name: 'language', label: 'language', kind: 'choice', hint: 'reportLanguageHint' },
      choices: [
        ['', 'languageOwn'],
        ['en', 'languageEn'],
        ['de', 'languageDe'],
      ],
    },
  ],
  told: (report) => ({
    name: text(report['email']),
    more: everyText(Number(report['interval'])),
  }),
};

function everyText(weeks: number): string {
  if (weeks === 0) return say('daily');
  return weeks === 1 ? say('everyWeek') : say('everyWeeks', { count: weeks });
}

export const VIEWS: RecordKind = {
  ...{ key: 'views', title: 'savedViews', hint: 'savedViewsHint', none: 'savedViewsNone' },
  ...{ path: 'view', ...BY_DOMAIN, change: 'POST', changes: ['name'] },
  fields: [],
  changed: ({ id: _, ...record }) => record,
  isChanged: (one, { domain, me }) => domain?.user_role !== 'Viewer' || one['user_id'] === me.id,
  told: (one) => ({
    name: text(one['name']),
    more: `${text(one['from'])} – ${text(one['to'])}`,
    href: page.value.path + searchOf(one),
  }),
};

/** The address of a saved view: its days and its filters. */
function searchOf(record: Rec): string {
  const given = new URLSearchParams({ from: text(record['from']), to: text(record['to']) });
  for (const name of Object.keys(FILTER_WORDS)) {
    const value = record[name] ?? [];
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, String(one));
  }
  return `?${given.toString()}`;
}

/** A link of this page, unless a window of its own is asked for. */
export function follow(event: MouseEvent, path: string, search: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(path, search);
}
