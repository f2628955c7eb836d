/** A scan of one segment per kind of statistic, without HTTP and without reading from disk. */

import { runStatistics } from '../../../src/query/answers/run.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import {
  parseStatisticsRequest,
  type StatisticsQuery,
} from '../../../src/query/question/request.ts';
import { enrichedHits, filledSegments, START_MS } from '../../harness/data/workload.ts';
import { benchmark } from '../../harness/suite.ts';

const DAY_MS = 86_400_000;
const QUESTIONS = [
  ['total', ''],
  ['visitor', ''],
  ['page', ''],
  ['page', 'country=de&browser=Chrome'],
  ['page/entry', ''],
  ['referrer', ''],
  ['country', ''],
  ['platform', 'path=/section-3/article-3'],
] as const;

benchmark('query/run: views of one segment', ({ seed, size }) => {
  const views = size({ smoke: 300, full: 300_000 });
  const segments = filledSegments(enrichedHits({ seed, hits: views }));
  const cases = QUESTIONS.map(([name, filter]) => {
    const query = question(name, filter);
    const run = () => JSON.stringify(runStatistics(query, segments));
    return [filter === '' ? name : `${name}, ${filter}`, { elements: views, run }] as const;
  });
  return Object.fromEntries(cases);
});

function question(name: string, filter: string): StatisticsQuery {
  const day = (offset: number) => new Date(START_MS + offset * DAY_MS).toISOString().slice(0, 10);
  const parameters = parseQueryString(`from=${day(0)}&to=${day(1)}&${filter}`);
  return parseStatisticsRequest(name, parameters, {
    domain: { id: 'bench', timezone: 'UTC', groupByTitle: false, activeVisitorsSeconds: 600 },
    nowMs: START_MS + DAY_MS,
  });
}
