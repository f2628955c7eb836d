/**
 * What a question is in SQL: the conditions and common tables that all statements share.
 *
 * Control plane. Written by the semantics, not by the engine: rows are page views (S-2) or events
 * (S-13) in the range, filters are conditions on them, and denominators ignore filters (S-5, S-6).
 */
import type { Question } from '../data/questions.ts';

/** Rows that a list shows at most. */
const LIST_ROWS = 100;

/** A question with its range and filters, ready for a statement. */
export interface Ask {
  question: Question;
  /** UTC dates, both included. */
  from: string;
  to: string;
  /** Filters and own parameters of the question. */
  parameters: Readonly<Record<string, string>>;
}

const DIMENSIONS = ['country', 'browser', 'channel'];

/** A text of SQL. */
export function quoted(text: string | undefined): string {
  return `'${(text ?? '').replaceAll("'", "''")}'`;
}

/** First and last instant: `time` in `[from, to + 1 day)`. */
export function span(from: string, to: string): string {
  return `time >= TIMESTAMP '${from}' AND time < TIMESTAMP '${to}' + INTERVAL 1 DAY`;
}

/** Filters on the session. */
export function sessionConditions({ parameters }: Ask): string[] {
  return DIMENSIONS.filter((name) => parameters[name] !== undefined).map(
    (name) => `${name} = ${quoted(parameters[name])}`,
  );
}

/** The pattern is tested once per path, not once per row: on every row it takes ten times longer. */
function pathConditions({ parameters }: Ask): string[] {
  return parameters['pattern'] === undefined ? [] : [matches(parameters['pattern'])];
}

/** Whether the path of a row matches. */
export function matches(pattern: string): string {
  return `path IN (SELECT path FROM paths WHERE regexp_matches(path::VARCHAR, ${quoted(pattern)}))`;
}

/** Whether the session of a row has such an event in the range (F-12). */
export function hasEvent(range: string, event: string): string {
  return `session IN (SELECT session FROM events WHERE ${range} AND name = ${quoted(event)})`;
}

/** The page views of a question (S-2), as the text behind FROM. */
export function viewRows(ask: Ask, range = span(ask.from, ask.to), withPaths = true): string {
  const { event } = ask.parameters;
  const events = event === undefined ? [] : [hasEvent(range, event)];
  const paths = withPaths ? pathConditions(ask) : [];
  const conditions = [range, ...sessionConditions(ask), ...paths, ...events];
  return `views WHERE ${conditions.join(' AND ')}`;
}

/** Rows of `events` or of `metadata` (S-13), as the text behind FROM. */
export function eventRows(ask: Ask, table = 'events'): string {
  const { event } = ask.parameters;
  const named = event === undefined ? [] : [`name = ${quoted(event)}`];
  const range = span(ask.from, ask.to);
  const conditions = [range, ...sessionConditions(ask), ...pathConditions(ask), ...named];
  return `${table} WHERE ${conditions.join(' AND ')}`;
}

/** Rows of `tags`, as the text behind FROM. */
export function tagRows(ask: Ask): string {
  return viewRows(ask).replace('views', 'tags');
}

/** All of the range, whatever the filters (S-5). */
export function allRows(ask: Ask): string {
  return `views WHERE ${span(ask.from, ask.to)}`;
}

/** The denominators of S-5 and S-6 as a common table of one row. */
export function totals(ask: Ask): string {
  return `t AS (SELECT count(DISTINCT visitor) AS tv, count(*) AS tw FROM ${allRows(ask)})`;
}

/** The metrics of S-3 over page views or events. */
export const METRICS = `count(DISTINCT visitor) AS visitors, count(*) AS views,
  count(DISTINCT session) AS sessions, count(DISTINCT session) FILTER (is_bounce) AS bounces`;

/** Mean of a sum, half-even; 0 without rows. */
export function meanOf(sum: string, count: string): string {
  return `coalesce(round_even(${sum} / nullif(${count}, 0), 0), 0)`;
}

/** Time on page of the rows (S-3). */
export const TIME_ON_PAGE = meanOf('sum(time_on_page)', 'count(*) FILTER (time_on_page > 0)');

/** The end of a list. */
export function first(order: string): string {
  return `ORDER BY ${order} LIMIT ${LIST_ROWS}`;
}

/** Common tables of event statistics: the events, and the views of their sessions (S-13). */
export function eventTables(ask: Ask): string {
  return `e AS MATERIALIZED (SELECT * FROM ${eventRows(ask)}),
    pv AS (SELECT session, count(*) AS n FROM ${allRows(ask)}
      AND session IN (SELECT session FROM e) GROUP BY session)`;
}

/** Views of the sessions of each group, each session once (S-13). */
export function viewsOfGroups(key: string): string {
  return `w AS (SELECT ${key}, sum(coalesce(n, 0)) AS views
    FROM (SELECT DISTINCT ${key}, session FROM e) LEFT JOIN pv USING (session) GROUP BY ${key})`;
}
