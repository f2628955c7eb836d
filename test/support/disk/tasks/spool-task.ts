/** A node's spool: hits wait on its disk while NATS is away, and are handed on when it is back. */

import { join } from 'node:path';
import { frameRecords } from '../../../../src/bus/log/record-frame.ts';
import { Spool, type WaitingRecord } from '../../../../src/bus/spool/spool.ts';
import { OperatingError } from '../../../../src/model/errors.ts';
import { asShardId } from '../../../../src/model/ids.ts';
import type { DiskTask } from './task.ts';

const ADDS = 10;
/** So that they fill two files. */
const LARGE = 'x'.repeat(600_000);
const READ_BYTES = 1_500_000;
/** After these something is forwarded. */
const FORWARD_AFTER = [4, 8];
const BYTES_MAX = 1_024 ** 3;

interface SpoolLedger {
  readonly kept: number[];
  readonly refused: number[];
  /** By what was spooled: the name under which the stream knows it. */
  readonly forwarded: Map<number, string>;
}

/** See the head. */
export const spoolTask: DiskTask<SpoolLedger> = {
  async prepare() {},
  ledger: () => ({ kept: [], refused: [], forwarded: new Map() }),
  async run(directory, ledger) {
    const spool = open(directory);
    for (let number = 0; number < ADDS; number++) {
      add(spool, number, ledger);
      if (!FORWARD_AFTER.includes(number)) continue;
      const records = spool.read(READ_BYTES);
      for (const record of records) ledger.forwarded.set(numberOf(record), nameOf(record));
      spool.forwarded(records);
    }
    spool.close();
  },
  async wrong(directory, { kept, refused, forwarded }) {
    const spool = open(directory);
    const records = spool.read(BYTES_MAX);
    const found = records.map(numberOf);
    const wrong: string[] = [];
    const isRising = found.every((number, at) => at === 0 || number > found[at - 1]!);
    if (!isRising) wrong.push(`they come in the order ${found.join(', ')}`);
    for (const number of kept) {
      if (!found.includes(number) && !forwarded.has(number)) wrong.push(`${number} is gone`);
    }
    for (const number of refused) {
      if (found.includes(number)) wrong.push(`${number} was refused and is there`);
    }
    for (const record of records) {
      const before = forwarded.get(numberOf(record));
      // Another name would be counted a second time.
      if (before !== undefined && before !== nameOf(record)) {
        wrong.push(`${numberOf(record)} was ${before} and is ${nameOf(record)}`);
      }
    }
    add(spool, ADDS, { kept: [], refused: [], forwarded });
    spool.forwarded(spool.read(BYTES_MAX));
    if (!spool.isEmpty) wrong.push('it does not become empty');
    spool.close();
    return wrong;
  },
};

function open(directory: string): Spool {
  return Spool.open({ dir: join(directory, 'spool'), bytesMax: BYTES_MAX });
}

function add(spool: Spool, number: number, { kept, refused }: SpoolLedger): void {
  const payload = Buffer.from(`${number} ${LARGE}`);
  try {
    spool.add([frameRecords([{ shard: asShardId(1), payload }])]);
    kept.push(number);
  } catch (error) {
    const isRefused = error instanceof OperatingError && error.code === 'LOG_WRITE_FAILED';
    if (!isRefused) throw error;
    refused.push(number);
  }
}

function numberOf({ payload }: WaitingRecord): number {
  return Number(Buffer.from(payload).toString().split(' ')[0]);
}

function nameOf({ spool, number }: WaitingRecord): string {
  return `${spool}-${number}`;
}
