// Goal (P-20): the log of a restored cluster is one that a start reads: records in a row behind a
//   position, over several files, or none and the position alone.
// Method: frames of random lengths are written as files and read as every start reads them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LogDraft } from '../../../src/bus/local/log-draft.ts';
import { walkLog } from '../../../src/bus/local/recovery.ts';
import { frameRecords } from '../../../src/bus/log/record-frame.ts';
import { asSequence, asShardId, BEGINNING } from '../../../src/model/ids.ts';
import { makeTemporaryDirectory } from '../../support/service.ts';

const DIRECTORY = makeTemporaryDirectory();

afterAll(() => rmSync(DIRECTORY, { recursive: true, force: true }));

test.each([
  { records: 0, after: 41, files: 1 },
  { records: 1, after: 0, files: 1 },
  { records: 300, after: 7_000_000_000, files: 3 },
])('P-20: $records records behind $after', ({ records, after, files }) => {
  const dir = join(DIRECTORY, `log-${records}`);
  mkdirSync(dir);
  const written = new Map<string, Buffer[]>();
  const draft = new LogDraft(asSequence(after), (name, bytes) => {
    written.set(name, [...(written.get(name) ?? []), Buffer.from(bytes)]);
  });
  const payloadOf = (index: number) => Buffer.alloc((index * 7_919) % 70_000, index % 251);
  for (let index = 0; index < records; index++) {
    draft.add(frameRecords([{ shard: asShardId(index % 5), payload: payloadOf(index) }]));
  }
  draft.end();
  for (const [name, pieces] of written) writeFileSync(join(dir, name), Buffer.concat(pieces));
  let next = 0;
  const found = walkLog(dir, BEGINNING, ({ shard, sequence, payload }) => {
    expect([shard, sequence]).toEqual([next % 5, after + next + 1]);
    expect(payloadOf(next).equals(payload), `record ${next}`).toBe(true);
    next++;
  });
  expect(next).toBe(records);
  expect([found.lastSequence, draft.lastSequence]).toEqual([after + records, after + records]);
  expect(found.files).toHaveLength(files);
});
