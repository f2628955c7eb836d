/**
 * Pages by the path that events were fired on (S-47).
 */

import { tallyEventPages } from '../../count/event-page-tally.ts';
import { pageGroupsIn } from '../../group/page-groups.ts';
import { type ListRow, listRows } from '../../list/listing.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { openTextSpace } from '../../text/text-space.ts';
import { countedPages, PAGE_SHAPE, pageFields } from './pages.ts';

/** Without an event filter there is nothing to list (S-66). */
export const EVENT_PAGES: AnsweredStatistic = {
  ...PAGE_SHAPE,
  name: 'event/page',
  unit: 'events',
  searched: ['path', 'title'],
  byRows: answerByRows,
  byRollups: null,
  needs: ({ events }) => events !== null,
};

function answerByRows(context: QueryContext): ListRow[] {
  const { query, statistic } = context;
  const pages = pageGroupsIn(openTextSpace(query.domainId), query.byTitle);
  const tally = tallyEventPages(context, pages);
  return listRows(statistic, query, pageFields(context, countedPages(pages, tally, tally.weights)));
}
