/**
 * What is to be told to others and waits for it: entries, what became of them, and what may be asked of
 * both (O-1). Plain data: it crosses threads and nodes.
 */
import type { DomainId, Sequence } from './ids.ts';

/** Which event an entry is of: a record of the log, and how far within it. */
export interface EventPlace {
  readonly sequence: Sequence;
  /** As `Shard` counts steps: it follows from the record alone. */
  readonly step: number;
}

/** An event that is to be told to a webhook, as it is written down. */
export interface EventNote extends EventPlace {
  readonly webhookId: string;
  /** The same for the same event and webhook, however often it is made: `webhook-id`. */
  readonly id: string;
  readonly eventName: string;
  readonly notedMs: number;
  /** JSON, as it is sent (O-10). */
  readonly body: string;
}

/** How many webhooks a list of their ids names, which has commas between; '' names none. */
export function webhookCount(webhooks: string): number {
  if (webhooks === '') return 0;
  let count = 1;
  for (let at = webhooks.indexOf(','); at !== -1; at = webhooks.indexOf(',', at + 1)) count++;
  return count;
}

/** A note that waits. */
export interface OutboxEntry extends EventNote {
  /** Attempts so far. */
  readonly attempts: number;
  /** When it is due, by the wall clock; 0: when it is its turn. */
  readonly dueMs: number;
}

/** What waits for one receiver. */
export interface OutboxHead {
  readonly webhookId: string;
  readonly domainId: DomainId;
  readonly entries: number;
  readonly bytes: number;
  /** Attempts that have failed since the last good one. */
  readonly failures: number;
  /** Number of the next attempt. */
  readonly nextAttempt: number;
  /** When it was set inactive; 0: it was not. */
  readonly inactiveMs: number;
}

/** What came of an attempt. */
export interface AttemptOutcome {
  readonly timeMs: number;
  readonly durationMs: number;
  /** Of the answer; null when there was none. */
  readonly status: number | null;
  /** '' when it was taken. */
  readonly error: string;
  /** The first bytes of the answer, as text. */
  readonly response: string;
}

/** An attempt as it is kept. */
export interface Attempt extends AttemptOutcome {
  readonly number: number;
  /** Which of its entry's attempts it was, from 1. */
  readonly attempt: number;
  readonly entry: EventNote;
}

/** What is written down after an attempt: an entry is done, or is due later. */
export interface Settlement {
  readonly entry: OutboxEntry;
  readonly outcome: AttemptOutcome;
  /** When it is due again; null: it was taken, or is given up. */
  readonly againMs: number | null;
  /** Failures of its webhook in a row, this one included. */
  readonly failures: number;
}

/** Why entries go untold. */
export type ShedReason = 'full' | 'inactive' | 'deleted';

/** What the thread that sends asks of the owner of a shard. */
export type OutboxCall =
  /** Everything that waits: `OutboxHead[]`. */
  | { kind: 'outbox-heads' }
  /** What is due of a webhook: `DueEntries`. */
  | {
      kind: 'outbox-due';
      webhookId: string;
      /** Fresh entries behind this one; null: from the first on. */
      after: EventPlace | null;
      nowMs: number;
      count: number;
    }
  /** Writes down what became of entries. */
  | { kind: 'outbox-settle'; settlements: readonly Settlement[] }
  /** A webhook is set inactive, or is active again (0). */
  | { kind: 'outbox-rest'; webhookId: string; inactiveMs: number; failures: number }
  /** The oldest entries of a webhook go: how many did. `deleted` takes everything of it. */
  | {
      kind: 'outbox-shed';
      webhookId: string;
      reason: ShedReason;
      /** At most. */
      count: number;
      /** Only what was noted before. */
      beforeMs: number;
    };

/** What may be sent now. */
export interface DueEntries {
  /** Those whose time has come first, then fresh ones in the order of their events. */
  readonly entries: readonly OutboxEntry[];
  /** As many as were asked for, or as much as is fetched at once: there may be others. */
  readonly hasMore: boolean;
  /** When the next one that waits for its time is due; null: none waits. */
  readonly nextDueMs: number | null;
}

/** What is asked of the owner of a domain about the deliveries of a webhook (O-13). */
export type DeliveryQuestion = {
  readonly domainIds: readonly [DomainId];
  readonly webhookId: string;
} & (
  | /** Its attempts, the newest first: JSON of `Attempt[]`. */ { readonly kind: 'attempts' }
  /** Sends the entry of an attempt again: JSON of whether there is such an attempt. */
  | { readonly kind: 'resend'; readonly attempt: number }
);
