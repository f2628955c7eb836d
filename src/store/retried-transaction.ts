/**
 * Write transactions of an environment that several threads and processes write to.
 *
 * LMDB's writer keeps the list of free pages between its transactions. Where others wrote meanwhile,
 * the list that it has may not fit any more; then the commit is refused whole (MDB_BAD_TXN, seen once
 * in some 200,000 changes), before a page is written, and the next transaction reads the list anew.
 */
import { assert } from '../base/assert.ts';

/** Of lmdb.h: the transaction must abort. */
const MDB_BAD_TXN = -30_782;
const ATTEMPT_COUNT_MAX = 3;

/** Runs a transaction, again when its commit was refused; it has to decide anew what it writes. */
export function retriedTransaction<Result>(run: () => Result): Result {
  for (let attempt = 1; attempt <= ATTEMPT_COUNT_MAX; attempt++) {
    try {
      return run();
    } catch (error) {
      if (!isRefused(error) || attempt === ATTEMPT_COUNT_MAX) throw error;
    }
  }
  assert(false, 'the last attempt ends here or throws');
}

function isRefused(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === MDB_BAD_TXN || String(message).startsWith('MDB_BAD_TXN');
}
