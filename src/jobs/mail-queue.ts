/**
 * Sends the mails to people that stand in the registry (O-22).
 *
 * Control plane. In the thread that sends, at every node; of several nodes the one whose claim is first
 * in the registry's order sends. A node that dies in the middle is followed by itself after its start,
 * or by another once the claim is over: the mail is sent again then, and has the same Message-ID.
 *
 *     registry: waiting ── claim + link ──▶ claimed ── server ──▶ done
 *                  ▲                           │ 4xx, no answer      (5xx: done, and told in the log)
 *                  └──────── due later ────────┘
 *
 * Outcomes that the registry does not take (its stream is away) are taken as a claim that is over.
 */
import { setSharedInterval } from '../base/shared-interval.ts';
import {
  type ClaimedMail,
  isDue,
  mailClaimed,
  mailDelayed,
  mailDone,
} from '../control/people/mails.ts';
import type { Registry } from '../control/registry/registry.ts';
import { isAsked, mail, type PersonalMail } from '../control/resources/mail.ts';
import { renderLetter } from '../delivery/mail/letter/render.ts';
import type { MailDoor } from '../delivery/mail/mail-door.ts';
import type { MailOutcome } from '../delivery/mail/smtp-sender.ts';
import { OperatingError } from '../model/errors.ts';
import { MAIL_OUTCOMES } from '../model/metric-labels.ts';
import { metrics } from '../model/metrics.ts';
import { MAIL_LOOK_MS, MAIL_STOP_MS, SENDING_MAIL_COUNT_MAX } from '../model/outgoing-limits.ts';
import { type LetterContext, type PersonalLetter, personalLetter } from './personal-letters.ts';

/** What it was about is over. */
const NOT_WANTED: MailOutcome = { kind: 'sent', answer: '' };
const NODE = { kind: 'node', id: '' } as const;

/** What it needs of its thread. */
export interface MailQueueParts
  extends Pick<LetterContext, 'numbers' | 'publicUrl' | 'dashboardHost' | 'language'> {
  readonly registry: Registry;
  readonly door: MailDoor;
  readonly nowMs: () => number;
  /** No other node has this registry: what is claimed and not being sent here is nobody's. */
  readonly isAlone: boolean;
  /** Told of a mail that is given up, or to be tried again. */
  readonly onOutcome: (entry: PersonalMail, outcome: MailOutcome, isOver: boolean) => void;
  readonly onFault: (error: unknown) => void;
}

/** Looks at the registry until it is stopped. */
export class MailQueue {
  readonly #parts: MailQueueParts;
  readonly #sending = new Map<string, Promise<void>>();
  readonly #endLooks: () => void;
  #isStopped = false;
  /** Nobody takes outcomes any more. */
  #isAbandoned = false;
  /** The registry as it was when all that is waiting was looked at, and when the first is due. */
  #seen = -1;
  #nextDueMs = Number.POSITIVE_INFINITY;

  constructor(parts: MailQueueParts) {
    this.#parts = parts;
    this.#endLooks = setSharedInterval(() => this.look(), MAIL_LOOK_MS);
  }

  /** Begins to send what is due. @cost one read of shared memory when there is nothing. */
  look(): void {
    const { registry, nowMs, isAlone } = this.#parts;
    registry.keepUp();
    const atMs = nowMs();
    if (this.#isStopped || (registry.sequence === this.#seen && atMs < this.#nextDueMs)) return;
    this.#seen = registry.sequence;
    this.#nextDueMs = Number.POSITIVE_INFINITY;
    const ready: PersonalMail[] = [];
    for (const entry of registry.view.all(mail)) {
      if (entry.isDone || this.#sending.has(entry.id)) continue;
      if (isDue(entry, atMs, isAlone)) ready.push(entry);
      else this.#nextDueMs = Math.min(this.#nextDueMs, entry.dueMs);
    }
    const room = SENDING_MAIL_COUNT_MAX - this.#sending.size;
    // Whoever asked for one waits for it; reports of a morning are thousands.
    const first = ready.filter(({ kind }) => isAsked(kind));
    const begun =
      first.length >= room ? first : [...first, ...ready.filter((one) => !first.includes(one))];
    for (const { id } of begun.slice(0, room)) this.#begin(id);
    // What finds no room is begun when a place is free.
    if (ready.length > room) this.#nextDueMs = atMs;
  }

  /** Resolves when everything that is due now has been sent, or refused. */
  async settled(): Promise<void> {
    this.look();
    while (this.#sending.size > 0) {
      await Promise.all(this.#sending.values());
      this.look();
    }
  }

  /** Ends it: what is being sent is waited for a while, the rest is for the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endLooks();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, MAIL_STOP_MS);
    });
    await Promise.race([late, Promise.all(this.#sending.values())]);
    clearTimeout(timer);
    this.#isAbandoned = true;
  }

  #begin(id: string): void {
    const { onFault } = this.#parts;
    const sending = this.#send(id)
      .catch(onFault)
      .finally(() => {
        this.#sending.delete(id);
        this.#seen = -1;
      });
    this.#sending.set(id, sending);
  }

  async #send(id: string): Promise<void> {
    const { door } = this.#parts;
    const claimed = await this.#claim(id);
    if (claimed === null) return;
    const { entry } = claimed;
    const made = await this.#letterOf(claimed);
    if (made !== null && 'unanswered' in made) {
      if (this.#isAbandoned) return;
      const outcome = { kind: 'later', answer: made.unanswered } as const;
      this.#tell(entry, outcome, await this.#settle(entry, outcome));
      return;
    }
    if (made === null) {
      await this.#settle(entry, NOT_WANTED);
      return;
    }
    const { letter, link, endLink } = made;
    const { id: entryId, kind, to, createdMs: atMs } = entry;
    const outgoing = { id: entryId, kind, to, atMs, mail: renderLetter(letter), endLink };
    const outcome = await door.send(outgoing, link);
    if (this.#isAbandoned) return;
    const isOver = await this.#settle(entry, outcome);
    this.#tell(entry, outcome, isOver);
  }

  #tell(entry: PersonalMail, outcome: MailOutcome, isOver: boolean): void {
    const isSent = outcome.kind === 'sent';
    const became = isSent ? 'sent' : isOver ? 'given_up' : 'retried';
    metrics.mailAttempts.add(1, MAIL_OUTCOMES.indexOf(became));
    if (!isSent) this.#parts.onOutcome(entry, outcome, isOver);
  }

  /**
   * What an operating error keeps from being asked (a shard that moves, a query too long) comes
   * later.
   */
  async #letterOf(claimed: ClaimedMail): Promise<PersonalLetter | { unanswered: string } | null> {
    const { registry, numbers, publicUrl, dashboardHost, language, nowMs } = this.#parts;
    const { view, tokenKey } = registry;
    const from = { publicUrl, dashboardHost, tokenKey, language };
    const context = { ...from, view, numbers, nowMs: nowMs() };
    try {
      return await personalLetter(claimed, context);
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      return { unanswered: error.message };
    }
  }

  /** null: somebody else has it. */
  async #claim(id: string): Promise<ClaimedMail | null> {
    const { registry, nowMs, isAlone, door } = this.#parts;
    let claimed: ClaimedMail | null = null;
    await registry.change({ nowMs: nowMs(), by: NODE }, (view, atMs) => {
      const context = { view, nowMs: atMs, isOurs: isAlone, needsLink: door.needsLinks };
      const made = mailClaimed(id, context);
      claimed = made?.claimed ?? null;
      return made?.changes ?? [];
    });
    return claimed;
  }

  /** @returns whether it is never tried again. */
  async #settle({ id }: PersonalMail, outcome: MailOutcome): Promise<boolean> {
    const { registry, nowMs } = this.#parts;
    let isOver = outcome.kind !== 'later';
    await registry.change({ nowMs: nowMs(), by: NODE }, (view, atMs) => {
      const delayed = outcome.kind === 'later' ? mailDelayed(id, view, atMs) : null;
      isOver = delayed === null;
      return delayed ?? mailDone(id, view, atMs);
    });
    return isOver;
  }
}
