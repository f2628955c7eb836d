// Goal: what is listed of a webhook is bounded, and is of that webhook (O-13).
// Method: a real outbox on disk; more attempts than are listed, of two webhooks.
import { expect, test } from 'vitest';
import type { DueEntries, OutboxEntry, Settlement } from '../../src/model/outbox.ts';
import { WEBHOOK_ATTEMPT_LIST_COUNT } from '../../src/model/outgoing-limits.ts';
import { attemptsOf } from '../../src/shard/outbox/outbox-store.ts';
import { SHARD, StoredOutbox } from './stored-outbox.ts';

const NOW_MS = Date.UTC(2026, 10, 23);
const MORE = 5;

function taken(entry: OutboxEntry): Settlement {
  const outcome = { timeMs: NOW_MS, durationMs: 1, status: 200, error: '', response: 'yes' };
  return { entry, outcome, againMs: null, failures: 0 };
}

test('O-13: the last 200 attempts are kept, the newest first, those of each webhook for itself', async () => {
  const outbox = new StoredOutbox();
  try {
    const ids = outbox.note('w1', WEBHOOK_ATTEMPT_LIST_COUNT + MORE, NOW_MS);
    outbox.note('w2', 1, NOW_MS);
    for (const webhookId of ['w1', 'w2']) {
      const asked = {
        kind: 'outbox-due',
        webhookId,
        after: null,
        nowMs: NOW_MS,
        count: 64,
      } as const;
      for (;;) {
        const { entries } = (await outbox.ask(SHARD, asked)) as DueEntries;
        if (entries.length === 0) break;
        await outbox.ask(SHARD, { kind: 'outbox-settle', settlements: entries.map(taken) });
        outbox.environment.refresh();
      }
    }
    const listed = attemptsOf(outbox.environment, 'w1').map(({ entry }) => entry.id);
    expect(listed).toEqual(ids.slice(MORE).toReversed());
    expect(attemptsOf(outbox.environment, 'w2')).toHaveLength(1);
  } finally {
    await outbox.close();
  }
});
