/**
 * Whether an LMDB environment can be trusted as a whole: before it is opened, and for `footfall verify`.
 *
 * Control plane. All pages hold together (`lmdb-pages.ts`) and every key is what was written. Values on
 * the same pages are looked at on the way; that one of them is damaged is no reason to refuse the rest,
 * whoever reads it will notice. A key that is damaged is: nobody would miss it.
 */

import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkValue } from './checked-values.ts';
import { type PageEntry, walkPages } from './lmdb-pages.ts';

/** Another process may have written while the pages were read: what is damaged stays so. */
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
  let check = checkOnce(directory, isRead);
  for (let attempt = 1; attempt < ATTEMPTS && isDamaged(check); attempt++) {
    check = checkOnce(directory, isRead);
  }
  return check;
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
    const check = checkValue(key, inline ?? read());
    if (check === 'good') return;
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
