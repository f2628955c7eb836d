/**
 * All entries of an LMDB environment as of one moment, read while others write, and a new one of them.
 *
 * Control plane, for backups. A reader of LMDB keeps the pages of the moment; they are read without
 * LMDB, as a check does (`environment-check.ts`), so that what is copied is known to be what was
 * written.
 */

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Database, open, type RootDatabase, type Transaction } from 'lmdb';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { errors } from '../model/errors.ts';
import { checkValue, isOfKey } from './checked-values.ts';
import { dataFileOf } from './environment-check.ts';
import { throughGate } from './environment-gate.ts';
import { bufferToKeyValue } from './lmdb-keys.ts';
import { type MetaPage, metaBytes, PageFault, pickMeta } from './lmdb-meta.ts';
import { walkPages } from './lmdb-pages.ts';

const REMEDY =
  "nothing is copied from it; 'footfall verify' says what is damaged, restore a backup from before";
/** A commit may end between two looks at the meta pages; so often in a row it does not. */
const LOOKS = 1_000;

/** An entry, with the bytes that LMDB has for it. */
export interface CopiedEntry {
  /** Name of its tree; '' for the environment's own. */
  readonly tree: string;
  readonly key: Buffer;
  /** With its checksums (`checked-values.ts`). */
  readonly value: Buffer;
}

/** One moment of an environment, which is kept until `release`. */
export class PinnedEnvironment {
  /** Its data file. */
  readonly path: string;
  readonly #environment: RootDatabase<Buffer, string>;
  readonly #reader: Transaction;
  readonly #fd: number;
  readonly #meta: MetaPage;
  #isReleased = false;

  /** Pins the newest moment. @throws STORE_DAMAGED when none can be told, DATA_DIR_UNUSABLE. */
  constructor(directory: string) {
    this.path = dataFileOf(directory);
    this.#environment = openToRead(directory);
    // A backup that was killed leaves its reader behind, which would keep pages for good.
    this.#environment.readerCheck();
    this.#reader = this.#environment.useReadTransaction();
    this.#fd = openSync(this.path, 'r');
    try {
      // After the reader is there: of what this moment has, nothing is overwritten any more.
      this.#meta = this.#newestMeta();
    } catch (error) {
      this.release();
      if (error instanceof PageFault) throw this.#damage(error.message);
      throw error;
    }
  }

  /**
   * Reads everything.
   *
   * @param visit gets entries that are valid during the call, in order of their keys in each tree.
   * @throws STORE_DAMAGED when a page or a value is not what was written.
   */
  walk(visit: (entry: CopiedEntry) => void): void {
    const fault = walkPages(
      this.#fd,
      ({ tree, key, inline, read }) => {
        const value = inline ?? read();
        if (checkValue(key, value) !== 'good' || !isOfKey(key, value)) {
          throw this.#damage(
            `the value of ${JSON.stringify(bufferToKeyValue(key))} does not match its checksum`,
          );
        }
        visit({ tree, key, value });
      },
      this.#meta,
    );
    if (fault !== '') throw this.#damage(fault);
  }

  /** Lets go of the moment. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#reader.done();
    void throughGate(dirname(this.path), () => this.#environment.close());
    closeSync(this.#fd);
  }

  #newestMeta(): MetaPage {
    for (let look = 1; ; look++) {
      const before = metaBytes(this.#fd);
      try {
        const meta = pickMeta(this.#fd);
        if (before.equals(metaBytes(this.#fd)) || look === LOOKS) return meta;
      } catch (error) {
        // A page that is being written may be read half.
        if (look === LOOKS || before.equals(metaBytes(this.#fd))) throw error;
      }
    }
  }

  #damage(fault: string) {
    return errors.STORE_DAMAGED({ path: this.path, fault, remedy: REMEDY });
  }
}

/** @throws DATA_DIR_UNUSABLE when the disk does not let it be read. */
function openToRead(directory: string): RootDatabase<Buffer, string> {
  const options = { path: directory, encoding: 'binary', overlappingSync: false } as const;
  try {
    return throughGate(directory, () => open<Buffer, string>({ ...options, readOnly: true }));
  } catch (cause) {
    const reason = (cause as Error).message;
    throw errors.DATA_DIR_UNUSABLE({ dataDir: directory, reason }, cause);
  }
}

/** Makes an environment from entries of another. */
export class EnvironmentDraft {
  readonly #directory: string;
  readonly #environment: RootDatabase<Buffer, Buffer>;
  readonly #trees = new Map<string, Pick<Database<Buffer, Buffer>, 'putSync'>>();

  /** @param trees names of all that entries are put into. */
  constructor(directory: string, trees: readonly string[]) {
    makePrivateDirectory(directory);
    this.#directory = directory;
    const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
    this.#environment = open<Buffer, Buffer>({
      ...{ path: directory, overlappingSync: false },
      ...bytes,
    });
    for (const tree of trees) {
      const database =
        tree === '' ? this.#environment : this.#environment.openDB<Buffer, Buffer>(tree, bytes);
      this.#trees.set(tree, database);
    }
  }

  /** Runs `change`, which puts entries, in one transaction that is on disk afterwards. */
  write(change: () => void): void {
    this.#environment.transactionSync(change);
  }

  /** Inside `write` only. */
  put({ tree, key, value }: CopiedEntry): void {
    this.#trees.get(tree)?.putSync(key, value);
  }

  async close(): Promise<void> {
    await this.#environment.close();
    const directory = openSync(this.#directory, 'r');
    fsyncSync(directory);
    closeSync(directory);
  }
}
