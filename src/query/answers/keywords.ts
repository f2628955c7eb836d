/** Search keywords (S-66): always an empty list, since no search console is connected. */

import type { AnsweredStatistic } from '../plan/query-context.ts';
import { plain } from '../question/statistics.ts';

/** What the empty list means (src/DECISIONS.md, on keywords). */
const NOT_CONNECTED = { search_console: 'no search-console integration is connected' };

export const KEYWORDS: AnsweredStatistic = {
  ...plain('keywords'),
  byRows: () => [],
  byRollups: null,
  needs: () => false,
  context: NOT_CONNECTED,
};
