/** The parts of the settings, a row each: what is shown, and who may see it (M-3). */
import type { ComponentChildren } from 'preact';
import type { Domain } from '../site/site-data.ts';
import type { SayKey } from '../words/settings.ts';
import { ACCOUNT_CLIENTS, ORGANIZATIONS } from './account/account-kinds.tsx';
import { ThemesPage } from './account/themes.tsx';
import { UsagePage } from './account/usage.tsx';
import { ExportPage } from './data/export-page.tsx';
import { ImportPage } from './data/import-page.tsx';
import {
  ALTERNATIVES,
  CLIENTS,
  FUNNELS,
  GOALS,
  INVITATIONS,
  LINKS,
  MEMBERS,
  REPORTS,
  VIEWS,
  WEBHOOKS,
} from './lists/record-kinds.tsx';
import { RecordLists } from './lists/record-list.tsx';
import type { RecordKind } from './lists/records.ts';
import { OrganizationDeletion, OrganizationGeneral } from './organization/general.tsx';
import {
  ORGANIZATION_INVITATIONS,
  ORGANIZATION_MEMBERS,
} from './organization/organization-kinds.tsx';
import { OrganizationSites } from './organization/sites.tsx';
import type { Organization, OrganizationPlace, Place, SitePlace } from './place.ts';
import { Addresses, General, Notifications } from './site/general.tsx';
import { Leaving } from './site/leaving.tsx';
import { Deletion, Erasure, Transfer } from './site/ownership.tsx';
import { ThemePage } from './site/theme.tsx';
import { Arrivals } from './traffic/arrivals.tsx';
import { Audit } from './traffic/audit.tsx';
import { TagPage } from './traffic/tag-page.tsx';

/** One part, with an address of its own: `?settings=<key>`. */
export interface Part {
  readonly key: string;
  readonly title: SayKey;
  readonly group: SayKey;
  /** The least role that may read it. */
  readonly role: 'Viewer' | 'Admin' | 'Owner';
  readonly show: (place: Place) => ComponentChildren;
}

type SiteView = (place: SitePlace) => ComponentChildren;

const RANKS = { Viewer: 0, Admin: 1, Owner: 2 } as const;

/** A part of a site that is a page of its own. */
function page(key: string, title: SayKey, group: SayKey, View: SiteView): Part {
  return { key, title, group, role: 'Admin', show: (place) => <View {...(place as SitePlace)} /> };
}

/** A part that is a list of records. */
function list(kind: RecordKind, group: SayKey, ...more: readonly RecordKind[]): Part {
  const show = (place: Place) => (
    <RecordLists key={kind.key} kinds={[kind, ...more]} place={place} />
  );
  return { key: kind.key, title: kind.title, group, role: 'Admin', show };
}

const SITE_PARTS: readonly Part[] = [
  page('general', 'general', 'groupSite', General),
  page('theme', 'theme', 'groupSite', ThemePage),
  page('snippet', 'snippet', 'groupCounting', TagPage),
  list(ALTERNATIVES, 'groupCounting'),
  page('addresses', 'addresses', 'groupCounting', Addresses),
  page('arrivals', 'arrivals', 'groupCounting', Arrivals),
  list(MEMBERS, 'groupPeople', INVITATIONS),
  list(LINKS, 'groupPeople'),
  list(CLIENTS, 'groupPeople'),
  list(GOALS, 'groupGoals'),
  list(FUNNELS, 'groupGoals'),
  { ...list(VIEWS, 'groupGoals'), role: 'Viewer' },
  list(REPORTS, 'groupOut'),
  page('notifications', 'notifications', 'groupOut', Notifications),
  list(WEBHOOKS, 'groupOut'),
  page('import', 'imports', 'groupData', ImportPage),
  page('export', 'exports', 'groupData', ExportPage),
  page('audit', 'audit', 'groupEnd', Audit),
  page('erasure', 'erasure', 'groupEnd', Erasure),
  { ...page('transfer', 'transfer', 'groupEnd', Transfer), role: 'Owner' },
  { ...page('deletion', 'deletion', 'groupEnd', Deletion), role: 'Owner' },
  { ...page('leaving', 'leaving', 'groupEnd', Leaving), role: 'Viewer' },
];

/** What somebody finds of a site. A transfer is also for whoever it is offered to (M-15). */
export function partsOf(
  { user_role: role, new_owner: newOwner }: Domain,
  email: string,
): readonly Part[] {
  return SITE_PARTS.filter(({ key, role: least }) => {
    if (key === 'transfer' && newOwner === email.toLowerCase()) return true;
    // An Owner gives the site away, or ends it.
    if (key === 'leaving' && role === 'Owner') return false;
    return RANKS[role] >= RANKS[least];
  });
}

/** A part of an organization. @param role the least that may read it. */
function organizationPage(
  [key, title, group]: readonly [string, SayKey, SayKey],
  View: (place: OrganizationPlace) => ComponentChildren,
  role: Part['role'] = 'Owner',
): Part {
  return { key, title, group, role, show: (place) => <View {...(place as OrganizationPlace)} /> };
}

const ORGANIZATION_PARTS: readonly Part[] = [
  organizationPage(['sites', 'sites', 'groupSite'], OrganizationSites, 'Viewer'),
  organizationPage(['general', 'general', 'groupSite'], OrganizationGeneral),
  organizationPage(['themes', 'themes', 'groupSite'], ThemesPage),
  {
    ...list(ORGANIZATION_MEMBERS, 'groupPeople', ORGANIZATION_INVITATIONS),
    role: 'Viewer',
  },
  organizationPage(['audit', 'audit', 'groupEnd'], Audit),
  organizationPage(['deletion', 'deletion', 'groupEnd'], OrganizationDeletion),
];

/** What somebody finds of an organization. */
export function partsOfOrganization({ role }: Organization): readonly Part[] {
  return ORGANIZATION_PARTS.filter((part) => RANKS[role] >= RANKS[part.role]);
}

/** What belongs to an account and no single site. */
export const ACCOUNT_PARTS: readonly Part[] = [
  list(ACCOUNT_CLIENTS, 'groupPeople'),
  list(ORGANIZATIONS, 'groupPeople'),
  {
    ...{ key: 'themes', title: 'themes', group: 'groupSite', role: 'Viewer' },
    show: (place) => <ThemesPage {...place} />,
  },
  {
    ...{ key: 'usage', title: 'usage', group: 'groupCounting', role: 'Viewer' },
    show: () => <UsagePage />,
  },
];
