/**
 * What is done to one domain beside making and deleting it (M-12, M-14, M-15): toggles, single settings,
 * the offer to another owner.
 *
 * Each keeps every other field; what the values may be is checked by the fields of the domain.
 */
import { randomAlphanumeric } from '../../base/random.ts';
import { errors } from '../../model/errors.ts';
import {
  ACTIVE_SECONDS_MAX,
  ACTIVE_SECONDS_MIN,
  IDENTIFICATION_CODE_LENGTH,
  RETENTION_DAYS_MAX,
} from '../../model/limits.ts';
import { REQUIRED_TEXT, TEXT } from '../descriptor/fields.ts';
import type { Action, AnyRecord, Look } from '../descriptor/resource.ts';
import { emailFault, normalHostname, normalTimezone } from '../field-rules.ts';
import { nextFilter, SENT_FILTER } from './domain-settings.ts';
import { OWN_DOMAINS } from './permissions.ts';
import { user } from './user.ts';

const ACTIONS: readonly Action[] = [
  {
    ...{ method: 'PUT', path: 'domain', idName: 'id', answers: ['identification_code'] },
    summary: 'Makes a new identification code; the old one is unknown from then on.',
    act: (record) => ({
      ...record,
      identificationCode: randomAlphanumeric(IDENTIFICATION_CODE_LENGTH),
    }),
  },
  {
    ...post('hostname', 'Says another hostname: hits of the old one are foreign from then on.'),
    needs: { hostname: REQUIRED_TEXT },
    act: (record, { sent }) => ({ ...record, hostname: normalHostname(String(sent['hostname'])) }),
  },
  {
    ...post('subdomain', 'Says another subdomain of the dashboard.'),
    needs: { subdomain: REQUIRED_TEXT },
    act: (record, { sent }) => ({
      ...record,
      subdomain: String(sent['subdomain']).trim().toLowerCase(),
    }),
  },
  toggle('public', 'isPublic', 'Makes the dashboard public, or private again.'),
  toggle('scripts', 'disableScripts', 'Refuses what scripts send, or takes it again (A-7).'),
  toggle('title', 'groupByTitle', 'Groups pages by title, or by path again.'),
  {
    ...post('active', 'Says for how many seconds a visitor counts as active.'),
    needs: { time: { type: 'integer', minimum: ACTIVE_SECONDS_MIN, maximum: ACTIVE_SECONDS_MAX } },
    act: (record, { sent }) => ({ ...record, activeVisitorsSeconds: sent['time'] }),
  },
  {
    ...post('retention', 'Says how many days of statistics are kept before today; 0 keeps all.'),
    needs: { days: { type: 'integer', minimum: 0, maximum: RETENTION_DAYS_MAX } },
    act: (record, { sent }) => ({ ...record, retentionDays: sent['days'] }),
  },
  {
    ...post('timezone', 'Says another time zone, for the statistics of all times.'),
    needs: { timezone: REQUIRED_TEXT },
    act: (record, { sent }) => ({ ...record, timezone: normalTimezone(String(sent['timezone'])) }),
  },
  {
    ...post('metadata', 'Replaces the metadata, an object of your own.'),
    needs: { metadata: { type: 'object' } },
    act: (record, { sent }) => ({ ...record, metadata: sent['metadata'] }),
  },
  {
    ...post('filter', 'Says which addresses are dropped, and which are taken all the same.'),
    sent: SENT_FILTER,
    act: (record, { sent }) => ({ ...record, filter: nextFilter(record, sent) }),
  },
  {
    ...post('transfer', 'Offers the domain to a user; an empty email takes the offer back.'),
    ...{ permission: OWN_DOMAINS, needs: { email: TEXT } },
    act: (record, { sent, view }) => ({
      ...record,
      newOwner: namedOwner(sent['email'], record, view),
    }),
  },
];

/** They fit the domain's record, which is made with them. */
export const domainActions = ACTIONS as readonly Action<never>[];

/** What the actions of a domain have in common. */
export function post(name: string, summary: string) {
  return {
    ...({ method: 'POST', path: `domain/${name}`, summary } as const),
    ...({ idName: 'domain_id', answers: 'nothing' } as const),
  };
}

function toggle(name: string, field: string, summary: string): Action {
  return {
    ...post(name, summary),
    act: (record) => ({ ...record, [field]: record[field] !== true }),
  };
}

/** @throws VALIDATION_FAILED. @returns in the one spelling that people are found by; null: nobody. */
function namedOwner(sent: unknown, { userId }: AnyRecord, view: Look): string | null {
  const email = String(sent ?? '')
    .trim()
    .toLowerCase();
  if (email === '') return null;
  const isOwn = view.by(user, 'email', email)?.id === userId;
  const fault = emailFault(email) || (isOwn ? 'is the address of its owner' : '');
  if (fault !== '') throw errors.VALIDATION_FAILED({ validation: { email: fault } });
  return email;
}
