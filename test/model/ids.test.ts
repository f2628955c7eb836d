// Goal: an id or a position is never taken for another one.
// Method: the compiler has to refuse every swap (`npm run types` fails where it does not); at run time
//   they are plain values.
import { expect, test } from 'vitest';
import {
  asDomainId,
  asEpoch,
  asSequence,
  asShardId,
  type DomainId,
  type Epoch,
  type Sequence,
  type ShardId,
  shardIds,
} from '../../src/model/ids.ts';

const takes = {
  domain: (id: DomainId) => id,
  shard: (id: ShardId) => id,
  sequence: (position: Sequence) => position,
  epoch: (number: Epoch) => number,
};

test('a plain value and any other id are refused where one is meant', () => {
  const [shard, sequence, epoch] = [asShardId(3), asSequence(3), asEpoch(3)];
  // @ts-expect-error a text
  takes.domain('site');
  // @ts-expect-error a number
  takes.shard(3);
  // @ts-expect-error a position
  takes.shard(sequence);
  // @ts-expect-error a lease
  takes.shard(epoch);
  // @ts-expect-error a number
  takes.sequence(3);
  // @ts-expect-error a shard
  takes.sequence(shard);
  // @ts-expect-error a lease
  takes.sequence(epoch);
  // @ts-expect-error a number
  takes.epoch(3);
  // @ts-expect-error a shard
  takes.epoch(shard);
  // @ts-expect-error a position
  takes.epoch(sequence);
  // @ts-expect-error what is computed of a position is none until somebody says so
  takes.sequence(sequence + 1);
});

test('at run time an id is the plain value', () => {
  expect(takes.domain(asDomainId('site'))).toBe('site');
  expect([
    takes.shard(asShardId(1)),
    takes.sequence(asSequence(2)),
    takes.epoch(asEpoch(3)),
  ]).toEqual([1, 2, 3]);
  expect(shardIds(3)).toEqual([0, 1, 2]);
});
