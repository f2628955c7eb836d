/**
 * Domains: the sites that are tracked, each with a dashboard (M-10 to M-17).
 *
 * Making one, its transfer and what users think of it concern several records: `control/domains.ts`.
 */
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
import { errors } from '../../model/errors.ts';
import {
  ACTIVE_SECONDS_DEFAULT,
  IDENTIFICATION_CODE_LENGTH,
  JSON_DEPTH_MAX,
  METADATA_BYTES_MAX,
  USER_DOMAIN_COUNT_MAX,
} from '../../model/limits.ts';
import { ROLES } from '../../model/rights.ts';
import { formatDay } from '../../query/question/calendar.ts';
import {
  callerReference,
  computed,
  generated,
  hidden,
  kept,
  optionalReference,
  TEXT,
  text,
} from '../descriptor/fields.ts';
import { defineResource, type Field, type Look, type RecordType } from '../descriptor/resource.ts';
import {
  deriveSubdomain,
  hostnameFault,
  normalCustomHostname,
  normalHostname,
  normalTimezone,
  subdomainFault,
  timezoneFault,
} from '../field-rules.ts';
import { domainActions, post } from './domain-actions.ts';
import { HIT_FILTER, SETTINGS, settingsOf } from './domain-settings.ts';
import { erasureOf } from './erasure.ts';
import { formerDomainOf } from './former-domain.ts';
import { keywords } from './keywords.ts';
import { OWN_DOMAINS, READ_SHOWN, WRITE_DOMAINS } from './permissions.ts';
import { retentionFields } from './retention.ts';
import { ownSettings, shownTheme } from './theme.ts';
import { trafficActions, trafficFields } from './traffic.ts';

const no = kept(boolean, () => false);
const nothing = kept(anyObject, () => ({}));
/** What a domain that never used a thing has in its place: there is none of it yet. */
const unused = <Value>(schema: Schema<Value>, value: NoInfer<Value>) =>
  computed(schema, () => value);

const newOwner: Field<string | null> = {
  ...kept(nullable(string), () => null),
  isIndexed: true,
  // Domains of versions before have none.
  shown: [{ name: 'new_owner', schema: nullable(string), of: (email) => email ?? null }],
};

function dayText(day: number | undefined): string | undefined {
  return day === undefined ? undefined : formatDay(day);
}

/** What the page of a dashboard shows to whoever may see it (M-16). */
const PUBLIC_NAMES = [
  ...['hostname', 'subdomain', 'public', 'timezone', 'group_by_title', 'active_visitors_seconds'],
  ...[
    'statistics_start',
    'imported_statistics',
    'imported_from',
    'imported_to',
    'has_keywords',
    'theme',
    'theme_settings',
    'custom_domain',
  ],
  ...['display_name', 'user_role'],
];

/** Belongs to the user who made it. */
export const domain = defineResource({
  name: 'domain',
  table: 'domains',
  owners: ['userId'],
  countMax: USER_DOMAIN_COUNT_MAX,
  hasRoles: true,
  publicNames: PUBLIC_NAMES,
  leaves: (record, nowMs) => [formerDomainOf(record, nowMs), erasureOf(record.id, nowMs)],
  surface: {
    path: 'domain',
    read: READ_SHOWN,
    change: WRITE_DOMAINS,
    removes: true,
    remove: OWN_DOMAINS,
  },
  fields: {
    userId: callerReference('remove'),
    organizationId: optionalReference({ to: 'organization', whenGone: 'clear' }),
    hostname: text({ normal: normalHostname, fault: hostnameFault }),
    subdomain: text({
      normal: (typed) => typed.toLowerCase(),
      absent: ({ draft, view }) =>
        deriveSubdomain(String(draft['hostname']), (name) => isTaken(name, view)),
      fault: subdomainFault,
      unique: { key: (name) => name, taken: (name) => `'${name}' is taken; choose another` },
    }),
    identificationCode: {
      ...generated(IDENTIFICATION_CODE_LENGTH),
      unique: { key: (code: string) => code, taken: () => 'is taken' },
    },
    isPublic: { ...no, wire: 'public' },
    externalUserId: unused(nullable(string), null),
    externalUserEmail: unused(nullable(string), null),
    externalSearchDomain: unused(nullable(string), null),
    // The e-mail address of whoever may take it (M-15).
    newOwner,
    timezone: text({ normal: normalTimezone, absent: () => 'UTC', fault: timezoneFault }),
    groupByTitle: no,
    activeVisitorsSeconds: kept(integer, () => ACTIVE_SECONDS_DEFAULT),
    disableScripts: no,
    // Asked of the shards beforehand (M-17).
    statisticsStart: computed(nullable(timestamp), ({ id }, { stored }) => {
      const firstRowMs = stored?.get(id)?.firstRowMs ?? null;
      return firstRowMs === null ? null : new Date(firstRowMs).toISOString();
    }),
    // The same (S-98).
    importedStatistics: computed(
      boolean,
      ({ id }, { stored }) => (stored?.get(id)?.importedDays ?? null) !== null,
    ),
    importedFrom: {
      ...{ computed: string, isOptional: true },
      of: ({ id }, { stored }) => dayText(stored?.get(id)?.importedDays?.fromDay),
    },
    importedTo: {
      ...{ computed: string, isOptional: true },
      of: ({ id }, { stored }) => dayText(stored?.get(id)?.importedDays?.toDay),
    },
    // Of a search console (P-4).
    hasKeywords: {
      ...{ computed: boolean, isOptional: true },
      of: ({ id }, { view }) => view.countOf(keywords, 'domainId', id) > 0 || undefined,
    },
    metadata: { ...nothing, fault: metadataFault },
    themeId: optionalReference({ to: 'theme', whenGone: 'clear' }),
    theme: computed(anyObject, (site, { view }) => shownTheme(site, view)),
    customDomain: {
      ...kept(nullable(string), () => null),
      unique: {
        key: (hostname: string | null) => hostname,
        taken: (hostname: string | null) => `'${hostname}' belongs to another dashboard`,
      },
    },
    // The caller's own (M-2).
    userRole: computed(
      oneOf(ROLES),
      ({ id }, { roleOn }) => roleOn({ kind: 'domain', id }) ?? 'Viewer',
    ),
    settings: computed(SETTINGS, settingsOf),
    ...retentionFields,
    filter: hidden(kept(HIT_FILTER, () => ({ ipBlock: [], ipAllow: [] }))),
    ...trafficFields,
    themeSettings: computed(anyObject, ({ id }, { view }) => ownSettings(id, view)),
    displayName: computed(string, ({ customDomain, hostname }) => String(customDomain ?? hostname)),
    // A self-hosted service has no subscription that could lapse (M-17).
    subscriptionActive: unused(boolean, true),
  },
  actions: [
    ...domainActions,
    {
      ...post('custom', 'Says the hostname of the dashboard; an empty one takes it away.'),
      needs: { hostname: TEXT },
      act: (record, { sent, view }) => ({
        ...record,
        customDomain: customHostname(sent['hostname'], record.id, view),
      }),
    },
    ...trafficActions,
  ],
});

export type Domain = RecordType<typeof domain>;

function isTaken(subdomain: string, view: Look): boolean {
  return view.by(domain, 'subdomain', subdomain) !== null;
}

/** Whose dashboard a hostname shows (M-13). @param hostname as somebody typed it. */
export function domainOfCustomHostname(hostname: string, view: Look): Domain | null {
  const normal = normalCustomHostname(hostname);
  return normal === '' ? null : view.by(domain, 'customDomain', normal);
}

/** @throws VALIDATION_FAILED under the name that the request has for it. */
function customHostname(sent: unknown, domainId: string, view: Look): string | null {
  const hostname = normalCustomHostname(String(sent ?? ''));
  if (hostname === '') return null;
  const holder = view.by(domain, 'customDomain', hostname);
  const isFree = holder === null || holder.id === domainId;
  const taken = isFree ? '' : `'${hostname}' belongs to another dashboard`;
  const fault = hostnameFault(hostname) || taken;
  if (fault !== '') throw errors.VALIDATION_FAILED({ validation: { hostname: fault } });
  return hostname;
}

function metadataFault(metadata: Readonly<Record<string, unknown>>): string {
  if (depthOf(metadata) > JSON_DEPTH_MAX) return `must have at most ${JSON_DEPTH_MAX} levels`;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes <= METADATA_BYTES_MAX ? '' : `must have at most ${METADATA_BYTES_MAX} bytes as JSON`;
}

/** Levels of objects and lists; level by level, since deep ones would be too deep for a call each. */
function depthOf(value: object): number {
  let depth = 0;
  let level: object[] = [value];
  for (; level.length > 0 && depth <= JSON_DEPTH_MAX; depth++) {
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return depth;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
