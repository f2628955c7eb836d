/** On which file system a directory is, and what the kernel says of its device. Control plane. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A mounted file system. */
export interface Mount {
  readonly at: string;
  /** Such as `ext4`. */
  readonly kind: string;
  readonly options: readonly string[];
  /** Of its device, `major:minor`. */
  readonly device: string;
}

/** The mount that a directory is on; null where the system does not tell. */
export function mountOf(directory: string): Mount | null {
  const path = resolve(directory);
  const isAbove = ({ at }: Mount) => path === at || path.startsWith(at === '/' ? '/' : `${at}/`);
  // Of two at one place the later one is seen.
  return readMounts().filter(isAbove).reduce<Mount | null>(longer, null);
}

/** Whether a device keeps what it is given in memory until it is told to flush; null: nobody tells. */
export function hasWriteCache({ device }: Mount): boolean | null {
  // A partition has it from its disk.
  for (const place of ['queue', '../queue']) {
    const text = readText(`/sys/dev/block/${device}/${place}/write_cache`);
    if (text !== null) return text === 'write back';
  }
  return null;
}

/** A file of the kernel's, trimmed; null when there is none. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function longer(best: Mount | null, mount: Mount): Mount {
  return best === null || mount.at.length >= best.at.length ? mount : best;
}

/** Lines are: id parent major:minor root place options … - kind source options of the file system. */
function readMounts(): Mount[] {
  return (readText('/proc/self/mountinfo') ?? '').split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , device = '', , at = '', options = ''] = before.split(' ');
    const [kind = '', , more = ''] = after.split(' ');
    if (kind === '') return [];
    return [{ at: unescaped(at), kind, options: `${options},${more}`.split(','), device }];
  });
}

function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
