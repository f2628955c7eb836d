/**
 * Mails to people, from the wish to the last attempt: which are written down, when each is due, what is
 * changed by what became of it. Pure: what is to happen comes back.
 *
 * Control plane. A mail is claimed before it is sent, so that of several nodes one sends it.
 * Whoever claimed it and died is not waited for longer than an attempt can take; then another sends
 * it, with the same Message-ID.
 */
import { randomBelow } from '../../base/random.ts';
import {
  ADDRESS_MAIL_COUNT_MAX,
  ADDRESS_NOTICE_COUNT_MAX,
  ADDRESS_RESET_COUNT_MAX,
  INVITER_MAIL_COUNT_MAX,
  MAIL_CLAIM_MS,
  MAIL_COUNT_MAX,
  MAIL_DELAYS_MS,
  TOLD_MAIL_COUNT_MAX,
} from '../../model/outgoing-limits.ts';
import { changed, created, deleted, draftNew } from '../descriptor/draft.ts';
import type { Change, Look, Place } from '../descriptor/resource.ts';
import type { ReportDays } from '../report-times.ts';
import { type Domain, domain } from '../resources/domain.ts';
import {
  type AskedMailKind,
  isAsked,
  type JobMailKind,
  mail,
  type PersonalMail,
  type PersonalMailKind,
} from '../resources/mail.ts';
import type { LinkPurpose } from '../resources/one-time-link.ts';
import type { Report } from '../resources/report.ts';
import { user } from '../resources/user.ts';
import type { Webhook } from '../resources/webhook.ts';
import { roleOnDomain } from '../roles.ts';
import { isMuted, recipientsOf } from './notices.ts';
import { newLink } from './one-time-links.ts';

/** What somebody is to be told. */
export interface MailWish {
  readonly kind: AskedMailKind;
  readonly to: string;
  /** Whose password the link sets; '' nobody's. */
  readonly userId: string;
  /** What they are invited to; null: to nothing. */
  readonly place: Place | null;
  /** Who invites; '' nobody. */
  readonly inviterId: string;
}

/** The table of mails, as far as it has to be counted. */
type Mails = Look & { count(resource: typeof mail): number };

/**
 * Writes a mail down, unless its reader has had enough of them: who asks is answered the same.
 *
 * One about an invitation in a day, however often somebody is invited to the same; so many resets in a
 * day, the newest of which counts; so many of all kinds, and so many by one inviter.
 */
export function mailWanted(wish: MailWish, view: Look, nowMs: number): Change[] {
  const { kind, to, userId, place, inviterId } = wish;
  const earlier = mailsTo(to, view, nowMs).filter((one) => isAsked(one.kind));
  // Who was told of a place a moment ago is not told again; a reset that waits is the wish itself.
  const isTold = earlier.some((one) =>
    kind === 'password-reset'
      ? one.kind === kind && !one.isDone && one.attempts === 0
      : place !== null && placeIdOf(one) === place.id,
  );
  const resets = earlier.filter((one) => one.kind === 'password-reset').length;
  const isEnough =
    earlier.length >= ADDRESS_MAIL_COUNT_MAX ||
    (kind === 'password-reset' && resets >= ADDRESS_RESET_COUNT_MAX) ||
    (inviterId !== '' && view.countOf(mail, 'inviterId', inviterId) >= INVITER_MAIL_COUNT_MAX) ||
    isFull(view);
  if (isTold || isEnough) return [];
  const sent = {
    ...{ kind, to, user_id: userId || undefined, inviter_id: inviterId || undefined },
    ...(place === null ? {} : { [`${place.kind}_id`]: place.id }),
  };
  const { record } = draftNew(mail, { sent, userId, view, nowMs });
  return [created(mail, record)];
}

/**
 * Writes down that a webhook was set inactive, to the Owner of its domain; not to who has ended
 * that, or was told of so many in a day. What people ask for is counted by itself.
 *
 * @param fault what the receiver answered last.
 */
export function inactiveWebhookWanted(
  { id, domainId }: Webhook,
  fault: string,
  { view, nowMs }: NoticeContext,
): Change[] {
  const site = view.find(domain, domainId);
  const owner = site === null ? null : view.find(user, site.userId);
  if (site === null || owner === null) return [];
  const { id: userId, email: to } = owner;
  const earlier = mailsTo(to, view, nowMs).filter((one) => one.kind === 'webhook-inactive');
  const isEnough = earlier.length >= ADDRESS_NOTICE_COUNT_MAX || isFull(view);
  if (isEnough || isMuted(view, 'webhook', { userId, site })) return [];
  const kind = 'webhook-inactive';
  const sent = { kind, to, user_id: userId, domain_id: domainId, webhook_id: id, fault };
  return [created(mail, draftNew(mail, { sent, userId, view, nowMs }).record)];
}

/** When something is written down, and what stands there. */
export interface NoticeContext {
  readonly view: Look;
  readonly nowMs: number;
}

/** What happened to a domain (O-40 to O-42). */
export interface NoticeWish {
  readonly kind: 'spike' | 'warning' | 'goal';
  readonly site: Domain;
  /**
   * What the letter says beside the domain's name: numbers of the moment, which nobody can ask
   * later.
   */
  readonly about: Readonly<Record<string, unknown>>;
}

/**
 * Writes down that Owner and Admins are told, each for himself; together with the change of state that
 * keeps it from being told again it is one record of the registry, so there is one mail for one cause.
 *
 * @returns nothing when all of them have ended this kind. Null: too many mails wait, and the cause is to
 *   be looked at again later.
 */
export function noticesWanted(wish: NoticeWish, { view, nowMs }: NoticeContext): Change[] | null {
  const { kind, site, about } = wish;
  if (isFull(view, TOLD_MAIL_COUNT_MAX)) return null;
  return recipientsOf(view, site, kind).map(({ id: userId, email: to }) => {
    const sent = { kind, to, user_id: userId, domain_id: site.id, about };
    return created(mail, draftNew(mail, { sent, userId, view, nowMs }).record);
  });
}

/**
 * Writes down one report (O-30), to its address, of these days.
 *
 * @returns null: too many mails wait, and it stays due.
 */
export function reportWanted(
  { id, domainId, email: to }: Report,
  about: ReportDays,
  { view, nowMs }: NoticeContext,
): Change | null {
  if (isFull(view, TOLD_MAIL_COUNT_MAX)) return null;
  const sent = { kind: 'report', to, domain_id: domainId, report_id: id, about };
  return created(mail, draftNew(mail, { sent, userId: '', view, nowMs }).record);
}

/** A job of a domain that is over (O-22). */
export interface EndedJob {
  readonly kind: JobMailKind;
  readonly domainId: string;
  /** Who began it; null: a program, or somebody who has no account any more. */
  readonly userId: string | null;
  /** What the letter says beside the domain's name. */
  readonly about: Readonly<Record<string, unknown>>;
}

/**
 * Writes down that a job is over, to who began it and is a manager of its domain still, in the record of
 * the registry that ends it: so there is one mail for one job.
 */
export function endedJobWanted(job: EndedJob, { view, nowMs }: NoticeContext): Change[] {
  const { kind, domainId, about } = job;
  const site = view.find(domain, domainId);
  const reader = job.userId ? view.find(user, job.userId) : null;
  if (site === null || reader === null || isFull(view, TOLD_MAIL_COUNT_MAX)) return [];
  const { id: userId, email: to } = reader;
  const role = roleOnDomain(view, userId, site);
  if (role !== 'Owner' && role !== 'Admin') return [];
  const sent = { kind, to, user_id: userId, domain_id: domainId, about };
  return [created(mail, draftNew(mail, { sent, userId, view, nowMs }).record)];
}

function mailsTo(to: string, view: Look, nowMs: number): readonly PersonalMail[] {
  const known = view.of(mail, 'address', to.toLowerCase());
  return known.filter(({ expiresMs }) => expiresMs > nowMs);
}

function isFull(view: Look, countMax = MAIL_COUNT_MAX): boolean {
  return (view as Mails).count(mail) >= countMax;
}

/** What somebody was invited to; null: to nothing. */
export function placeIdOf({ domainId, organizationId }: PersonalMail): string | null {
  return domainId ?? organizationId;
}

/** A mail that is somebody's to send now, and the token of its link. */
export interface ClaimedMail {
  readonly entry: PersonalMail;
  /** null: its link has none. */
  readonly token: string | null;
}

/**
 * Takes a mail to send it.
 *
 * @param isOurs whether a claim of before can only be of this node, and so of nobody.
 * @param needsLink whether a link is made: where nothing is sent, nothing may be followed.
 * @returns null when it is not there, is not due, or another node has it.
 */
export function mailClaimed(
  id: string,
  { view, nowMs, isOurs, needsLink }: ClaimContext,
): { changes: Change[]; claimed: ClaimedMail } | null {
  const before = view.find(mail, id);
  if (before === null || !isDue(before, nowMs, isOurs)) return null;
  const attempts = before.attempts + 1;
  const dueMs = nowMs + MAIL_CLAIM_MS;
  const entry = { ...before, attempts, dueMs, isClaimed: true, modifiedMs: nowMs };
  const changes = [changed(mail, entry)];
  const { userId, kind } = entry;
  const purpose = PURPOSES[kind];
  if (!needsLink || userId === null || purpose === undefined) {
    return { changes, claimed: { entry, token: null } };
  }
  // A mail that came although nobody heard of it has a link as well: it stays good.
  const link = newLink({ userId, purpose, view, nowMs, isAnother: before.attempts > 0 });
  return { changes: [...link.changes, ...changes], claimed: { entry, token: link.token } };
}

/** Which links set passwords. */
const PURPOSES: Readonly<Partial<Record<PersonalMailKind, LinkPurpose>>> = {
  activation: 'activation',
  'password-reset': 'reset',
};

interface ClaimContext {
  readonly view: Look;
  readonly nowMs: number;
  readonly isOurs: boolean;
  readonly needsLink: boolean;
}

/** Whether it is to be sent now. */
export function isDue(entry: PersonalMail, nowMs: number, isOurs: boolean): boolean {
  const { isDone, isClaimed, dueMs, expiresMs } = entry;
  return !isDone && expiresMs > nowMs && (dueMs <= nowMs || (isClaimed && isOurs));
}

/** It is over: sent, refused, or given up. What is counted by its reader stays for a day. */
export function mailDone(id: string, view: Look, nowMs: number): Change[] {
  const entry = view.find(mail, id);
  if (entry === null || entry.isDone) return [];
  if (!isAsked(entry.kind) && entry.kind !== 'webhook-inactive') return [deleted(mail, id)];
  return [changed(mail, { ...entry, isDone: true, isClaimed: false, modifiedMs: nowMs })];
}

/** It is tried again later; null: it was tried often enough (O-11). */
export function mailDelayed(id: string, view: Look, nowMs: number): Change[] | null {
  const entry = view.find(mail, id);
  if (entry === null || entry.isDone) return [];
  const delayMs = MAIL_DELAYS_MS[entry.attempts - 1];
  if (delayMs === undefined) return null;
  const dueMs = nowMs + spread(delayMs);
  return [changed(mail, { ...entry, isClaimed: false, dueMs, modifiedMs: nowMs })];
}

/** A fifth more or less: what failed together is not tried together again. */
function spread(delayMs: number): number {
  return Math.round(delayMs * 0.8) + randomBelow(Math.round(delayMs * 0.4) + 1);
}
