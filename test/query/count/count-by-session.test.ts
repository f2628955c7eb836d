// Goal: counting by page along the sessions is exact, also where a day has more seconds than a word.
// Method: hand-made rows of a day that is too large to be made hit by hit.
import { expect, test } from 'vitest';
import { type SessionRows, tallySessionRows } from '../../../src/query/count/count-by-session.ts';
import { Tally } from '../../../src/query/count/tally.ts';
import { QueryRun } from '../../../src/query/plan/query-run.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';

const SESSIONS = 140_000;
const SPENT = 65_535;

test('S-3: seconds on a page beyond 2^32 in a day are all counted', () => {
  const sessions = Uint32Array.from({ length: SESSIONS }, (_, session) => session);
  const views = {
    starts: sessions.map((session) => session * 2),
    counts: new Uint8Array(SESSIONS).fill(2),
    // The last view of a session has no time.
    timesOnPage: Uint16Array.from({ length: SESSIONS * 2 }, (_, view) => (view % 2 ? 0 : SPENT)),
  };
  const rows = {
    ...{ sessions, views, groups: new Uint32Array(SESSIONS * 2), groupCount: 1 },
    ...{ groupMap: Uint32Array.of(0), kept: Uint8Array.of(1) },
  } as unknown as SessionRows;
  // Two sessions a visitor, every second one a bounce.
  const columns = {
    visitor: sessions.map((session) => session >>> 1),
    isBounce: Uint8Array.from(sessions, (session) => session % 2),
  };
  const tally = new Tally(1);
  tallySessionRows({ sessions: { columns } } as unknown as Segment, rows, tally, {
    ...{ run: new QueryRun(), includesTime: true },
  });
  expect(tally.seconds[0]).toBe(SESSIONS * SPENT);
  expect(SESSIONS * SPENT).toBeGreaterThan(2 ** 33);
  expect([tally.timed[0], tally.rows[0], tally.sessions[0]]).toEqual([
    ...[SESSIONS, SESSIONS * 2, SESSIONS],
  ]);
  expect([tally.visitors[0], tally.bounces[0]]).toEqual([SESSIONS / 2, SESSIONS / 2]);
});
