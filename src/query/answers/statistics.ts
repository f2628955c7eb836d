/**
 * The table of statistics: endpoints, requests, plans and answers come from its rows.
 *
 * Control plane. A statistic of a new kind is a file in this folder that exports its row, and a line
 * here. The order is that of the documentation.
 */

import { must } from '../../base/assert.ts';
import { ACTIVE } from '../live/active.ts';
import type { AnsweredStatistic } from '../plan/query-context.ts';
import { FUNNEL } from './conversions/funnel.ts';
import { GOALS } from './conversions/goals.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { OPTIONS } from './dimensions/options.ts';
import { PLATFORM } from './dimensions/platform.ts';
import { REFERRERS } from './dimensions/referrers.ts';
import { EVENT_LIST } from './events/event-list.ts';
import { EVENT_META } from './events/event-meta.ts';
import { EVENTS } from './events/events.ts';
import { TAG_DETAILS, TAGS } from './events/tags.ts';
import { KEYWORDS } from './keywords.ts';
import { ENTRIES, EXITS } from './pages/edges.ts';
import { EVENT_PAGES } from './pages/event-pages.ts';
import { PAGES } from './pages/pages.ts';
import { SESSION_DETAILS } from './sessions/session-details.ts';
import { SESSION_LIST } from './sessions/session-list.ts';
import { HOURS_OF_DAY, HOURS_OF_WEEK, MINUTES_OF_HOUR } from './totals/clock.ts';
import { PAGE_DURATIONS, SESSION_DURATIONS } from './totals/durations.ts';
import { GROWTH } from './totals/growth.ts';
import { OVERVIEW } from './totals/overview.ts';
import { VISITOR } from './totals/series.ts';
import { TOTAL } from './totals/totals.ts';

/** Every statistic this service answers. */
export const STATISTICS: readonly AnsweredStatistic[] = [
  ...[TOTAL, VISITOR, GROWTH, OVERVIEW, HOURS_OF_DAY, HOURS_OF_WEEK, MINUTES_OF_HOUR],
  ...[SESSION_DURATIONS, PAGE_DURATIONS],
  ...[PAGES, ENTRIES, EXITS, REFERRERS],
  ...DIMENSIONS,
  PLATFORM,
  ...[EVENTS, EVENT_PAGES, EVENT_META, EVENT_LIST],
  ...[GOALS, FUNNEL, KEYWORDS],
  ...[TAGS, TAG_DETAILS],
  ...[SESSION_LIST, SESSION_DETAILS, ACTIVE],
  ...OPTIONS,
];

const byName = new Map(STATISTICS.map((statistic) => [statistic.name, statistic]));

/** The statistic of a name; undefined when there is none. */
export function findStatistic(name: string): AnsweredStatistic | undefined {
  return byName.get(name);
}

/** The statistic of a name that was read from a row of the table. */
export function statisticNamed(name: string): AnsweredStatistic {
  return must(findStatistic(name), `'${name}' is a statistic`);
}
