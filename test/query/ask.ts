/** Asks statistics of segments the way a request does: a query string in, the answer out. */

import { runStatistics } from '../../src/query/answers/run.ts';
import { NO_FILTERS } from '../../src/query/question/filters.ts';
import { parseQueryString } from '../../src/query/question/parameters.ts';
import { parseStatisticsRequest, type StatisticsQuery } from '../../src/query/question/request.ts';
import type { Segment } from '../../src/segment/memory/segment.ts';

export const DOMAIN = {
  id: 'd1',
  timezone: 'UTC',
  groupByTitle: false,
  activeVisitorsSeconds: 600,
};

/** Long after every date the tests use. */
export const NOW_MS = Date.parse('2026-01-01T12:00:00Z');

/** What the registry has of the domain: one owner, no goals, and a funnel that any view passes. */
const REGISTERED = {
  memberCount: 1,
  goals: [],
  funnel: { definition: {}, steps: [NO_FILTERS, NO_FILTERS] },
};

export function queryOf(name: string, parameters: string, nowMs = NOW_MS): StatisticsQuery {
  const query = parseStatisticsRequest(name, parseQueryString(parameters), {
    ...{ domain: DOMAIN, registered: REGISTERED, nowMs },
  });
  // Queries travel to another thread.
  return structuredClone(query);
}

// biome-ignore lint/suspicious/noExplicitAny: answers differ by statistic; tests look into them
export type Answer = any;

export function ask(
  segments: readonly Segment[],
  name: string,
  parameters: string,
  nowMs = NOW_MS,
): Answer {
  return JSON.parse(JSON.stringify(runStatistics(queryOf(name, parameters, nowMs), segments)));
}

/** Some fields of each row, rates rounded to four digits as the worked examples show them. */
export function columnsOf(rows: Answer, ...fields: string[]): unknown[][] {
  return (Array.isArray(rows) ? rows : [rows]).map((row) =>
    fields.map((field) => {
      const value = row[field];
      return typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;
    }),
  );
}
