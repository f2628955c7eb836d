/**
 * What is done with domains beyond one record: making one, taking one over, what users think of them.
 *
 * Control plane. Pure: from what stands in the registry to the changes of one record of its log.
 */
import { errors } from '../model/errors.ts';
import { changed, checkRoom, created, deleted, draftNew } from './descriptor/draft.ts';
import type { AnyRecord, Change, Look } from './descriptor/resource.ts';
import { checkRoomForDomain } from './organizations.ts';
import { type Decision, notFound, type RecordRequest } from './records.ts';
import { type Domain, domain } from './resources/domain.ts';
import { invitation } from './resources/invitation.ts';
import { member, memberKey } from './resources/member.ts';
import { organization } from './resources/organization.ts';
import { type Preference, preference, preferenceOf } from './resources/preference.ts';
import { user } from './resources/user.ts';
import { roleOnDomain } from './roles.ts';

/**
 * A new domain (M-10): of who asks; in an organization, of its owner and with its default theme.
 *
 * @throws RECORD_NOT_FOUND: the organization has gone meanwhile; RECORDS_TOO_MANY: it is full.
 */
export function makeDomain(view: Look, request: RecordRequest, atMs: number): Decision<Domain> {
  const { sent } = request;
  const within = idOf(sent['organization_id']);
  const found = within === null ? null : view.find(organization, within);
  if (within !== null && found === null) throw notFound(organization, within);
  if (found !== null) checkRoomForDomain(found.id, view);
  const { themeId = null } = (found ?? {}) as { themeId?: unknown };
  const { record } = draftNew(domain, {
    ...{ view, nowMs: atMs, userId: found?.userId ?? request.userId },
    sent: { ...sent, theme_id: idOf(sent['theme_id']) ?? themeId },
  });
  return { changes: [created(domain, record)], result: record };
}

/**
 * Makes a user the owner of the domain that was offered to it (M-15). The owner before becomes Admin,
 * and the domain leaves its organization: whoever had a role by that has none any more.
 *
 * @throws RECORD_NOT_FOUND, ROLE_MISSING: it was offered to nobody, or to somebody else.
 */
export function takeDomain(view: Look, domainId: string, userId: string, atMs: number): Change[] {
  const site = view.find(domain, domainId);
  const taker = view.find(user, userId);
  if (site === null || taker === null) throw notFound(domain, domainId);
  if (site.newOwner !== taker.email.toLowerCase()) {
    if (roleOnDomain(view, userId, site) === null) throw notFound(domain, domainId);
    throw errors.ROLE_MISSING({ needed: 'that the owner of this domain offers it to you' });
  }
  return transferOf(view, site, userId, atMs);
}

/** Takes the offer of a domain back, if there is one. @throws RECORD_NOT_FOUND: it has gone meanwhile. */
export function withdrawOffer(view: Look, domainId: string, atMs: number): Change[] {
  const site = view.find(domain, domainId);
  if (site === null) throw notFound(domain, domainId);
  // Domains of versions before have none.
  const isOffered = (site.newOwner ?? null) !== null;
  return isOffered ? [changed(domain, { ...site, newOwner: null, modifiedMs: atMs })] : [];
}

/** What makes a user the owner of a domain. @throws RECORDS_TOO_MANY: it has no room for another. */
export function transferOf(view: Look, site: Domain, userId: string, atMs: number): Change[] {
  if (userId === site.userId) return withdrawOffer(view, site.id, atMs);
  checkRoom(domain, ['userId', userId], view);
  const before = view.by(member, 'userId', memberKey(userId, site.id));
  const email = view.find(user, userId)?.email.toLowerCase();
  const invited = view.of(invitation, 'domainId', site.id).filter((one) => one.email === email);
  const admin = draftNew(member, {
    ...{ view, nowMs: atMs, userId },
    sent: { domain_id: site.id, user_id: site.userId, role: 'Admin' },
  });
  return [
    changed(domain, { ...site, userId, organizationId: null, newOwner: null, modifiedMs: atMs }),
    ...(before === null ? [] : [deleted(member, before.id)]),
    ...invited.map(({ id }) => deleted(invitation, id)),
    created(member, admin.record),
  ];
}

/** Sets or takes away what a user thinks of a domain (M-14). */
export function togglePreference(
  view: Look,
  mark: { readonly userId: string; readonly domainId: string; readonly name: Preference },
  atMs: number,
): Change {
  const { userId, domainId, name } = mark;
  const before = preferenceOf(view, userId, domainId);
  if (before !== null) {
    return changed(preference, { ...before, [name]: !before[name], modifiedMs: atMs });
  }
  const sent = { domain_id: domainId };
  const { record } = draftNew(preference, { view, userId, nowMs: atMs, sent });
  return created(preference, { ...record, [name]: true });
}

/** A taste of a user's own in how pages look (M-14). */
export type Taste = 'activeInTitle' | 'fullWidth';

/** Sets it or takes it away. @throws RECORD_NOT_FOUND: the user has gone meanwhile. */
export function toggleTaste(view: Look, userId: string, name: Taste, atMs: number): Change {
  const before = view.find(user, userId);
  if (before === null) throw notFound(user, userId);
  // Users of versions before have none.
  const was = (before as AnyRecord)[name] === true;
  return changed(user, { ...before, [name]: !was, modifiedMs: atMs });
}

/** Null counts as absent, and so does a blank. */
function idOf(sent: unknown): string | null {
  return typeof sent === 'string' && sent.trim() !== '' ? sent.trim() : null;
}
