/**
 * What stands in a mail that the registry has: from its entry to the letter, with its links.
 *
 * Control plane. What it names is read when it is sent: a domain that was renamed is called so, and the
 * numbers of a report are asked then, of the days that the entry says.
 */
import type { Language } from '../base/languages.ts';
import type { Look } from '../control/descriptor/resource.ts';
import { mailEndAddress } from '../control/people/mail-ends.ts';
import { mailLanguage } from '../control/people/mail-language.ts';
import { type ClaimedMail, placeIdOf } from '../control/people/mails.ts';
import { linkAddress } from '../control/people/one-time-links.ts';
import type { ReportDays } from '../control/report-times.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import type { PersonalMail } from '../control/resources/mail.ts';
import { organization } from '../control/resources/organization.ts';
import type { NoticeKind } from '../control/resources/preference.ts';
import { type Report, report } from '../control/resources/report.ts';
import { webhook } from '../control/resources/webhook.ts';
import type { Letter } from '../delivery/mail/letter/letter.ts';
import {
  type GoalMail,
  goalLetter,
  type SpikeMail,
  spikeLetter,
  type WarningMail,
  warningLetter,
  webhookLetter,
} from '../delivery/mail/letters/notices.ts';
import {
  activationLetter,
  invitationLetter,
  passwordResetLetter,
} from '../delivery/mail/letters/people.ts';
import { reportLetter } from '../delivery/mail/letters/report.ts';
import {
  type ExportReadyMail,
  exportReadyLetter,
  type ImportDoneMail,
  type ImportFailedMail,
  importDoneLetter,
  importFailedLetter,
} from '../delivery/mail/letters/work.ts';
import { WEBHOOK_FAILURE_COUNT_MAX } from '../model/outgoing-limits.ts';
import { reportFigures } from './report-figures.ts';
import type { SiteNumbers } from './site-numbers.ts';

/** A letter, and what is followed from it. */
export interface PersonalLetter {
  readonly letter: Letter;
  readonly link: string;
  /** Ends mails of this kind; null: they come only when somebody asks for them. */
  readonly endLink: string | null;
}

/** Where it is read what a mail is about. */
export interface LetterContext {
  readonly view: Look;
  readonly numbers: SiteNumbers;
  readonly nowMs: number;
  /** Of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Below it each dashboard has a host of its own; null: not set. */
  readonly dashboardHost: string | null;
  /** Signs what ends mails. */
  readonly tokenKey: Uint8Array;
  /** For whom nobody has said another one. */
  readonly language: Language;
}

/**
 * The letter of an entry; null: what it is about is gone, or is well again. Rejects when the
 * numbers of a report cannot be asked now.
 */
export async function personalLetter(
  of: ClaimedMail,
  looked: LetterContext,
): Promise<PersonalLetter | null> {
  const { entry } = of;
  const context = { ...looked, language: mailLanguage(entry, looked.view, looked.language) };
  switch (entry.kind) {
    case 'activation':
    case 'password-reset':
    case 'invitation':
      return askedLetter(of, context);
    case 'webhook-inactive':
      return inactiveLetter(entry, context);
    case 'report':
      return letterOfReport(entry, context);
    case 'spike':
    case 'warning':
    case 'goal':
      return noticeLetter(entry, context);
    case 'import-done':
    case 'import-failed':
    case 'export-ready':
      return jobLetter(entry, context);
  }
}

function askedLetter({ entry, token }: ClaimedMail, { publicUrl, view, language }: LetterContext) {
  const from = { language, host: new URL(publicUrl).host };
  const place = titleOf(entry, view);
  const account = `${publicUrl}/account`;
  if (entry.kind === 'invitation') {
    const letter = invitationLetter({ ...from, link: account, place });
    return { letter, link: account, endLink: null };
  }
  const isActivation = entry.kind === 'activation';
  const purpose = isActivation ? 'activation' : 'reset';
  const link = token === null ? account : linkAddress(publicUrl, purpose, token);
  const letter = isActivation
    ? activationLetter({ ...from, link, place })
    : passwordResetLetter({ ...from, link });
  return { letter, link, endLink: null };
}

/** Of the days that its entry says; a report that is gone took its entries with it. */
async function letterOfReport(
  { reportId, about }: PersonalMail,
  context: LetterContext,
): Promise<PersonalLetter | null> {
  const { view, numbers, nowMs, publicUrl, tokenKey, language } = context;
  const found = view.find(report, String(reportId));
  const site = found === null ? null : view.find(domain, found.domainId);
  if (found === null || site === null) return null;
  const days = about as unknown as ReportDays;
  const figures = await reportFigures(numbers, site, days, nowMs);
  const link = reportLink(found, site, context);
  const endLink = mailEndAddress(publicUrl, { kind: 'report', reportId: found.id }, tokenKey);
  const { interval } = found;
  const of = { language, host: nameOf(site), interval, figures, link, endLink };
  return { letter: reportLetter(of), link, endLink };
}

/**
 * By `link_to` (O-31); what is not public any more, or has no host of its own, leads to the private
 * page.
 */
function reportLink({ linkTo }: Report, site: Domain, context: LetterContext): string {
  const { publicUrl, dashboardHost } = context;
  const { subdomain, customDomain, isPublic } = site;
  const at = (host: string) => {
    const url = new URL(publicUrl);
    url.hostname = host;
    return url.origin;
  };
  if (linkTo === 'custom' && customDomain !== null) return `${at(customDomain)}/`;
  const isHosted = linkTo === 'public' && isPublic && dashboardHost !== null;
  return isHosted ? `${at(`${subdomain}.${dashboardHost}`)}/` : `${publicUrl}/${subdomain}`;
}

/** What the numbers of the moment were stands in the entry. */
function noticeLetter(entry: PersonalMail, context: LetterContext): PersonalLetter | null {
  const { kind, about } = entry;
  const site = context.view.find(domain, String(entry.domainId));
  if (site === null) return null;
  const link = `${context.publicUrl}/${site.subdomain}`;
  const framed = framedFor(entry, site, { ...context, link, kind: kind as NoticeKind });
  const of = { ...about, ...framed } as unknown;
  const letter =
    kind === 'spike'
      ? spikeLetter(of as SpikeMail)
      : kind === 'warning'
        ? warningLetter(of as WarningMail)
        : goalLetter(of as GoalMail);
  return { letter, link, endLink: framed.endLink };
}

/** Where it is gone on with; without: the dashboard itself. */
const JOB_PLACES: Readonly<Partial<Record<PersonalMail['kind'], string>>> = {
  'import-failed': '?settings=import',
  'export-ready': '?settings=export',
};

/** What the job came to stands in the entry. */
function jobLetter(
  { kind, domainId, about }: PersonalMail,
  { view, publicUrl, language }: LetterContext,
): PersonalLetter | null {
  const site = view.find(domain, String(domainId));
  if (site === null) return null;
  const link = `${publicUrl}/${site.subdomain}${JOB_PLACES[kind] ?? ''}`;
  const of = { ...about, language, host: nameOf(site), timezone: site.timezone, link } as unknown;
  const letter =
    kind === 'export-ready'
      ? exportReadyLetter(of as ExportReadyMail)
      : kind === 'import-done'
        ? importDoneLetter(of as ImportDoneMail)
        : importFailedLetter(of as ImportFailedMail);
  return { letter, link, endLink: null };
}

function inactiveLetter(entry: PersonalMail, context: LetterContext): PersonalLetter | null {
  const { domainId, webhookId, fault } = entry;
  const { view, publicUrl } = context;
  const site = view.find(domain, String(domainId));
  const hook = view.find(webhook, String(webhookId));
  // Whoever has saved it meanwhile knows.
  if (site === null || hook === null || hook.active) return null;
  const link = `${publicUrl}/${site.subdomain}?settings=webhooks`;
  const framed = framedFor(entry, site, { ...context, link, kind: 'webhook' });
  const letter = webhookLetter({
    ...framed,
    ...{ event: hook.event, endpoint: hook.endpoint, lastFault: fault },
    failures: WEBHOOK_FAILURE_COUNT_MAX,
  });
  return { letter, link, endLink: framed.endLink };
}

/** What all notices about a domain have. */
function framedFor(
  { userId }: PersonalMail,
  site: Domain,
  of: LetterContext & { readonly link: string; readonly kind: NoticeKind },
) {
  const { publicUrl, tokenKey, link, kind, language } = of;
  const end = { kind, domainId: site.id, userId: String(userId) } as const;
  const endLink = mailEndAddress(publicUrl, end, tokenKey);
  const { timezone } = site;
  return { language, host: nameOf(site), timezone, link, endLink };
}

/** What people call what somebody is invited to. */
function titleOf(entry: PersonalMail, view: Look): string {
  const id = placeIdOf(entry);
  if (id === null) return '';
  return view.find(domain, id)?.hostname ?? view.find(organization, id)?.name ?? '';
}

/** What a domain is called (M-17). */
function nameOf({ customDomain, hostname }: Domain): string {
  return customDomain ?? hostname;
}
