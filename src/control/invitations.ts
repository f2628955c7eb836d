/**
 * How people come to a domain or an organization: invited by address, accepted by whoever has it
 * (M-30, M-31).
 *
 * Control plane. Pure: from the registry as it is to the changes that make it so, decided again when
 * somebody else was first. An address without an account gets one that has no password; what the
 * answer says does not depend on it (M-4).
 */
import { errors } from '../model/errors.ts';
import { INVITED_EMAIL_COUNT_MAX } from '../model/limits.ts';
import { changed, created, deleted, draftNew } from './descriptor/draft.ts';
import { type Change, type Look, type Place, placeOf } from './descriptor/resource.ts';
import { emailFault } from './field-rules.ts';
import { mailWanted } from './people/mails.ts';
import { type Invitation, invitation, invitationKey } from './resources/invitation.ts';
import { member, memberKey } from './resources/member.ts';
import { type User, user } from './resources/user.ts';
import { ownerIdOf } from './roles.ts';

/** Who is to come where, as a request says it. */
export interface InvitationWish {
  readonly place: Place;
  /** Whatever stands in the list: each is checked, and all are invited or none. */
  readonly emails: readonly unknown[];
  readonly role: string | undefined;
  /** Who invites; '' nobody in person. */
  readonly inviterId: string;
}

/**
 * Invites people, and writes down what they are mailed. Whoever is invited already stays so, with
 * the role that is asked for now.
 *
 * @throws VALIDATION_FAILED with a key for each address that cannot be invited: `emails.2`.
 */
export function invite(
  { place, emails, role, inviterId }: InvitationWish,
  view: Look,
  atMs: number,
): Change[] {
  const changes: Change[] = [];
  const making = { view, nowMs: atMs, userId: '' };
  for (const email of checkedAddresses(emails, place, view)) {
    const known = view.by(user, 'email', email);
    const account = known === null ? newAccount(email, view, atMs) : null;
    if (account !== null) changes.push(created(user, account));
    const sent = { email, role, [`${place.kind}_id`]: place.id };
    const { record } = draftNew(invitation, { ...making, sent });
    const open = view.by(invitation, 'email', invitationKey(email, place.id));
    if (open === null) changes.push(created(invitation, record));
    else if (open.role !== record.role) {
      changes.push(changed(invitation, { ...open, role: record.role, modifiedMs: atMs }));
    }
    // Who has no account yet is sent what activates it.
    const kind = account === null ? 'invitation' : 'activation';
    const wish = { kind, to: email, userId: account?.id ?? '', place, inviterId } as const;
    changes.push(...mailWanted(wish, view, atMs));
  }
  return changes;
}

/** Without a password: the link of the mail sets the first one (M-81). */
function newAccount(email: string, view: Look, nowMs: number): User {
  return draftNew(user, { view, nowMs, userId: '', sent: { email } }).record;
}

/**
 * Makes a member of the person who was invited; the invitation is used up.
 *
 * @param found for this person.
 */
export function accept(
  found: Invitation,
  person: User,
  view: Look,
  atMs: number,
): readonly Change[] {
  const used = deleted(invitation, found.id);
  const place = placeOf(invitation, found);
  if (place === null) return [used];
  // The domain may have become theirs meanwhile, by a transfer.
  if (isInside(person.id, place, view)) return [used];
  const sent = { user_id: person.id, role: found.role, [`${place.kind}_id`]: place.id };
  const { record } = draftNew(member, { view, nowMs: atMs, userId: '', sent });
  return [used, created(member, record)];
}

/** Whether an invitation is for this person: addresses have no upper and lower case. */
export function isFor({ email }: Invitation, person: User): boolean {
  return email === person.email.toLowerCase();
}

/** The addresses in lower case. @throws VALIDATION_FAILED by place in the list. */
function checkedAddresses(emails: readonly unknown[], place: Place, view: Look): string[] {
  if (emails.length === 0 || emails.length > INVITED_EMAIL_COUNT_MAX) {
    const fault = `must be a list of 1 to ${INVITED_EMAIL_COUNT_MAX} addresses`;
    throw errors.VALIDATION_FAILED({ validation: { emails: fault } });
  }
  const validation: Record<string, string> = {};
  const addresses: string[] = [];
  for (const [index, given] of emails.entries()) {
    const email = typeof given === 'string' ? given.trim().toLowerCase() : '';
    const twice = addresses.includes(email) ? 'stands in the list twice' : '';
    const fault = emailFault(email) || twice || presentFault(email, place, view);
    if (fault !== '') validation[`emails.${index}`] = fault;
    addresses.push(email);
  }
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
  return addresses;
}

function presentFault(email: string, place: Place, view: Look): string {
  const known = view.by(user, 'email', email);
  if (known === null || !isInside(known.id, place, view)) return '';
  return `is a member of this ${place.kind} already`;
}

/** Whether a person owns the place or is a member of it: of itself, not through an organization. */
function isInside(userId: string, place: Place, view: Look): boolean {
  if (ownerIdOf(view, place) === userId) return true;
  return view.by(member, 'userId', memberKey(userId, place.id)) !== null;
}
