/** The machine: its memory, and how many files a process may have open. Control plane. */

import { openFileLimit } from '../../base/open-files.ts';
import type { Settings } from '../../settings/schema.ts';
import { bad, type Finding, fine, sizeText, warning } from './finding.ts';
import { readText } from './mounts.ts';
import { openFilesNeeded } from './open-files-needed.ts';

const MEMORY_LOW = 1_024 ** 3;
const FREE_LOW = 512 * 1_024 ** 2;
const KIB = 1_024;
/** Everything about the machine. */
export function examineMachine(settings: Settings): Finding[] {
  return [openFiles(settings), memory(settings), ...hugePages(), ...overcommit()];
}

function openFiles(settings: Settings): Finding {
  const [limit, needed] = [openFileLimit(), openFilesNeeded(settings)];
  const found = `${limit === Number.POSITIVE_INFINITY ? 'no limit' : limit}; ${needed} without a client`;
  const change = `raise it (ulimit -n, LimitNOFILE=) to ${needed * 2} or more`;
  if (limit < needed) return bad('open files', found, change);
  return limit < needed * 2 ? warning('open files', found, change) : fine('open files', found);
}

function memory(settings: Settings): Finding {
  const kib = /^MemAvailable: +(\d+)/m.exec(readText('/proc/meminfo') ?? '')?.[1];
  const available = kib === undefined ? Number.POSITIVE_INFINITY : Number(kib) * KIB;
  const free = kib === undefined ? '' : `; ${sizeText(available)} are free now`;
  const found = `the service may take ${sizeText(settings.memory)}${free}`;
  if (settings.memory < MEMORY_LOW) {
    return warning('memory', found, 'give it 1 GiB or more (FOOTFALL_MEMORY, the container)');
  }
  if (available < FREE_LOW) {
    return warning('memory', found, 'end what else takes memory, or use a larger machine');
  }
  return fine('memory', found);
}

/** Pages of 2 MiB make heaps that grow and shrink larger than what they hold. */
function hugePages(): Finding[] {
  const text = readText('/sys/kernel/mm/transparent_hugepage/enabled');
  if (text === null) return [];
  const chosen = /\[(\w+)\]/.exec(text)?.[1] ?? text;
  if (chosen !== 'always') return [fine('huge pages', chosen)];
  const change =
    'set madvise in /sys/kernel/mm/transparent_hugepage/enabled: the service takes less memory';
  return [warning('huge pages', 'always', change)];
}

/** Threads and LMDB reserve more addresses than they ever use. */
function overcommit(): Finding[] {
  const text = readText('/proc/sys/vm/overcommit_memory');
  if (text === null) return [];
  if (text !== '2') return [fine('overcommit', text)];
  const change =
    'set vm.overcommit_memory to 0 or 1: the service reserves more addresses than it uses';
  return [warning('overcommit', '2: what is reserved counts as used', change)];
}
