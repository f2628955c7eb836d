// Goal: a record of this build or an earlier one is read, one of a later build refused by its format.
// Method: bodies of one record whose third byte, the format, is set by hand.
import { expect, test } from 'vitest';
import { checkFrame, foreignVersion, frameRecords } from '../../../src/bus/log/record-frame.ts';
import { asShardId } from '../../../src/model/ids.ts';

function bodyOf(format: number): Uint8Array {
  const body = frameRecords([
    { shard: asShardId(7), payload: Buffer.from('first') },
    { shard: asShardId(7), payload: Buffer.from('second') },
  ]);
  body[8 + 'first'.length + 2] = format;
  return body;
}

test('what this build writes has the format of what was added last', () => {
  expect(frameRecords([{ shard: asShardId(7), payload: Buffer.from('x') }])[2]).toBe(6);
});

test.each([3, 4, 5, 6])('format %d is read', (format) => {
  const body = bodyOf(format);
  expect(foreignVersion(body)).toBeNull();
  expect(checkFrame(body.subarray(8 + 'first'.length), asShardId(7))).toBeNull();
});

test.each([0, 2, 7, 255])('format %d is not', (format) => {
  const body = bodyOf(format);
  expect(foreignVersion(body)).toBe(format);
  expect(checkFrame(body.subarray(8 + 'first'.length), asShardId(7))).toContain(
    `its format is ${format}`,
  );
});
