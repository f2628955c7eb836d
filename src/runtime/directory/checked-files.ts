/**
 * Which of the small files of a data directory are damaged: counts, lists, databases of places.
 *
 * Control plane. What earlier builds wrote without a checksum is damaged only where it cannot be read.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckedFile, readCheckedJson } from '../../store/checked-file.ts';
import { DAY_KEY_FILE, hasDamagedDayKeys } from '../../store/day-key-file.ts';
import { damagedPlaceFiles } from './place-files.ts';

/** Files of JSON, and folders of such. */
const JSON_FILES = ['jobs.json'];
const JSON_FOLDERS = ['refused'];
/** Ids, a line each. */
const NODE_ID = 'node-id';
/** What a service found damaged and put aside. */
const PUT_ASIDE = '.damaged';

/** Paths of what is not as it was written. */
export function damagedFiles(dataDir: string): string[] {
  const inFolders = JSON_FOLDERS.flatMap((folder) =>
    existsSync(join(dataDir, folder))
      ? readdirSync(join(dataDir, folder)).map((name) => join(folder, name))
      : [],
  );
  const damaged = [...JSON_FILES, ...inFolders].filter((name) => {
    const isOfThese = name.endsWith('.json') || name.endsWith(PUT_ASIDE);
    return isOfThese && readCheckedJson(join(dataDir, name)) === 'damaged';
  });
  const ids = readCheckedFile(join(dataDir, NODE_ID));
  const areIds = ids === null || (ids !== 'damaged' && /^([A-Za-z0-9]{8}\n?)*$/.test(ids.text));
  if (!areIds) damaged.push(NODE_ID);
  if (hasDamagedDayKeys(dataDir)) damaged.push(DAY_KEY_FILE);
  return [...damaged.map((name) => join(dataDir, name)), ...damagedPlaceFiles(dataDir)];
}
