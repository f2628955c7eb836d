// Goal: a node that starts while the NATS servers elect a leader waits for them, whatever it asks first.
// Method: a board in memory whose first answers are those of servers that elect.
import { ErrorCode, NatsError } from 'nats';
import { expect, onTestFinished, test } from 'vitest';
import { onceElected } from '../../../src/bus/nats/streams.ts';
import { errors } from '../../../src/model/errors.ts';
import { openLog } from '../../../src/model/log.ts';
import type { Board } from '../../../src/runtime/cluster/lease-plan.ts';
import { Membership } from '../../../src/runtime/cluster/membership.ts';
import { ClusterStatus } from '../../../src/runtime/telemetry/cluster-status.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';

const SHARDS = 4;

function unanswered(): Error {
  const cause = new NatsError('TIMEOUT', ErrorCode.Timeout);
  return errors.LOG_UNAVAILABLE({ reason: cause.message }, cause);
}

test('the first read of the board is asked again while nobody answers', async () => {
  let board: Board | null = null;
  let revision = 0;
  let refusals = 2;
  const membership = await Membership.join({
    store: {
      read: async () => {
        if (refusals-- > 0) throw unanswered();
        return board && { board, revision };
      },
      write: async (written) => {
        board = structuredClone(written);
        return ++revision;
      },
    },
    ...{ self: 'a', previous: [], shards: SHARDS, hint: () => {} },
    mover: { open: async () => ({ isRestored: false }), close: async () => {}, drop: () => {} },
    ...{ table: LeaseTable.create(SHARDS), status: ClusterStatus.create() },
    hasSpooled: () => false,
    log: openLog({ level: 'silent', format: 'json', thread: 'a' }),
  });
  onTestFinished(async () => {
    await membership.leave(100);
  });
  expect(refusals).toBeLessThan(0);
  expect(membership.self).toBe('a');
});

test('what is no election is told at once', async () => {
  let times = 0;
  const asked = onceElected(async () => {
    times++;
    throw errors.LOG_UNAVAILABLE({ reason: 'it is gone' });
  });
  await expect(asked).rejects.toThrow('it is gone');
  expect(times).toBe(1);
});
