/**
 * A service that is recorded while it works, and started on what a power cut may have left of it.
 *
 * What was acknowledged before the cut counts once, and the service starts by itself.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IS_LONG } from '../runs.ts';
import { makeTemporaryDirectory, RunningService } from '../service.ts';
import { CutDisk, type Luck } from './power-cut.ts';
import { type DiskChange, readRecord } from './record.ts';
import { type DiskShim, shimEnvironment } from './shim.ts';
import { FEW_THREADS, isSound, Workload } from './workload.ts';

/** Where the three moments of an environment say in which run of the machine they were written. */
const BOOT_IDS_AT = [160, 2_048 + 160, 4_096 + 160];

/** What a service did to its disk, and what it was asked. */
export interface Recording {
  readonly changes: readonly DiskChange[];
  readonly work: Workload;
}

/** Lets a service work on an empty directory; killed, it has not tidied anything. */
export async function recordRun(shim: DiskShim): Promise<Recording> {
  const directory = makeTemporaryDirectory();
  const [root, record] = [join(directory, 'data'), join(directory, 'record')];
  const env = { ...FEW_THREADS, ...shimEnvironment(shim, { root, record }) };
  const running = new RunningService({ dataDir: root, env, flags: ['--json'] });
  try {
    await running.start();
    const work = new Workload(record);
    await work.run(running);
    await running.kill();
    return { changes: readRecord(record), work };
  } finally {
    await running.dispose();
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Starts a service on what is left after so many changes. @returns what is wrong. */
export async function tryCut(
  { changes, work }: Recording,
  { count, luck }: { count: number; luck: Luck },
): Promise<string[]> {
  const disk = new CutDisk();
  for (const change of changes.slice(0, count)) disk.apply(change);
  const directory = makeTemporaryDirectory();
  const dataDir = join(directory, 'data');
  disk.writeTo(dataDir, luck);
  forgetBoot(dataDir);
  const running = new RunningService({ dataDir, env: FEW_THREADS });
  try {
    await running.start();
    const wrong = await work.wrongOn(running, changes[count - 1]?.endsAt ?? 0);
    const status = await running.stop();
    if (status !== 0) wrong.push(`it ends with ${status}\n${running.output}`);
    if (IS_LONG && !(await isSound(running))) wrong.push('verify finds damage');
    return wrong;
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await running.dispose();
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** LMDB trusts what was not synced as long as the machine has not started again: it has. */
function forgetBoot(dataDir: string): void {
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('data.mdb')) continue;
    const bytes = readFileSync(join(dataDir, name));
    for (const at of BOOT_IDS_AT) {
      if (at + 8 <= bytes.length && bytes.readBigUInt64LE(at) !== 0n) bytes.writeUInt8(1, at + 7);
    }
    writeFileSync(join(dataDir, name), bytes);
  }
}
