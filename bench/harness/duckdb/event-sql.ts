/**
 * The SQL of the statistics over events (S-13, S-60 to S-62), and of which statement a question is.
 *
 * Control plane.
 */
import { findStatistic } from '../../../src/query/question/statistics.ts';
import { FUNNEL_STEPS, GOALS } from '../data/questions.ts';
import {
  type Ask,
  allRows,
  eventRows,
  eventTables,
  first,
  hasEvent,
  METRICS,
  matches,
  quoted,
  span,
  totals,
  viewRows,
  viewsOfGroups,
} from './questions.ts';
import {
  clockSql,
  durationsSql,
  edgesSql,
  growthSql,
  optionsSql,
  overviewSql,
  pagesSql,
  platformSql,
  referrersSql,
  seriesSql,
  sessionDetailsSql,
  sessionListSql,
  tagsSql,
  totalSql,
  valuesSql,
} from './sql.ts';

/** What the statement of a question needs to know beside it. */
export interface Calendar {
  today: string;
  /** The period before the question's range, as long as it. */
  before: { from: string; to: string };
}

/** S-60. */
function eventsSql(ask: Ask): string {
  return `WITH ${totals(ask)}, ${eventTables(ask)}, ${viewsOfGroups('name')},
    k AS (SELECT name, list_sort(list(DISTINCT key::VARCHAR)) AS meta_keys
      FROM ${eventRows(ask, 'metadata')} GROUP BY name),
    g AS (SELECT name, count(*) AS count, count(DISTINCT visitor) AS visitors,
      trunc(sum(event_duration) / count(*)) AS average_duration_seconds FROM e GROUP BY name)
    SELECT g.*, w.views, visitors / greatest(tv, 1) AS cr, meta_keys
    FROM g JOIN w USING (name) LEFT JOIN k USING (name), t ${first('visitors DESC, g.name')}`;
}

/** S-61. */
function eventMetaSql(ask: Ask): string {
  const key = ask.parameters['event_meta_key'] ?? '';
  return `WITH ${totals(ask)}, e AS MATERIALIZED (SELECT name, value, visitor, session,
      event_duration FROM ${eventRows(ask, 'metadata')} AND key = '${key}'),
    pv AS (SELECT session, count(*) AS n FROM ${allRows(ask)}
      AND session IN (SELECT session FROM e) GROUP BY session),
    ${viewsOfGroups('name, value')},
    g AS (SELECT name, value, count(*) AS count, count(DISTINCT visitor) AS visitors,
      trunc(sum(event_duration) / count(*)) AS average_duration_seconds
      FROM e GROUP BY name, value)
    SELECT g.* EXCLUDE (value), g.value AS meta_value, w.views,
      visitors / greatest(tv, 1) AS cr
    FROM g JOIN w USING (name, value), t ${first('visitors DESC, g.value, g.name')}`;
}

/** S-62. */
function eventListSql(ask: Ask): string {
  return `SELECT name, meta, count(DISTINCT visitor) AS visitors, count(*) AS count
    FROM ${eventRows(ask)} GROUP BY name, meta ${first('count DESC, name, meta')}`;
}

/** S-47. */
function eventPagesSql(ask: Ask): string {
  return `WITH ${totals(ask)}, ${eventTables(ask)}, ${viewsOfGroups('path')},
    g AS (SELECT path, count(DISTINCT visitor) AS visitors, count(DISTINCT session) AS sessions,
      count(DISTINCT session) FILTER (is_bounce) AS bounces FROM e GROUP BY path)
    SELECT g.*, w.views, visitors / greatest(tv, 1) AS relative_visitors,
      w.views / greatest(tw, 1) AS relative_views, bounces / greatest(sessions, 1) AS bounce_rate
    FROM g JOIN w USING (path), t ${first('visitors DESC, g.path')}`;
}

/** S-8: the total in event scope, with the values of one metadata key. */
function customMetricSql(ask: Ask): string {
  const key = ask.parameters['custom_metric_key'] ?? '';
  return `WITH ${totals(ask)}, ${eventTables(ask)},
    v AS (SELECT row, TRY_CAST(value::VARCHAR AS INTEGER) AS amount
      FROM ${eventRows(ask, 'metadata')} AND key = '${key}'),
    m AS (SELECT ${METRICS.replace('count(*) AS views,', '')},
      coalesce(avg(coalesce(amount, 0)), 0) AS custom_metric_avg,
      coalesce(sum(amount), 0) AS custom_metric_total FROM e LEFT JOIN v USING (row))
    SELECT m.*, (SELECT coalesce(sum(n), 0) FROM pv) AS views,
      bounces / greatest(sessions, 1) AS bounce_rate, visitors / greatest(tv, 1) AS cr FROM m, t`;
}

/** S-63: the totals of each goal. */
function goalsSql(ask: Ask): string {
  const goals = GOALS.map((goal) => {
    const condition =
      'event_name' in goal
        ? hasEvent(span(ask.from, ask.to), goal.event_name)
        : matches(goal.path_pattern);
    return `SELECT ${quoted(goal.name)} AS name, count(DISTINCT visitor) AS visitors,
      count(*) AS views FROM ${viewRows(ask)} AND ${condition}`;
  });
  return `WITH ${totals(ask)} SELECT g.*, visitors / greatest(tv, 1) AS cr
    FROM (${goals.join(' UNION ALL ')}) g, t ORDER BY visitors DESC, name`;
}

/** A-72, of the two steps that are set up. */
function funnelSql(ask: Ask): string {
  const [read, buy] = FUNNEL_STEPS;
  const first = `${viewRows(ask)} AND ${matches(read.filter.pattern)}`;
  const second = `${viewRows(ask)} AND ${hasEvent(span(ask.from, ask.to), buy.filter.event)}`;
  return `WITH a AS MATERIALIZED (SELECT session, visitor FROM ${first}),
    v AS (SELECT (SELECT count(DISTINCT visitor) FROM a) AS v1,
      (SELECT count(DISTINCT visitor) FROM ${second} AND session IN (SELECT session FROM a)) AS v2)
    SELECT 1 AS step, v1 AS visitors, (v1 > 0)::INTEGER AS relative_visitors,
      0 AS previous_visitors, 0 AS dropped, 0 AS drop_off FROM v
    UNION ALL SELECT 2, v2, v2 / greatest(v1, 1), v1, v1 - v2,
      CASE WHEN v1 = 0 THEN 0 ELSE 1 - v2 / v1 END FROM v ORDER BY step`;
}

/** Where the texts of an option kind stand. */
const OPTION_TABLES: Readonly<Record<string, { table: string; column: string }>> = {
  page: { table: 'views', column: 'path' },
  event: { table: 'events', column: 'name' },
  metadata: { table: 'metadata', column: 'value' },
  tag: { table: 'tags', column: 'key' },
  'tag/value': { table: 'tags', column: 'value' },
};

/** The statement of a question; null where there is nothing to ask a table. */
export function sqlOf(ask: Ask, calendar: Calendar): string | null {
  const { statistic } = ask.question;
  if (statistic.startsWith('options/')) {
    const option = statistic.slice('options/'.length);
    const column = option.replace('/', '_');
    return optionsSql(ask, OPTION_TABLES[option] ?? { table: 'views', column });
  }
  const columns = findStatistic(statistic)?.columns?.map(([field]) => field);
  if (columns !== undefined) {
    return valuesSql(
      ask,
      columns.filter((field) => field !== 'country_code'),
    );
  }
  const isMetric = ask.parameters['custom_metric_key'] !== undefined;
  const statements: Readonly<Record<string, () => string>> = {
    total: () => (isMetric ? customMetricSql(ask) : totalSql(ask)),
    visitor: () => seriesSql(ask),
    growth: () => growthSql(ask, calendar.before),
    overview: () => overviewSql(calendar.today),
    hours: () => clockSql(ask, 'hour'),
    minutes: () => clockSql(ask, 'minute'),
    'duration/session': () => durationsSql(ask, 'session'),
    'duration/page': () => durationsSql(ask, 'page'),
    page: () => pagesSql(ask),
    'page/entry': () => edgesSql(ask, 'entry'),
    'page/exit': () => edgesSql(ask, 'exit'),
    referrer: () => referrersSql(ask),
    platform: () => platformSql(ask),
    goals: () => goalsSql(ask),
    funnel: () => funnelSql(ask),
    events: () => eventsSql(ask),
    'event/page': () => eventPagesSql(ask),
    'event/meta': () => eventMetaSql(ask),
    'event/list': () => eventListSql(ask),
    tags: () => tagsSql(ask, 'key'),
    'tag/details': () => tagsSql(ask, 'value'),
    'session/list': () => sessionListSql(ask),
    'session/details': () => sessionDetailsSql(ask),
  };
  return statements[statistic]?.() ?? null;
}
