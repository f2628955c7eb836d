/** Mails about accounts and invitations (M-30, M-81), and the one that tries the mail server. Pure. */
import type { Language } from '../../../base/languages.ts';
import type { Letter } from '../letter/letter.ts';
import { shortened, unlinked } from '../plain.ts';
import { Words } from '../words/words.ts';
import { titlesOf } from './parts.ts';

/** A name of somebody's choice says so much of itself to strangers. */
const PLACE_LENGTH_MAX = 80;

interface Reader {
  readonly language: Language;
  /** Host of the service: where it comes from. */
  readonly host: string;
}

/** The first password of an account. */
export interface ActivationMail extends Reader {
  readonly link: string;
  /** What the person is invited to; '' nothing. */
  readonly place: string;
}

/** A forgotten password. */
export interface PasswordResetMail extends Reader {
  readonly link: string;
}

/** An invitation to somebody who has an account. */
export interface InvitationMail extends Reader {
  readonly link: string;
  /** A hostname, or the name of an organization. */
  readonly place: string;
}

/** To a new account: its reader sets the first password. */
export function activationLetter({ language, host, link, place }: ActivationMail): Letter {
  const words = new Words(language);
  const named = nameOf(place);
  const text =
    place === '' ? words.say('activationPlain') : words.say('activationText', { place: named });
  return {
    ...{ language, about: host, end: null },
    subject: words.say('activationSubject'),
    preheader: text,
    heading: words.say('activationHeading'),
    blocks: [
      { kind: 'text', text },
      { kind: 'button', label: words.say('activationButton'), href: link },
      { kind: 'note', text: words.say('linkNote') },
    ],
    reason:
      place === ''
        ? words.say('signInReason', { host })
        : words.say('invitationReason', { place: named }),
  };
}

/** To somebody who forgot the password. */
export function passwordResetLetter({ language, host, link }: PasswordResetMail): Letter {
  const words = new Words(language);
  return {
    ...{ language, about: host, end: null },
    ...titlesOf('reset', words),
    blocks: [
      { kind: 'text', text: words.say('resetText') },
      { kind: 'button', label: words.say('resetButton'), href: link },
      { kind: 'note', text: words.say('linkNote') },
    ],
    reason: words.say('signInReason', { host }),
  };
}

/** To somebody with an account: where it can be accepted. */
export function invitationLetter({ language, host, link, place }: InvitationMail): Letter {
  const words = new Words(language);
  const named = nameOf(place);
  return {
    ...{ language, about: host, end: null },
    subject: words.say('invitationSubject', { place: shortened(place, PLACE_LENGTH_MAX) }),
    preheader: words.say('invitationPreheader'),
    heading: words.say('invitationHeading', { place: named }),
    blocks: [
      { kind: 'text', text: words.say('invitationText') },
      { kind: 'button', label: words.say('invitationButton'), href: link },
    ],
    reason: words.say('invitationReason', { place: named }),
  };
}

/** By `footfall mail test`. */
export function testLetter({ language, host }: Reader): Letter {
  const words = new Words(language);
  return {
    ...{ language, about: host, end: null },
    ...titlesOf('test', words),
    blocks: [{ kind: 'text', text: words.say('testText') }],
    reason: words.say('testReason', { host }),
  };
}

/** Whoever invites may call a place as they like: it is told, and is no link. Subjects are none anyway. */
function nameOf(place: string): string {
  return unlinked(shortened(place, PLACE_LENGTH_MAX));
}
