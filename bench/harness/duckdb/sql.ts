/**
 * The SQL of every statistic over page views and sessions; `duckdb-event-sql.ts` has the rest.
 *
 * Control plane. One function per kind of statistic; the columns are named as the fields of the
 * answer are, for `agreement.ts` compares by name.
 */
import {
  type Ask,
  allRows,
  first,
  METRICS,
  meanOf,
  quoted,
  sessionConditions,
  span,
  TIME_ON_PAGE,
  tagRows,
  totals,
  viewRows,
} from './questions.ts';

/** S-20. */
export function totalSql(ask: Ask): string {
  return `WITH ${totals(ask)}, m AS (SELECT ${METRICS} FROM ${viewRows(ask)})
    SELECT m.*, bounces / greatest(sessions, 1) AS bounce_rate,
      visitors / greatest(tv, 1) AS cr FROM m, t`;
}

/** Every bucket of the range, so that those without rows are there, too. */
function buckets(ask: Ask, unit: string): string {
  return `b AS (SELECT unnest(generate_series(date_trunc('${unit}', TIMESTAMP '${ask.from}'),
    TIMESTAMP '${ask.to}', INTERVAL 1 ${unit})) AS bucket)`;
}

const METRIC_NAMES = ['visitors', 'views', 'sessions', 'bounces'];
const filled = METRIC_NAMES.map((name) => `coalesce(m.${name}, 0) AS ${name}`).join(', ');

function bucketed(ask: Ask, key: string, tables: string): string {
  return `WITH ${tables},
    m AS (SELECT ${key} AS bucket, ${METRICS} FROM ${viewRows(ask)} GROUP BY 1),
    t AS (SELECT ${key} AS bucket, count(DISTINCT visitor) AS tv FROM ${allRows(ask)} GROUP BY 1)
    SELECT bucket, ${filled},
      coalesce(m.bounces / greatest(m.sessions, 1), 0) AS bounce_rate,
      coalesce(m.visitors / greatest(tv, 1), 0) AS cr
    FROM b LEFT JOIN m USING (bucket) LEFT JOIN t USING (bucket) ORDER BY bucket`;
}

function scaleOf({ parameters }: Ask): string {
  return parameters['scale'] ?? 'day';
}

/** S-21. */
export function seriesSql(ask: Ask): string {
  const unit = scaleOf(ask);
  const rows = bucketed(ask, `date_trunc('${unit}', time)`, buckets(ask, unit));
  return `SELECT * REPLACE (strftime(bucket, '%Y-%m-%dT00:00:00Z') AS bucket) FROM (${rows})`;
}

/** S-23, S-24. */
export function clockSql(ask: Ask, unit: 'hour' | 'minute'): string {
  const last = unit === 'hour' ? 23 : 59;
  const all = `b AS (SELECT unnest(generate_series(0, ${last})) AS bucket)`;
  return bucketed(ask, `${unit}(time)`, all);
}

/** S-31, S-32. */
export function durationsSql(ask: Ask, of: 'session' | 'page'): string {
  const unit = scaleOf(ask);
  const key = `date_trunc('${unit}', time) AS bucket`;
  const rows =
    of === 'session'
      ? `SELECT DISTINCT ${key}, session, duration AS seconds FROM ${viewRows(ask)}`
      : `SELECT ${key}, time_on_page AS seconds FROM ${viewRows(ask)}`;
  return `WITH ${buckets(ask, unit)}, m AS (SELECT bucket,
      ${meanOf('sum(seconds)', 'count(*) FILTER (seconds > 0)')} AS seconds
      FROM (${rows}) GROUP BY bucket)
    SELECT strftime(bucket, '%Y-%m-%dT00:00:00Z') AS bucket,
      coalesce(seconds, 0) AS average_time_spent_seconds
    FROM b LEFT JOIN m USING (bucket) ORDER BY b.bucket`;
}

/** S-40. */
export function pagesSql(ask: Ask): string {
  const isTimed = ask.parameters['include_avg_time_on_page'] === 'true';
  return `WITH ${totals(ask)}, m AS (SELECT path, ${METRICS},
      ${isTimed ? TIME_ON_PAGE : '0'} AS average_time_spent_seconds
      FROM ${viewRows(ask)} GROUP BY path)
    SELECT m.*, visitors / greatest(tv, 1) AS relative_visitors,
      views / greatest(tw, 1) AS relative_views, bounces / greatest(sessions, 1) AS bounce_rate
    FROM m, t ${first('visitors DESC, path')}`;
}

/** S-43, S-44: what the path is as a page is taken without the filters on pages. */
export function edgesSql(ask: Ask, edge: 'entry' | 'exit'): string {
  const count = edge === 'entry' ? 'entries' : 'exits';
  const isTimed = edge === 'entry' && ask.parameters['include_avg_time_on_page'] === 'true';
  const time = isTimed ? `, ${TIME_ON_PAGE} AS average_time_spent_seconds` : '';
  const asPage = viewRows(ask, span(ask.from, ask.to), false);
  return `WITH t AS (SELECT count(DISTINCT session) AS ts FROM ${allRows(ask)}),
    m AS (SELECT ${edge}_path AS path, count(DISTINCT session) AS ${count}
      FROM ${viewRows(ask)} GROUP BY 1),
    p AS (SELECT path, count(DISTINCT visitor) AS visitors,
      count(DISTINCT session) AS sessions${time} FROM ${asPage} GROUP BY path)
    SELECT m.path, ${count}, ${count} / greatest(ts, 1) AS ${edge}_rate,
      coalesce(visitors, 0) AS visitors, coalesce(sessions, 0) AS sessions
      ${isTimed ? ', coalesce(average_time_spent_seconds, 0) AS average_time_spent_seconds' : ''}
    FROM m LEFT JOIN p ON p.path = m.path, t ${first(`${count} DESC, m.path`)}`;
}

/** S-50. */
export function referrersSql(ask: Ask): string {
  return `WITH ${totals(ask)}, m AS (SELECT referrer_name,
      coalesce(min(referrer) FILTER (referrer <> '')::VARCHAR, '') AS referrer, ${METRICS}
      FROM ${viewRows(ask)} GROUP BY referrer_name)
    SELECT referrer, referrer_name, visitors, sessions, bounces,
      visitors / greatest(tv, 1) AS relative_visitors,
      bounces / greatest(sessions, 1) AS bounce_rate
    FROM m, t ${first('visitors DESC, referrer_name, referrer')}`;
}

/** S-51, S-52, S-55: by one or several columns; what has no name has no place either. */
export function valuesSql(ask: Ask, columns: readonly string[]): string {
  const [named] = columns;
  const blanked = ['city', 'region'].includes(named as string)
    ? columns.map((column) =>
        column === named
          ? column
          : `CASE WHEN ${named} = '' THEN '' ELSE ${column}::VARCHAR END AS ${column}`,
      )
    : columns;
  const keys = columns.map((_, index) => index + 1).join(', ');
  return `WITH ${totals(ask)}, m AS (SELECT ${blanked.join(', ')},
      count(DISTINCT visitor) AS visitors FROM ${viewRows(ask)} GROUP BY ${keys})
    SELECT m.*, visitors / greatest(tv, 1) AS relative_visitors
    FROM m, t ${first(`visitors DESC, ${columns.join(', ')}`)}`;
}

/** S-54. */
export function platformSql(ask: Ask): string {
  const names = ['unknown', 'desktop', 'mobile'];
  const counts = names.map(
    (name, code) => `count(DISTINCT visitor) FILTER (platform = ${code}) AS platform_${name}`,
  );
  const shares = names.map(
    (name) => `platform_${name} / greatest(tv, 1) AS relative_platform_${name}`,
  );
  return `WITH ${totals(ask)}, m AS (SELECT ${counts.join(', ')} FROM ${viewRows(ask)})
    SELECT m.*, ${shares.join(', ')} FROM m, t`;
}

/** S-64, S-65. */
export function tagsSql(ask: Ask, column: 'key' | 'value'): string {
  const keyed = column === 'value' ? ` AND key = ${quoted(ask.parameters['tag'])}` : '';
  return `WITH ${totals(ask)}, m AS (SELECT ${column}, count(DISTINCT visitor) AS visitors,
      count(*) AS views FROM ${tagRows(ask)}${keyed} GROUP BY ${column})
    SELECT m.*, visitors / greatest(tv, 1) AS relative_visitors,
      views / greatest(tw, 1) AS relative_views FROM m, t ${first(`visitors DESC, ${column}`)}`;
}

const STAMP = "'%Y-%m-%dT%H:%M:%S.%gZ'";

/** S-90. */
export function sessionListSql(ask: Ask): string {
  return `SELECT visitor_id::VARCHAR AS visitor_id, session_id, strftime(last, ${STAMP}) AS time,
      strftime(start, ${STAMP}) AS start, duration AS duration_seconds, entry_path, exit_path,
      page_views, is_bounce, entry_title, exit_title, language, country AS country_code, city,
      referrer, referrer_name, os, os_version, browser, browser_version, screen_class,
      utm_source, utm_medium, utm_campaign, utm_content, utm_term, extended
    FROM sessions s WHERE session IN (SELECT session FROM ${viewRows(ask)})
    ${first('s.last, s.start, s.visitor_id')}`;
}

/** S-92. */
export function sessionDetailsSql(ask: Ask): string {
  const { visitor_id: visitor, session_id: session } = ask.parameters;
  const one = `${span(ask.from, ask.to)} AND session = (SELECT session FROM sessions
    WHERE visitor_id = ${visitor} AND session_id = ${session})`;
  const item = (kind: number, seconds: string, table: string) =>
    `SELECT ${kind} AS kind, time, path, title, ${seconds} AS duration_seconds
     FROM ${table} WHERE ${one}`;
  return `SELECT kind, strftime(time, ${STAMP}) AS time, path, title, duration_seconds FROM (
    ${item(0, 'time_on_page', 'views')} UNION ALL ${item(1, 'event_duration', 'events')} ) x
    ORDER BY x.time, kind`;
}

/** g(c, p) of S-70. */
function grown(name: string): string {
  return `CASE WHEN p.${name} = 0 THEN (c.${name} > 0)::INTEGER
    ELSE (c.${name} - p.${name}) / p.${name} END AS ${name}_growth`;
}

/** S-71 without events; `before` is as long as the range and ends before it. */
export function growthSql(ask: Ask, before: { from: string; to: string }): string {
  const period = (from: string, to: string) => {
    const rows = viewRows(ask, span(from, to));
    const byPage = ask.parameters['pattern'] !== undefined;
    const spent = byPage
      ? `SELECT coalesce(sum(time_on_page), 0) AS time_spent FROM ${rows}`
      : `SELECT coalesce(sum(duration), 0) AS time_spent
         FROM (SELECT DISTINCT session, duration FROM ${rows})`;
    return `(SELECT visitors, views, sessions, bounces / greatest(sessions, 1) AS bounces,
      visitors / greatest(tv, 1) AS cr, time_spent
      FROM (SELECT ${METRICS} FROM ${rows}),
        (SELECT count(DISTINCT visitor) AS tv FROM views WHERE ${span(from, to)}), (${spent}))`;
  };
  const names = ['visitors', 'views', 'sessions', 'bounces', 'cr', 'time_spent'];
  return `SELECT ${names.map(grown).join(', ')}
    FROM ${period(ask.from, ask.to)} c, ${period(before.from, before.to)} p`;
}

/** S-74, of the seven days up to `today`. */
export function overviewSql(today: string): string {
  const day = (back: number) => `DATE '${today}' - ${back}`;
  const rows = (from: number, to: number) =>
    `views WHERE time >= ${day(from)} AND time < ${day(to)} + INTERVAL 1 DAY`;
  const metrics = 'count(DISTINCT visitor) AS visitors, count(*) AS views';
  return `WITH c AS (SELECT ${metrics} FROM ${rows(6, 0)}),
    p AS (SELECT ${metrics} FROM ${rows(13, 7)}),
    d AS (SELECT date_trunc('day', time) AS day, ${METRICS} FROM ${rows(6, 0)} GROUP BY 1),
    b AS (SELECT unnest(generate_series(${day(6)}, DATE '${today}', INTERVAL 1 day)) AS day)
    SELECT c.visitors, c.views, ${grown('visitors')}, ${grown('views')},
      (SELECT list(coalesce(visitors, 0) ORDER BY day) FROM b LEFT JOIN d USING (day)) AS by_day
    FROM c, p`;
}

/** S-95 to S-97: the texts that a filter can have. */
export function optionsSql(ask: Ask, from: { table: string; column: string }): string {
  const { table, column } = from;
  const key =
    table === 'tags' && column === 'value' ? ` AND key = ${quoted(ask.parameters['tag'])}` : '';
  const conditions = [span(ask.from, ask.to), ...sessionConditions(ask)].join(' AND ');
  return `SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${conditions}
    AND ${column} <> ''${key} ORDER BY ${column} LIMIT 200`;
}
