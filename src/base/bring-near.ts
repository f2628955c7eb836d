/**
 * Brings columns into the processor's near caches before rows are read here and there.
 *
 * Data plane. A walk over lines of the cache one after the other is foreseen and costs next to nothing;
 * a loop whose branches nobody can foresee waits for each line that it comes to. Of ninety days, every
 * day's columns are far away when a question comes to them.
 */

/** Numbers that lie side by side, whatever their width. */
export type NumberColumn = ArrayLike<number> & ArrayBufferView;

/** What a line of the cache holds. */
const LINE_BYTES = 64;
/** Of fewer reads than one in this many lines, the lines that nobody wants would cost more. */
const LINES_PER_READ_MAX = 8;

/** Written to, so that the reads are not optimized away. */
const sink = new Uint8Array(1);

/**
 * Reads each line of some columns once.
 *
 * @param readCount how many values will be read of each column.
 * @cost about a nanosecond per line; nothing for columns of which little is read.
 */
export function bringNear(readCount: number, ...columns: readonly ArrayBufferView[]): void {
  for (const { buffer, byteOffset, byteLength } of columns) {
    if (readCount * LINES_PER_READ_MAX * LINE_BYTES < byteLength) continue;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    let sum = 0;
    for (let at = 0; at < byteLength; at += LINE_BYTES) sum += bytes[at]!;
    sink[0] = sum;
  }
}
