// Goal: an event that several webhooks are told of is on disk once, is whole for whoever still waits for
// it, and goes with the last of them, whatever becomes of its entries in which order (O-1, O-2, O-13).
// Method: random events and outcomes on a real outbox, beside a model that keeps every entry for itself.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Attempt, OutboxEntry } from '../../../src/model/outbox.ts';
import {
  attemptsOf,
  dueEntries,
  resend,
  settle,
  shed,
} from '../../../src/shard/outbox/outbox-store.ts';
import { StoredOutbox } from '../../delivery/stored-outbox.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { runs, SEED } from '../../support/runs.ts';

const WEBHOOKS = ['w1', 'w2', 'w3', 'w4'];
const STEPS = 300;
const NEVER = Number.MAX_SAFE_INTEGER;

let outbox: StoredOutbox;
/** By webhook: the body of each entry that waits, by its id. */
let waiting: Map<string, Map<string, string>>;

beforeEach(() => {
  outbox = new StoredOutbox();
  waiting = new Map(WEBHOOKS.map((id) => [id, new Map()]));
});

afterEach(() => outbox.close());

const modelOf = (webhookId: string) => waiting.get(webhookId) as Map<string, string>;

function entriesOf(webhookId: string): readonly OutboxEntry[] {
  outbox.environment.refresh();
  const asked = { after: null, nowMs: NEVER, count: NEVER };
  return dueEntries(outbox.environment, webhookId, asked).entries;
}

/** Keys of events that entries share. */
function sharedCount(): number {
  outbox.environment.refresh();
  return [...outbox.environment.range(['ne'], ['ng'])].length;
}

function attempted(entry: OutboxEntry, againMs: number | null): void {
  const outcome = { timeMs: 1, durationMs: 1, status: 500, error: 'no', response: '' };
  settle(outbox.environment, [{ entry, outcome, againMs, failures: 1 }]);
  if (againMs === null) modelOf(entry.webhookId).delete(entry.id);
}

function oneOf<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function note(random: () => number): void {
  const told = WEBHOOKS.filter(() => random() < 0.6);
  if (told.length === 0) return;
  for (const { webhookId, id, body } of outbox.noteFor(told)) modelOf(webhookId).set(id, body);
}

function sendAgain(webhookId: string, random: () => number): void {
  const attempt = oneOf(attemptsOf(outbox.environment, webhookId), random) as Attempt | undefined;
  if (attempt === undefined) return;
  expect(resend(outbox.environment, webhookId, attempt.number)).toBe(true);
  modelOf(webhookId).set(attempt.entry.id, attempt.entry.body);
}

function shedOldest(webhookId: string): void {
  // As it is told: what waits for its time, then what is fresh.
  const going = entriesOf(webhookId).slice(0, 3);
  shed(outbox.environment, webhookId, { count: 3, beforeMs: NEVER });
  for (const { id } of going) modelOf(webhookId).delete(id);
}

function expectAsModel(): void {
  for (const webhookId of WEBHOOKS) {
    const found = new Map(entriesOf(webhookId).map(({ id, body }) => [id, body]));
    expect(found).toEqual(modelOf(webhookId));
  }
}

test.each(Array.from({ length: runs(10) }, (_, index) => SEED + index))(
  'O-1, O-2: what waits is whole, and nothing stays of what was told (seed %i)',
  (seed) => {
    const random = seededRandom(seed);
    for (let step = 0; step < STEPS; step++) {
      const webhookId = oneOf(WEBHOOKS, random) as string;
      const entry = oneOf(entriesOf(webhookId), random);
      const what = random();
      if (what < 0.35) note(random);
      else if (what < 0.6 && entry !== undefined) attempted(entry, 1 + Math.floor(random() * 1e6));
      else if (what < 0.85 && entry !== undefined) attempted(entry, null);
      else if (what < 0.93) sendAgain(webhookId, random);
      else if (random() < 0.3) shedOldest(webhookId);
      if (step % 10 === 0) expectAsModel();
    }
    expectAsModel();
    for (const webhookId of WEBHOOKS) {
      for (const entry of entriesOf(webhookId)) attempted(entry, null);
    }
    expect(sharedCount()).toBe(0);
    expect(outbox.heads().map(({ entries, bytes }) => [entries, bytes])).toEqual(
      outbox.heads().map(() => [0, 0]),
    );
  },
);

test('O-2: what is sent to five hundred webhooks is on disk once', () => {
  const many = Array.from({ length: 500 }, (_, index) => `webhook-${index}`);
  const before = outbox.environment.writtenBytes;
  outbox.noteFor(many, 'x'.repeat(40_000));
  expect(outbox.environment.writtenBytes - before).toBeLessThan(500 * 500);
  expect(entriesOf('webhook-499')[0]?.body).toContain('x'.repeat(40_000));
});
