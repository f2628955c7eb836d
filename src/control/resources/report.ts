/** Email reports: who is told the figures of a domain, and how often (M-50, A-63). */
import { LANGUAGES, type Language } from '../../base/languages.ts';
import { number, oneOf, timestamp } from '../../base/schema.ts';
import { DOMAIN_CHILD_COUNT_MAX, REPORT_INTERVAL_COUNT_MAX } from '../../model/limits.ts';
import {
  choice,
  onlyAtCreation,
  reference,
  TEXT,
  text,
  wholeNumber,
} from '../descriptor/fields.ts';
import { defineResource, type Field, type Look, type RecordType } from '../descriptor/resource.ts';
import { emailFault } from '../field-rules.ts';
import { nextReportMs } from '../report-times.ts';
import { type Domain, domain } from './domain.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from './permissions.ts';
import { user } from './user.ts';

/** It begins anew when the interval becomes another one. */
const nextReport: Field<number> = {
  schema: number,
  wire: 'next_report',
  ...{ isDerived: true, isCourse: true },
  shown: [
    { name: 'next_report', schema: timestamp, of: (ms) => new Date(Number(ms)).toISOString() },
  ],
  make: (_, { draft, before, nowMs, view }) => {
    const interval = Number(draft['interval']);
    if (before?.['interval'] === interval) return Number(before['nextReportMs']);
    const zone = view.find(domain, String(draft['domainId']))?.timezone ?? 'UTC';
    return Number.isInteger(interval) ? nextReportMs(nowMs, interval, zone) : nowMs;
  },
};

const LANGUAGE = oneOf(['', ...LANGUAGES]);

/**
 * For a reader without an account that says one (O-21): as sent, else that of who saves it; '' they have
 * not said either. What a request does not carry stays; records that are older than the field have ''.
 */
const language: Field<Language | ''> = {
  schema: LANGUAGE,
  sent: [{ rule: TEXT }],
  shown: [{ name: 'language', schema: LANGUAGE, of: (value) => value ?? '' }],
  make: (sent, { before, userId, view }) => {
    const typed = typeof sent === 'string' ? sent.trim() : null;
    if (typed === null && before !== null) return before['language'] as Language | '';
    return (typed || view.find(user, userId)?.language || '') as Language | '';
  },
  fault: (value) =>
    value === undefined || ['', ...LANGUAGES].includes(value)
      ? ''
      : `must be ${LANGUAGES.join(' or ')}`,
};

/** One for each address; several are made at once by `api/manage/report.ts`. */
export const report = defineResource({
  name: 'report',
  table: 'reports',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'report',
    read: READ_SETTINGS,
    change: WRITE_DOMAINS,
    listBy: { id: 'domainId' },
    changes: { by: 'PUT', answers: 'record' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    email: onlyAtCreation(
      text({
        fault: emailFault,
        unique: {
          key: (email, { domainId }) => reportKey(String(domainId), email),
          taken: (email) => `'${email}' has a report of this domain already`,
        },
      }),
    ),
    // In weeks; 0 is daily.
    interval: wholeNumber({ min: 0, max: REPORT_INTERVAL_COUNT_MAX }),
    linkTo: choice(['dashboard', 'public', 'custom'], { absent: '' }),
    language,
    nextReportMs: nextReport,
  },
  rules: ({ domainId, linkTo }, view, before) => {
    // What was there when it was saved may be gone: the link then leads to the dashboard.
    if (before?.linkTo === linkTo) return {};
    return { link_to: linkFault(linkTo, view.find(domain, domainId)) };
  },
});

export type Report = RecordType<typeof report>;

/** Under which the report of an address is found; upper and lower case are the same address. */
export function reportKey(domainId: string, email: string): string {
  return `${domainId} ${email.toLowerCase()}`;
}

/** The report of an address; null when it has none. */
export function reportOf(view: Look, domainId: string, email: string): Report | null {
  return view.by(report, 'email', reportKey(domainId, email));
}

function linkFault(linkTo: string, site: Domain | null): string {
  if (linkTo === 'public' && site?.isPublic !== true) return 'needs a public dashboard';
  if (linkTo === 'custom' && (site?.customDomain ?? null) === null) {
    return 'needs a custom hostname of the dashboard';
  }
  return '';
}
