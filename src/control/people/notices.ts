/**
 * Who is told what happens to a domain, and who has ended that (O-21, O-40 to O-42). Pure.
 *
 * Control plane. A report that is ended is gone, as if an Admin had removed it; a kind of notice stands
 * among what its reader thinks of the domain, so that it can be wanted again.
 */
import { changed, created, deleted, draftNew } from '../descriptor/draft.ts';
import type { Change, Look } from '../descriptor/resource.ts';
import { type Domain, domain } from '../resources/domain.ts';
import { mutedOf, type NoticeKind, preference, preferenceOf } from '../resources/preference.ts';
import { report } from '../resources/report.ts';
import { type User, user } from '../resources/user.ts';
import { peopleOf, roleOnDomain } from '../roles.ts';
import type { MailEnd } from './mail-ends.ts';

/** Owner and Admins, but for those who have ended this kind: the Owner first. */
export function recipientsOf(view: Look, site: Domain, kind: NoticeKind): readonly User[] {
  const found: User[] = [];
  for (const userId of peopleOf(view, site)) {
    const person = view.find(user, userId);
    const isManager = roleOnDomain(view, userId, site) !== 'Viewer';
    if (person !== null && isManager && !isMuted(view, kind, { userId, site })) found.push(person);
  }
  return found;
}

/** Whether a person has ended notices of this kind about a domain. */
export function isMuted(
  view: Look,
  kind: NoticeKind,
  { userId, site }: { readonly userId: string; readonly site: Domain },
): boolean {
  return mutedOf(preferenceOf(view, userId, site.id)).includes(kind);
}

/** Whether there is nothing to end any more. */
export function isEnded(end: MailEnd, view: Look): boolean {
  if (end.kind === 'report') return view.find(report, end.reportId) === null;
  return mutedOf(preferenceOf(view, end.userId, end.domainId)).includes(end.kind);
}

/** What a mail is about, as its end has to name it; null: it is not there any more. */
export function domainOfEnd(end: MailEnd, view: Look): Domain | null {
  if (end.kind !== 'report') return view.find(domain, end.domainId);
  const found = view.find(report, end.reportId);
  return found === null ? null : view.find(domain, found.domainId);
}

/** Ends it; nothing is changed by what is ended already, or has nobody and nothing left. */
export function endMails(end: MailEnd, view: Look, nowMs: number): Change[] {
  if (isEnded(end, view)) return [];
  if (end.kind === 'report') return [deleted(report, end.reportId)];
  const { kind, userId, domainId } = end;
  if (!view.has(user.name, userId) || !view.has(domain.name, domainId)) return [];
  const before = preferenceOf(view, userId, domainId);
  if (before !== null) {
    const muted = [...mutedOf(before), kind];
    return [changed(preference, { ...before, muted, modifiedMs: nowMs })];
  }
  const sent = { domain_id: domainId };
  const { record } = draftNew(preference, { view, userId, nowMs, sent });
  return [created(preference, { ...record, muted: [kind] })];
}

/** Takes the end of a kind of notices back; a report is made anew by an Admin. */
export function resumeMails(end: MailEnd, view: Look, nowMs: number): Change[] {
  if (end.kind === 'report') return [];
  const before = preferenceOf(view, end.userId, end.domainId);
  if (before === null || !mutedOf(before).includes(end.kind)) return [];
  const muted = mutedOf(before).filter((kind) => kind !== end.kind);
  return [changed(preference, { ...before, muted, modifiedMs: nowMs })];
}
