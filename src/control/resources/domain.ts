/** Domains: the sites that are tracked, each with a dashboard (M-10). */
import {
  anyObject,
  boolean,
  integer,
  nullable,
  oneOf,
  type Schema,
  string,
  timestamp,
} from '../../base/schema.ts';
import { ACTIVE_SECONDS_DEFAULT, IDENTIFICATION_CODE_LENGTH } from '../../model/limits.ts';
import { ROLES } from '../../model/rights.ts';
import { callerReference, computed, generated, kept, text } from '../descriptor/fields.ts';
import { defineResource, type Look, type RecordType } from '../descriptor/resource.ts';
import {
  deriveSubdomain,
  hostnameFault,
  normalHostname,
  normalTimezone,
  subdomainFault,
  timezoneFault,
} from '../field-rules.ts';
import { formerDomainOf } from './former-domain.ts';
import { READ_SHOWN, WRITE_DOMAINS } from './permissions.ts';
import { trafficActions, trafficFields, trafficSettings } from './traffic.ts';

const no = kept(boolean, () => false);
const nobody = kept(nullable(string), () => null);
const nothing = kept(anyObject, () => ({}));
/** What a domain that never used a thing has in its place: there is none of it yet. */
const unused = <Value>(schema: Schema<Value>, value: NoInfer<Value>) =>
  computed(schema, () => value);

/** What the page of a dashboard shows to whoever may see it (M-16). */
const PUBLIC_NAMES = [
  ...['hostname', 'subdomain', 'public', 'timezone', 'group_by_title', 'active_visitors_seconds'],
  ...['statistics_start', 'imported_statistics', 'theme', 'theme_settings', 'custom_domain'],
  ...['display_name', 'user_role'],
];

/** Belongs to the user who made it. */
export const domain = defineResource({
  name: 'domain',
  table: 'domains',
  owners: ['userId'],
  hasRoles: true,
  surface: { path: 'domain', read: READ_SHOWN, change: WRITE_DOMAINS },
  publicNames: PUBLIC_NAMES,
  leaves: (record, nowMs) => [formerDomainOf(record, nowMs)],
  fields: {
    userId: callerReference('remove'),
    organizationId: { ...nobody, refersTo: { to: 'organization', whenGone: 'clear' } },
    hostname: text({ normal: normalHostname, fault: hostnameFault }),
    subdomain: text({
      normal: (typed) => typed.toLowerCase(),
      absent: ({ draft, view }) =>
        deriveSubdomain(String(draft['hostname']), (name) => isTaken(name, view)),
      fault: subdomainFault,
      unique: { key: (name) => name, taken: (name) => `'${name}' is taken; choose another` },
    }),
    identificationCode: generated(IDENTIFICATION_CODE_LENGTH),
    isPublic: { ...no, wire: 'public' },
    externalUserId: unused(nullable(string), null),
    externalUserEmail: unused(nullable(string), null),
    externalSearchDomain: unused(nullable(string), null),
    newOwner: unused(nullable(string), null),
    timezone: text({ normal: normalTimezone, absent: () => 'UTC', fault: timezoneFault }),
    groupByTitle: no,
    activeVisitorsSeconds: kept(integer, () => ACTIVE_SECONDS_DEFAULT),
    disableScripts: no,
    // Asked of the shards beforehand (M-17).
    statisticsStart: computed(nullable(timestamp), ({ id }, { firstRows }) => {
      const firstRowMs = firstRows?.get(id) ?? null;
      return firstRowMs === null ? null : new Date(firstRowMs).toISOString();
    }),
    importedStatistics: unused(boolean, false),
    metadata: nothing,
    themeId: nobody,
    theme: nothing,
    customDomain: nobody,
    // The caller's own (M-2).
    userRole: computed(
      oneOf(ROLES),
      ({ id }, { roleOn }) => roleOn({ kind: 'domain', id }) ?? 'Viewer',
    ),
    settings: computed(anyObject, trafficSettings),
    ...trafficFields,
    themeSettings: nothing,
    displayName: kept(string, () => ''),
    // A self-hosted service has no subscription that could lapse (M-17).
    subscriptionActive: unused(boolean, true),
  },
  actions: trafficActions,
});

export type Domain = RecordType<typeof domain>;

function isTaken(subdomain: string, view: Look): boolean {
  return view.by(domain, 'subdomain', subdomain) !== null;
}
