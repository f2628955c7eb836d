/**
 * What keeps the log or the state from being written, for all threads of a node to see.
 *
 * Control plane. Shared memory holds numbers, so a cause is a row of the table: clients read its
 * sentence in `/readyz`, hence no path and no text of the system. `/readyz` refuses while the log has a
 * fault, since no hit is taken; one of the state it only tells: hits are taken and wait in the log.
 *
 *     faults:  [0] log │ [1 + actor] state of an actor's shards       0: it can be written
 */

import type { OperatingError } from '../../model/errors.ts';
import type { LogMemory } from './links.ts';

/** Causes by number; the first is none. Only its end may grow. */
const CAUSES: readonly { codes: readonly (string | number)[]; text: string }[] = [
  { codes: [], text: '' },
  { codes: [], text: 'the operating system refuses it' },
  { codes: ['ENOSPC', 28], text: 'the disk is full' },
  { codes: ['EDQUOT', 122], text: "the disk's quota is used up" },
  { codes: ['EIO', 5], text: 'the disk has an input or output error' },
  { codes: ['EROFS', 30], text: 'its file system is read-only' },
  { codes: ['EACCES', 'EPERM', 13, 1], text: 'access to its files is denied' },
  { codes: ['EMFILE', 'ENFILE', 24, 23], text: 'too many files are open' },
  { codes: ['MDB_MAP_FULL', -30_792], text: 'its map has reached its size (MDB_MAP_FULL)' },
  { codes: [], text: 'its stream is gone from the NATS servers' },
  { codes: [], text: 'another stream of its name has taken its place on the NATS servers' },
];
const OTHER = 1;

/** Causes that no error of a system names. */
export const STREAM_FAULT = { gone: 9, replaced: 10 } as const;

/** Number of what an operating error was caused by. */
export function causeOf(error: OperatingError): number {
  const { code, message } = (error.cause ?? {}) as { code?: string | number; message?: string };
  const found = CAUSES.findIndex(({ codes }) =>
    codes.some(
      (known) => known === code || (typeof known === 'string' && message?.includes(known) === true),
    ),
  );
  return found < 0 ? OTHER : found;
}

/** The log cannot be written; 0: it can again. */
export function setLogFault({ faults }: LogMemory, cause: number): void {
  Atomics.store(faults, 0, cause);
}

/** An actor cannot save; 0: it can again. */
export function setStateFault({ faults }: LogMemory, actor: number, cause: number): void {
  Atomics.store(faults, 1 + actor, cause);
}

/** Why no hit is taken now, one sentence; null when they are. */
export function logFault({ faults }: LogMemory): string | null {
  const cause = Atomics.load(faults, 0);
  return cause === 0 ? null : `the log cannot be written: ${textOf(cause)}`;
}

/** Why what is counted is not saved now, one sentence; null when it is. */
export function stateFault({ faults }: LogMemory): string | null {
  for (let at = 1; at < faults.length; at++) {
    const cause = Atomics.load(faults, at);
    if (cause === 0) continue;
    return `the state cannot be written: ${textOf(cause)}; hits are taken and wait in the log`;
  }
  return null;
}

function textOf(cause: number): string {
  return (CAUSES[cause] ?? CAUSES[OTHER]!).text;
}
