/**
 * Whether an LMDB environment can be trusted as a whole: before it is opened, and for `footfall verify`.
 *
 * Control plane. All pages hold together (`lmdb-pages.ts`) and every key is what was written. Values on
 * the same pages are looked at on the way; that one of them is damaged is no reason to refuse the rest,
 * whoever reads it will notice. A key that is damaged is: nobody would miss it.
 *
 * Somebody may write meanwhile: a command looks at the registry of a service that runs. A commit that
 * follows the one that is read may take its pages, which then look damaged. Only what was found while
 * no commit ended counts, or while LMDB kept the pages for a reader.
 */

import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { checkValue, isOfKey } from './checked-values.ts';
import { throughGate } from './environment-gate.ts';
import { metaBytes } from './lmdb-meta.ts';
import { type PageEntry, walkPages } from './lmdb-pages.ts';

/** After so many that a commit got in the way of, LMDB keeps the pages. */
const ATTEMPTS = 3;

/** What was found in an environment. */
export interface EnvironmentCheck {
  /** Why it cannot be trusted as a whole; '' when it can. */
  readonly fault: string;
  /** Keys, as LMDB has them, of values that are not what was written. */
  readonly damagedKeys: readonly Buffer[];
  readonly entries: number;
}

/** The data file of an environment. */
export function dataFileOf(directory: string): string {
  return join(directory, 'data.mdb');
}

/** Whether there is an environment that was ever written. */
export function isMade(directory: string): boolean {
  const path = dataFileOf(directory);
  return existsSync(path) && statSync(path).size > 0;
}

/**
 * Looks at an environment that is there.
 *
 * @param isRead of which trees every value is read; of the others only those that share pages with
 *   their keys are.
 */
export function checkEnvironment(
  directory: string,
  isRead: (tree: string) => boolean = () => true,
): EnvironmentCheck {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = momentsOf(directory);
    const check = checkOnce(directory, isRead);
    if (!isDamaged(check) || before.equals(momentsOf(directory))) return check;
  }
  return checkPinned(directory, isRead);
}

/** LMDB reads nothing but the meta pages for this, so what is damaged does it no harm. */
function checkPinned(directory: string, isRead: (tree: string) => boolean): EnvironmentCheck {
  const options = { path: directory, encoding: 'binary', overlappingSync: false } as const;
  const environment = throughGate(directory, () => open({ ...options, readOnly: true }));
  const reader = environment.useReadTransaction();
  try {
    return checkOnce(directory, isRead);
  } finally {
    reader.done();
    void throughGate(directory, () => environment.close());
  }
}

/** Changes with every commit. */
function momentsOf(directory: string): Buffer {
  const fd = openSync(dataFileOf(directory), 'r');
  try {
    return metaBytes(fd);
  } finally {
    closeSync(fd);
  }
}

function isDamaged({ fault, damagedKeys }: EnvironmentCheck): boolean {
  return fault !== '' || damagedKeys.length > 0;
}

function checkOnce(directory: string, isRead: (tree: string) => boolean): EnvironmentCheck {
  const damagedKeys: Buffer[] = [];
  let lostKey: Buffer | null = null;
  let entries = 0;
  const look = ({ tree, key, inline, read }: PageEntry) => {
    entries++;
    if (inline === null && !isRead(tree)) return;
    const stored = inline ?? read();
    const check = checkValue(key, stored);
    // The value is right where only the key's own word is damaged; some readers look at that alone.
    if (check === 'good' && isOfKey(key, stored)) return;
    if (check === 'key-damaged') lostKey ??= Buffer.from(key);
    else damagedKeys.push(Buffer.from(key));
  };
  const fd = openSync(dataFileOf(directory), 'r');
  try {
    const fault = walkPages(fd, look);
    if (fault !== '' || lostKey === null) return { fault, damagedKeys, entries };
    return { fault: `the key ${textOf(lostKey)} is damaged`, damagedKeys, entries };
  } finally {
    closeSync(fd);
  }
}

function textOf(key: Buffer): string {
  return JSON.stringify(key.toString('latin1'));
}
