/**
 * What is fixed when a data directory is created: its format and its number of shards.
 *
 * Control plane. Domains hash to shards, so another number would look for them in the wrong place.
 */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../model/errors.ts';

const FORMAT = 1;

interface Layout {
  format: number;
  shards: number;
}

/**
 * Reads the layout of a data directory, or fixes it in a new one.
 *
 * @param wanted number of shards of the settings; `isExplicit` when the operator gave it.
 * @returns the number of shards of the directory.
 * @throws DATA_DIR_LAYOUT when the directory is of a newer format or another number was asked for.
 */
export function fixedShardCount(
  dataDir: string,
  wanted: { shards: number; isExplicit: boolean },
): number {
  const path = join(dataDir, 'layout.json');
  const layout = readLayout(path);
  if (layout === null) {
    const draft = `${path}.draft`;
    writeFileSync(draft, `${JSON.stringify({ format: FORMAT, shards: wanted.shards })}\n`);
    renameSync(draft, path);
    return wanted.shards;
  }
  if (layout.format !== FORMAT) {
    throw errors.DATA_DIR_LAYOUT({
      dataDir,
      fault: `its format is ${layout.format}, not ${FORMAT}`,
    });
  }
  if (wanted.isExplicit && wanted.shards !== layout.shards) {
    const fault = `it has ${layout.shards} shards for good; leave the setting shards at that`;
    throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
  }
  return layout.shards;
}

function readLayout(path: string): Layout | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text) as Layout;
  } catch (cause) {
    throw errors.DATA_DIR_LAYOUT({ dataDir: path, fault: 'its layout.json is damaged' }, cause);
  }
}
