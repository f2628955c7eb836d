/** Columns: appending rows and packing blocks, what the actor does per view and per checkpoint. */
import { encodeBlock } from '../../../src/segment/disk/block-codec.ts';
import { VIEWS } from '../../../src/segment/memory/layout.ts';
import { BLOCK_ROWS, Table } from '../../../src/segment/memory/table.ts';
import { enrichedHits, filledSegments } from '../../harness/data/workload.ts';
import { benchmark } from '../../harness/suite.ts';

benchmark('segment/table: append a view', ({ size }) => {
  const rows = size({ smoke: 1_000, full: 500_000 });
  const append = (table: Table<typeof VIEWS>) => {
    for (let index = 0; index < rows; index++) {
      const row = table.append();
      const { columns } = table;
      columns.timeMs[row] = index;
      columns.session[row] = index >>> 2;
      columns.path[row] = index & 1_023;
    }
    return table.rowCount + table.columns.session[rows - 1]!;
  };
  return {
    'growing as it goes': { elements: rows, run: () => append(new Table(VIEWS)) },
    'room reserved': {
      elements: rows,
      run: () => {
        const table = new Table(VIEWS);
        table.reserve(rows);
        return append(table);
      },
    },
  };
});

benchmark('segment/block-codec: encode a block', ({ seed, size }) => {
  const hits = enrichedHits({ seed, hits: size({ smoke: 300, full: 3 * BLOCK_ROWS }) });
  const [segment] = filledSegments(hits);
  return {
    'views, per row': {
      elements: Math.min(segment!.views.rowCount, BLOCK_ROWS),
      run: () => encodeBlock(segment!.views, 0).byteLength,
    },
    'sessions, per row': {
      elements: Math.min(segment!.sessions.rowCount, BLOCK_ROWS),
      run: () => encodeBlock(segment!.sessions, 0).byteLength,
    },
  };
});
