// Goal (P-20): the log of a restored cluster is one that a start reads: records in a row behind a
//   position, each with the sequence it had, over several files, or none and the position alone.
// Method: frames of many lengths are written as files and read as every start reads them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LogDraft } from '../../../src/bus/local/log-draft.ts';
import { walkLog } from '../../../src/bus/local/recovery.ts';
import { frameRecords } from '../../../src/bus/log/record-frame.ts';
import { decodeGroups } from '../../../src/bus/record/codec.ts';
import { asSequence, asShardId, BEGINNING } from '../../../src/model/ids.ts';
import { makeTemporaryDirectory } from '../../support/service.ts';

const DIRECTORY = makeTemporaryDirectory();

afterAll(() => rmSync(DIRECTORY, { recursive: true, force: true }));

// Every seventh sequence was of something else in the log that it is a copy of.
const isMissing = (sequence: number) => sequence % 7 === 3;

test.each([
  { records: 0, after: 41, end: 41, files: 1 },
  { records: 1, after: 0, end: 1, files: 1 },
  { records: 300, after: 7_000_000_000, end: 7_000_000_300, files: 3 },
  { records: 20, after: 90, end: 3_110, files: 1 },
])(
  'P-20: $records records behind $after, none from there to $end',
  ({ records, after, end, files }) => {
    const dir = join(DIRECTORY, `log-${records}`);
    mkdirSync(dir);
    const written = new Map<string, Buffer[]>();
    const draft = new LogDraft(asSequence(after), (name, bytes) => {
      written.set(name, [...(written.get(name) ?? []), Buffer.from(bytes)]);
    });
    const payloadOf = (index: number) => Buffer.alloc((index * 7_919) % 70_000, index % 251);
    for (let index = 0; index < records; index++) {
      const sequence = asSequence(after + index + 1);
      if (isMissing(sequence)) continue;
      draft.add(sequence, frameRecords([{ shard: asShardId(4), payload: payloadOf(index) }]));
    }
    draft.fillTo(asSequence(end));
    draft.end();
    for (const [name, pieces] of written) writeFileSync(join(dir, name), Buffer.concat(pieces));
    let last = after;
    const found = walkLog(dir, BEGINNING, ({ shard, sequence, payload }) => {
      last++;
      expect(sequence).toBe(last);
      if (isMissing(sequence) || sequence > after + records) {
        expect(decodeGroups(payload).groups).toEqual([]);
        return;
      }
      expect(shard).toBe(4);
      expect(payloadOf(sequence - after - 1).equals(payload), `record ${sequence}`).toBe(true);
    });
    expect(last).toBe(end);
    expect([found.lastSequence, draft.lastSequence]).toEqual([end, end]);
    expect(found.files).toHaveLength(files);
  },
);
