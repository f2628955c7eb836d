/**
 * Reads everything in a data directory and says what is damaged; for `footfall verify`.
 *
 * Control plane. It may run beside the service: an environment is read as of one moment, which a
 * read transaction protects from being overwritten. Damage in a log file that somebody is writing
 * counts only if a second look finds it again.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { driverOf } from '../../bus/drivers.ts';
import type { StoredLog } from '../../bus/log/driver.ts';
import { damagedUploads } from '../../imports/uploads.ts';
import { errors } from '../../model/errors.ts';
import { BEGINNING, type DomainId } from '../../model/ids.ts';
import { missingBlocks } from '../../segment/disk/missing-blocks.ts';
import { positionOf } from '../../shard/snapshot/snapshot.ts';
import { checkEnvironment, dataFileOf, isMade } from '../../store/environment-check.ts';
import { bufferToKeyValue } from '../../store/lmdb-keys.ts';
import { registryPath } from '../../store/registry-table.ts';
import { damagedListLines, listedStates, shardStatePath } from '../../store/state-directories.ts';
import { placeOfKey, StateEnvironment, type StateKey } from '../../store/state-environment.ts';
import { damagedFiles } from './checked-files.ts';
import { tryLockDataDir } from './data-dir-lock.ts';
import { checkLayout, type Layout } from './data-layout.ts';

/** Looks at a log that is being written before it is taken for damaged. */
const LOG_LOOKS = 3;

/** One damage. */
export interface Damage {
  readonly file: string;
  readonly fault: string;
  /** Site and day (yyyy-mm-dd) that cannot be read; null where it is not about one. */
  readonly domainId: DomainId | null;
  readonly day: string | null;
}

/** What was read and what is wrong with it. */
export interface Verification {
  readonly damages: readonly Damage[];
  /** Values, log records and files. */
  readonly entries: number;
  readonly records: number;
  /** Whether a service runs on the directory. */
  readonly isRunning: boolean;
}

/** Reads a data directory. @throws DATA_DIR_UNUSABLE when there is none. */
export function verifyDataDir(dataDir: string): Verification {
  if (!existsSync(dataDir)) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'there is no such directory' });
  }
  const lock = tryLockDataDir(dataDir);
  try {
    return new Verifier(dataDir, lock === null).run();
  } finally {
    lock?.release();
  }
}

const NOWHERE = { domainId: '', day: '' } as const;

class Verifier {
  readonly #dataDir: string;
  readonly #isRunning: boolean;
  readonly #damages: Damage[] = [];
  #entries = 0;
  #records = 0;
  /** The newest that a state has. */
  #position = 0;

  constructor(dataDir: string, isRunning: boolean) {
    this.#dataDir = dataDir;
    this.#isRunning = isRunning;
  }

  run(): Verification {
    const layout = this.#layout();
    this.#registry(layout);
    this.#states();
    this.#files();
    const reader = layout?.log && driverOf(layout.log.kind).reader(this.#dataDir);
    if (reader) this.#log(reader);
    const entries = this.#entries;
    const records = this.#records;
    return { damages: this.#damages, entries, records, isRunning: this.#isRunning };
  }

  #add(file: string, fault: string, place: ReturnType<typeof placeOfKey> = NOWHERE): void {
    this.#damages.push({ file, fault, domainId: place.domainId || null, day: place.day || null });
  }

  #layout(): Layout | null {
    try {
      return checkLayout(this.#dataDir);
    } catch (error) {
      this.#add(join(this.#dataDir, 'layout.json'), (error as Error).message);
      return null;
    }
  }

  #registry(layout: Layout | null): void {
    const path = registryPath(this.#dataDir);
    if (isMade(path)) this.#environment(path, null);
    else if (layout?.log && !driverOf(layout.log.kind).isShared) {
      this.#add(dataFileOf(path), 'it is missing');
    }
  }

  #states(): void {
    for (const line of damagedListLines(this.#dataDir)) {
      this.#add(join(this.#dataDir, 'states'), `the line ${JSON.stringify(line)} is damaged`);
    }
    const directory = join(this.#dataDir, 'state');
    for (const shard of listedStates(this.#dataDir)) {
      const path = shardStatePath(this.#dataDir, shard);
      if (!isMade(path)) this.#add(dataFileOf(path), 'it is missing');
    }
    if (!existsSync(directory)) return;
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      if (name.endsWith('-draft') || !isMade(path)) continue;
      this.#environment(path, (environment) => {
        this.#position = Math.max(this.#position, positionOf(environment.get(['p'])));
        for (const key of missingBlocks(environment)) {
          this.#value(environment.path, key, 'is missing');
        }
      });
    }
  }

  /** Beside all that the log and the states hold. */
  #files(): void {
    for (const path of damagedFiles(this.#dataDir)) this.#add(path, 'it is not what was written');
    for (const { file, fault } of damagedUploads(this.#dataDir)) this.#add(file, fault);
  }

  /** @param look more, with LMDB, at one that can be trusted as a whole. */
  #environment(path: string, look: ((environment: StateEnvironment) => void) | null): void {
    const pin = this.#isRunning ? new StateEnvironment(path) : null;
    const moment = pin?.snapshot();
    const { fault, damagedKeys, entries } = checkEnvironment(path);
    this.#entries += entries;
    if (fault !== '') this.#add(dataFileOf(path), fault);
    for (const key of damagedKeys) {
      this.#value(
        dataFileOf(path),
        bufferToKeyValue(key) as StateKey,
        'does not match its checksum',
      );
    }
    if (fault === '' && damagedKeys.length === 0 && look !== null) {
      const environment = pin ?? new StateEnvironment(path);
      look(environment);
      if (pin === null) void environment.close();
    }
    moment?.done();
    void pin?.close();
  }

  #value(file: string, key: StateKey, fault: string): void {
    this.#add(file, `the value of ${JSON.stringify(key)} ${fault}`, placeOfKey(key));
  }

  #log(log: StoredLog): void {
    const { path: directory } = log;
    if (!existsSync(directory)) {
      if (this.#position > 0) this.#add(directory, 'it is missing');
      return;
    }
    let last = '';
    for (let look = 1; look <= (this.#isRunning ? LOG_LOOKS : 1); look++) {
      const fault = this.#logFault(log);
      if (fault === '' || (look > 1 && fault === last)) {
        last = fault;
        break;
      }
      last = fault;
    }
    if (last !== '') this.#add(directory, last);
  }

  #logFault(log: StoredLog): string {
    this.#records = 0;
    try {
      const last = log.replay(BEGINNING, () => {
        this.#records++;
      });
      if (last >= this.#position) return '';
      return errors.LOG_BEHIND_CHECKPOINT({ checkpoint: this.#position, last }).message;
    } catch (error) {
      return (error as Error).message;
    }
  }
}
