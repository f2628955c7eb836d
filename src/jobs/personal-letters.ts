/**
 * What stands in a mail that the registry has: from its entry to the letter, with its links. Pure.
 *
 * Control plane. What it names is read when it is sent: a domain that was renamed is called so.
 */
import type { Look } from '../control/descriptor/resource.ts';
import { mailEndAddress } from '../control/people/mail-ends.ts';
import { type ClaimedMail, placeIdOf } from '../control/people/mails.ts';
import { linkAddress } from '../control/people/one-time-links.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import type { PersonalMail } from '../control/resources/mail.ts';
import { organization } from '../control/resources/organization.ts';
import { webhook } from '../control/resources/webhook.ts';
import type { Letter } from '../delivery/mail/letter/letter.ts';
import { webhookLetter } from '../delivery/mail/letters/notices.ts';
import {
  activationLetter,
  invitationLetter,
  passwordResetLetter,
} from '../delivery/mail/letters/people.ts';
import { WEBHOOK_FAILURE_COUNT_MAX } from '../model/limits.ts';

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
  /** Of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Signs what ends mails. */
  readonly tokenKey: Uint8Array;
}

/** No record says which language its reader has. */
const LANGUAGE = 'en';

/** The letter of an entry; null: what it is about is gone, or is well again. */
export function personalLetter(of: ClaimedMail, context: LetterContext): PersonalLetter | null {
  const { entry, token } = of;
  const { publicUrl, view } = context;
  if (entry.kind === 'webhook-inactive') return inactiveLetter(entry, context);
  const from = { language: LANGUAGE, host: new URL(publicUrl).host } as const;
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

function inactiveLetter(
  { domainId, webhookId, userId, fault }: PersonalMail,
  { view, publicUrl, tokenKey }: LetterContext,
): PersonalLetter | null {
  const site = view.find(domain, String(domainId));
  const hook = view.find(webhook, String(webhookId));
  // Whoever has saved it meanwhile knows.
  if (site === null || hook === null || hook.active) return null;
  const link = `${publicUrl}/${site.subdomain}?settings=webhooks`;
  const end = { kind: 'webhook', domainId: site.id, userId: String(userId) } as const;
  const endLink = mailEndAddress(publicUrl, end, tokenKey);
  const letter = webhookLetter({
    ...{ language: LANGUAGE, host: nameOf(site), timezone: site.timezone, link, endLink },
    ...{ event: hook.event, endpoint: hook.endpoint, lastFault: fault },
    failures: WEBHOOK_FAILURE_COUNT_MAX,
  });
  return { letter, link, endLink };
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
