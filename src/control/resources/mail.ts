/**
 * Mails to people that are to be sent, or were within the last day (O-1): written down in the record of
 * the log that causes them, so that there is none without its cause and none is forgotten.
 *
 * A link of a password is not in it: it is made when the mail is sent, and the registry keeps its hash.
 * What has been sent stays for a day, so that nobody is sent more than is good for them.
 */
import { anyObject, boolean, integer, nullable, number, oneOf, string } from '../../base/schema.ts';
import { MAIL_KEPT_MS } from '../../model/outgoing-limits.ts';
import { kept } from '../descriptor/fields.ts';
import { defineResource, type Field, type RecordType } from '../descriptor/resource.ts';

/** Mails that somebody asked for. */
const ASKED_KINDS = ['activation', 'password-reset', 'invitation'] as const;
/** Mails about a domain that nobody asked for at that moment: one click ends them (O-21). */
const TOLD_KINDS = ['webhook-inactive', 'report', 'spike', 'warning', 'goal'] as const;
/** Mails about a job of a domain that somebody began, once it is over (O-22). */
const JOB_KINDS = ['import-done', 'import-failed', 'export-ready'] as const;

/** What somebody has the service write to somebody. */
export type AskedMailKind = (typeof ASKED_KINDS)[number];
/** What of somebody's jobs the service writes about. */
export type JobMailKind = (typeof JOB_KINDS)[number];
/** What the service writes to people about. */
export type PersonalMailKind = AskedMailKind | (typeof TOLD_KINDS)[number] | JobMailKind;

/** One mail to one address. */
export const mail = defineResource({
  name: 'mail',
  table: 'mails',
  owners: [],
  fields: {
    kind: kept(
      oneOf([...ASKED_KINDS, ...TOLD_KINDS, ...JOB_KINDS]),
      ({ sent }) => sent['kind'] as PersonalMailKind,
    ),
    to: kept(string, ({ sent }) => String(sent['to'])),
    /** In lower case: by which mails to somebody are counted. */
    address: {
      ...kept(string, ({ sent }) => String(sent['to']).toLowerCase()),
      isIndexed: true,
    },
    /** Whose password its link sets, or who is told; null: somebody who may have no account. */
    userId: named('user_id', { to: 'user', whenGone: 'remove' }),
    /** What somebody is invited to, or told of; with it the mail goes. */
    domainId: named('domain_id', { to: 'domain', whenGone: 'remove' }),
    organizationId: named('organization_id', { to: 'organization', whenGone: 'remove' }),
    webhookId: named('webhook_id', { to: 'webhook', whenGone: 'remove' }),
    /** The report that it is one of; it goes with the report, sent or not. */
    reportId: named('report_id', { to: 'report', whenGone: 'remove' }),
    /**
     * What it is about that nobody can ask later: days of a report, numbers of a moment or job. Plain
     * data; entries of earlier versions lack it.
     */
    about: kept(
      anyObject,
      ({ sent }) => (sent['about'] ?? {}) as Readonly<Record<string, unknown>>,
    ),
    /** What a receiver answered last, or what kept it from answering. */
    fault: kept(string, ({ sent }) => String(sent['fault'] ?? '')),
    /** Who invites; null: whoever it is sent to asked for it. */
    inviterId: named('inviter_id', { to: 'user', whenGone: 'clear' }),
    attempts: kept(integer, () => 0),
    /**
     * When it is to be sent, or tried again; of one that is being sent, when nobody waits for that.
     */
    dueMs: kept(number, ({ nowMs }) => nowMs),
    isClaimed: kept(boolean, () => false),
    /** Sent or given up. */
    isDone: kept(boolean, () => false),
    /** Milliseconds since the epoch. */
    expiresMs: kept(number, ({ nowMs }) => nowMs + MAIL_KEPT_MS),
  },
});

export type PersonalMail = RecordType<typeof mail>;

/** Whether somebody asked for it: such mails are counted by their reader, and kept for that. */
export function isAsked(kind: PersonalMailKind): kind is AskedMailKind {
  return (ASKED_KINDS as readonly PersonalMailKind[]).includes(kind);
}

function named(name: string, refersTo: NonNullable<Field['refersTo']>): Field<string | null> {
  const first = kept(nullable(string), ({ sent }) => (sent[name] as string | undefined) ?? null);
  return { ...first, refersTo };
}
