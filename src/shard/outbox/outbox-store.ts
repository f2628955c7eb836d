/**
 * The outbox on disk: what waits to be told to webhooks, in the environment of the shard (O-1).
 *
 *     ['n', …], ['q', …]       entries (`outbox-entries.ts`)
 *     ['ne', …], ['nf', …]     what is sent to several webhooks (`shared-events.ts`)
 *     ['o', webhook]           how much waits, and how the webhook is doing
 *     ['o']                    number of the last change that no record of the log made
 *     ['r', webhook, number]   the last attempts (O-13)
 *
 * Notes are written in the transaction that saves their domain: the state has an event and its entry, or
 * neither. Everything is read from disk when it is asked for, so a million entries take no memory.
 */
import { Packr } from 'msgpackr';
import type { DomainId } from '../../model/ids.ts';
import {
  type Attempt,
  type DueEntries,
  type EventNote,
  type EventPlace,
  type OutboxEntry,
  type OutboxHead,
  type Settlement,
  webhookCount,
} from '../../model/outbox.ts';
import {
  OUTBOX_FETCH_BYTES_MAX,
  WEBHOOK_ATTEMPT_LIST_COUNT,
  WEBHOOK_PLACE_COUNT,
} from '../../model/outgoing-limits.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import { type NotedEvent, notesOf } from './noted-event.ts';
import {
  type EntryPlace,
  entryOf,
  FRESH,
  notedMsOf,
  placeOf,
  putEntry,
  release,
  type StoredEntry,
  type TakenEntry,
  takeEntry,
  WAITING,
} from './outbox-entries.ts';
import { putShared } from './shared-events.ts';

const packr = new Packr({ useRecords: false });
const HEAD = 'o';
const ATTEMPT = 'r';
const REVISION: StateKey = [HEAD];
/** A time that has passed: what is sent by hand goes before all that waits. */
const AT_ONCE = 1;
/** Above every number in a key. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Where its entry waits for its time after it, null: nowhere. */
type StoredAttempt = Attempt & { readonly againMs: number | null };

/** Writes notes of a domain down, within the transaction that saves it. */
export function saveNotes(
  environment: StateEnvironment,
  domainId: DomainId,
  events: readonly NotedEvent[],
): void {
  const heads = new Map<string, OutboxHead>();
  for (const event of events) {
    const count = webhookCount(event.webhooks);
    const shared = count > 1 ? putShared(environment, event, count) : 0;
    for (const { webhookId, id, notedMs, eventName, body } of notesOf(event)) {
      const head = heads.get(webhookId) ?? headOf(environment, webhookId, domainId);
      const own = { id, notedMs, attempts: 0 };
      const stored: StoredEntry = shared > 0 ? { ...own, shared } : { ...own, eventName, body };
      const { sequence, step } = event;
      const bytes = putEntry(environment, { webhookId, sequence, step, dueMs: 0 }, stored);
      heads.set(webhookId, { ...head, entries: head.entries + 1, bytes: head.bytes + bytes });
    }
  }
  for (const head of heads.values()) putHead(environment, head);
}

/** What waits, by webhook. */
export function* outboxHeads(environment: StateEnvironment): Generator<OutboxHead> {
  for (const { key, value } of environment.range([HEAD, ''], [HEAD, '\u{10ffff}'])) {
    if (key.length > 1) yield packr.unpack(value) as OutboxHead;
  }
}

/** What may be sent of a webhook now: so many entries, or as much as is fetched at once. */
export function dueEntries(
  environment: StateEnvironment,
  webhookId: string,
  asked: { readonly after: EventPlace | null; readonly nowMs: number; readonly count: number },
): DueEntries {
  const { after, nowMs, count } = asked;
  const entries: OutboxEntry[] = [];
  let nextDueMs: number | null = null;
  let bytes = 0;
  // Behind as many as may be under way, which come again until they are settled.
  const isFull = () =>
    entries.length >= count ||
    (entries.length > WEBHOOK_PLACE_COUNT && bytes >= OUTBOX_FETCH_BYTES_MAX);
  const add = (entry: OutboxEntry) => {
    entries.push(entry);
    bytes += entry.body.length;
  };
  for (const { key, value } of environment.range(
    [WAITING, webhookId, 0],
    [WAITING, webhookId, LAST],
  )) {
    const { dueMs } = placeOf(key);
    if (dueMs > nowMs || isFull()) {
      nextDueMs = dueMs;
      break;
    }
    add(entryOf(environment, key, value));
  }
  const from = after === null ? [0] : [after.sequence, after.step + 1];
  for (const { key, value } of environment.range(
    [FRESH, webhookId, ...from],
    [FRESH, webhookId, LAST],
  )) {
    if (isFull()) break;
    add(entryOf(environment, key, value));
  }
  return { entries, hasMore: isFull(), nextDueMs };
}

/** Writes down what became of entries: a transaction of its own. */
export function settle(environment: StateEnvironment, settlements: readonly Settlement[]): void {
  change(environment, () => {
    const heads = new Map<string, OutboxHead>();
    for (const settlement of settlements) {
      const { webhookId } = settlement.entry;
      const head = heads.get(webhookId) ?? findHead(environment, webhookId);
      // A webhook that is gone has nothing to be written down.
      if (head !== null) heads.set(webhookId, settleOne(environment, head, settlement));
    }
    for (const head of heads.values()) putHead(environment, head);
  });
}

function settleOne(
  environment: StateEnvironment,
  head: OutboxHead,
  { entry, outcome, againMs, failures }: Settlement,
): OutboxHead {
  const { id, webhookId, sequence, step, eventName, notedMs, body } = entry;
  const attempt = entry.attempts + 1;
  const taken = takeEntry(environment, entry);
  let { entries, bytes } = head;
  if (taken !== null) {
    entries -= 1;
    bytes -= taken.bytes;
    if (againMs === null) release(environment, entry, taken.stored);
    else {
      entries += 1;
      const stored = { ...taken.stored, attempts: attempt };
      bytes += putEntry(environment, { ...entry, dueMs: againMs }, stored);
    }
  }
  const { nextAttempt: number } = head;
  const kept: StoredAttempt = {
    ...{ ...outcome, number, attempt, againMs },
    entry: { id, webhookId, sequence, step, eventName, notedMs, body },
  };
  environment.put([ATTEMPT, webhookId, number], packr.pack(kept));
  environment.remove([ATTEMPT, webhookId, number - WEBHOOK_ATTEMPT_LIST_COUNT]);
  return { ...head, entries, bytes, failures, nextAttempt: number + 1 };
}

/** Notes that a webhook rests, or that it does so no longer. */
export function setResting(
  environment: StateEnvironment,
  webhookId: string,
  to: Pick<OutboxHead, 'inactiveMs' | 'failures'>,
): void {
  const head = findHead(environment, webhookId);
  if (head === null) return;
  const { inactiveMs, failures } = to;
  change(environment, () => putHead(environment, { ...head, inactiveMs, failures }));
}

/**
 * Takes the oldest entries of a webhook away: those that have failed before, then fresh ones.
 *
 * @returns how many went.
 */
export function shed(
  environment: StateEnvironment,
  webhookId: string,
  { count, beforeMs }: { readonly count: number; readonly beforeMs: number },
): number {
  const head = findHead(environment, webhookId);
  if (head === null) return 0;
  const going: EntryPlace[] = [];
  for (const kind of [WAITING, FRESH]) {
    for (const { key, value } of environment.range([kind, webhookId, 0], [kind, webhookId, LAST])) {
      if (going.length >= count) break;
      if (notedMsOf(value) < beforeMs) going.push(placeOf(key));
      // Fresh ones are in the order of their events.
      else if (kind === FRESH) break;
    }
  }
  if (going.length === 0) return 0;
  change(environment, () => {
    let bytes = 0;
    for (const place of going) {
      const taken = takeEntry(environment, place);
      if (taken === null) continue;
      bytes += taken.bytes;
      release(environment, place, taken.stored);
    }
    const left = { entries: head.entries - going.length, bytes: head.bytes - bytes };
    putHead(environment, { ...head, ...left });
  });
  return going.length;
}

/** Forgets a webhook of which nothing waits any more. */
export function forgetWebhook(environment: StateEnvironment, webhookId: string): void {
  change(environment, () => {
    for (const { key } of [...attemptRange(environment, webhookId)]) environment.remove(key);
    environment.remove([HEAD, webhookId]);
  });
}

/** The last attempts of a webhook, the newest first. */
export function attemptsOf(environment: StateEnvironment, webhookId: string): Attempt[] {
  const attempts = [...attemptRange(environment, webhookId)];
  return attempts.map(({ value }) => packr.unpack(value) as Attempt).reverse();
}

/**
 * Makes the entry of an attempt due at once, whether it waits, was told or was given up.
 *
 * @returns false when there is no such attempt.
 */
export function resend(environment: StateEnvironment, webhookId: string, number: number): boolean {
  const stored = environment.get([ATTEMPT, webhookId, number]);
  const head = findHead(environment, webhookId);
  if (stored === undefined || head === null) return false;
  const { entry, attempt } = packr.unpack(stored) as Attempt;
  change(environment, () => {
    const { id, notedMs, eventName, body } = entry;
    const waiting = takeOfEvent(environment, entry);
    const stored = waiting?.stored ?? { id, notedMs, eventName, body, attempts: attempt };
    const entries = head.entries + (waiting === null ? 1 : 0);
    const put = putEntry(environment, { ...entry, dueMs: AT_ONCE }, stored);
    putHead(environment, { ...head, entries, bytes: head.bytes - (waiting?.bytes ?? 0) + put });
  });
  return true;
}

/** Number of the last change that no record of the log made. */
export function outboxRevision(read: Pick<StateEnvironment, 'get'>): number {
  const stored = read.get(REVISION);
  return stored === undefined ? 0 : (packr.unpack(stored) as number);
}

function change(environment: StateEnvironment, work: () => void): void {
  environment.write(() => {
    work();
    environment.put(REVISION, packr.pack(outboxRevision(environment) + 1));
  });
}

/**
 * Takes what waits of an event that was attempted: nothing, or one entry, whose place is known from the
 * newest attempt. There may be a million others.
 */
function takeOfEvent(
  environment: StateEnvironment,
  { webhookId, sequence, step }: EventNote,
): TakenEntry | null {
  const dues = new Set([AT_ONCE]);
  for (const { value } of attemptRange(environment, webhookId)) {
    const { entry, againMs } = packr.unpack(value) as StoredAttempt;
    const isSame = entry.sequence === sequence && entry.step === step;
    if (isSame && againMs !== null) dues.add(againMs);
  }
  for (const dueMs of dues) {
    const taken = takeEntry(environment, { webhookId, dueMs, sequence, step });
    if (taken !== null) return taken;
  }
  return null;
}

function attemptRange(environment: StateEnvironment, webhookId: string) {
  return environment.range([ATTEMPT, webhookId, 0], [ATTEMPT, webhookId, LAST]);
}

function findHead(environment: StateEnvironment, webhookId: string): OutboxHead | null {
  const stored = environment.get([HEAD, webhookId]);
  return stored === undefined ? null : (packr.unpack(stored) as OutboxHead);
}

function headOf(environment: StateEnvironment, webhookId: string, domainId: DomainId): OutboxHead {
  const known = findHead(environment, webhookId);
  const blank = { entries: 0, bytes: 0, failures: 0, nextAttempt: 1, inactiveMs: 0 };
  return known ?? { webhookId, domainId, ...blank };
}

function putHead(environment: StateEnvironment, head: OutboxHead): void {
  environment.put([HEAD, head.webhookId], packr.pack(head));
}
