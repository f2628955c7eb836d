/**
 * Goal: a batch says what its GETs say, and all of it is true at one moment (D-14).
 * Method: random questions on a busy day beside the same questions by GET; then a day that is being
 * written to while many ask batches of it at once, so that batches give way to each other.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { queryString } from '../../support/clients/query-string.ts';
import { sharedSite, type TestSite } from '../../support/domains.ts';
import { httpBench } from '../../support/judge/bench.ts';
import { seedOf, tries } from '../../support/runs.ts';
import { crowdRequests } from '../../support/traffic/crowd.ts';
import { agentNamed } from '../../support/traffic/known.ts';
import { asks, parametersOf } from '../../support/traffic/questions.ts';

const DATE = '2024-05-06';
const RANGE = { from: DATE, to: DATE };
const QUESTIONS = 3_200;

interface Batch {
  position: number;
  // biome-ignore lint/suspicious/noExplicitAny: of any statistic
  results: any[];
}

let site: TestSite;

beforeAll(async () => {
  site = await sharedSite({ timezone: 'Europe/Berlin' });
});

async function ask(reader: ApiClient, body: Record<string, unknown>): Promise<Batch> {
  const answer = await reader.request('POST', '/api/v1/statistics/batch', { body });
  expect(answer.status).toBe(200);
  return answer.body as Batch;
}

test('each result is the body of the GET, or its error, for any question (D-14, A-11)', async () => {
  const domain = await site.next();
  const { id, hostname } = domain;
  const [writer, reader] = [site.writerOf(domain), site.reader];
  const bench = httpBench({ domainId: id, hostname, writer, reader });
  for (const { items } of crowdRequests(DATE, 3_000, 5)) await bench.send(items);
  const seed = seedOf('batches');
  const drawn = fc.sample(asks(), { ...tries(QUESTIONS), seed }).map((one) => {
    const parameters = parametersOf(one, { scene: 0 }, [Date.parse(`${DATE}T12:00:00Z`)]);
    return { name: one.name, parameters: { ...parameters, ...RANGE } };
  });
  const others = [
    'active',
    'overview',
    'goals',
    'funnel',
    'keywords',
    'nothing',
    'session/details',
  ];
  const all = [...drawn, ...others.map((name) => ({ name, parameters: { ...RANGE } }))];
  let refusedCount = 0;
  for (let first = 0; first < all.length; first += 50) {
    const part = all.slice(first, first + 50);
    const queries = part.map(({ name, parameters }) => ({ ...parameters, name }));
    const { results } = await ask(site.reader, { id, country: 'zz', queries: queries.map(open) });
    for (const [index, { name, parameters }] of part.entries()) {
      const path = `/api/v1/statistics/${name}${queryString({ id, ...parameters })}`;
      const alone = await site.reader.request('GET', path);
      if (alone.status !== 200) refusedCount++;
      expect(results[index], path).toEqual(alone.body);
    }
  }
  expect(refusedCount).toBeGreaterThan(1);
});

/** Without the filter that the batch has for all. */
const open = (query: Record<string, unknown>) => ({ country: [], ...query });

test('while hits pour in, all of a batch is of one moment, and no moment comes twice (D-14)', async () => {
  const domain = await site.next();
  const writer = site.writerOf(domain);
  let isOver = false;
  let acknowledged = 0;
  let person = 0;
  const write = async () => {
    while (!isOver) {
      const hits = Array.from({ length: 40 }, () => ({
        url: `https://${domain.hostname}/${person % 30}`,
        ip: addressOf(person++),
        user_agent: agentNamed('chrome').userAgent,
        referrer: `https://from-${person % 7}.test/`,
        time: `${DATE}T10:00:00Z`,
      }));
      await writer.collect('hit/batch', hits);
      acknowledged += hits.length;
    }
  };
  const names = [
    'total',
    'page',
    'referrer',
    'visitor',
    'hours',
    'browser',
    'page/entry',
    'country',
  ];
  const body = {
    ...{ id: domain.id, ...RANGE, tz: 'UTC' },
    queries: [
      ...names.map((name) => ({ name })),
      // Another way to the same: rows instead of counts.
      ...names.map((name) => ({ name, path: '~/' })),
      ...Array.from({ length: 34 }, (_, at) => ({ name: 'page', path: [`~${at % 10}`, '~/'] })),
    ],
  };
  const check = async () => {
    let last = 0;
    for (let round = 0; round < 12; round++) {
      const before = acknowledged;
      const { position, results } = await ask(site.reader, body);
      const [total, ...rest] = results;
      expect(total.views).toBeGreaterThanOrEqual(before);
      expect(position).toBeGreaterThanOrEqual(last);
      last = position;
      expect(sumOf(results[1], 'views')).toBe(total.views);
      for (const at of [2, 3, 5, 7]) expect(sumOf(results[at], 'visitors')).toBe(total.visitors);
      expect(sumOf(results[4], 'views')).toBe(total.views);
      expect(sumOf(results[6], 'entries')).toBe(total.sessions);
      expect(rest.slice(7, 15)).toEqual([total, ...rest.slice(0, 7)]);
    }
  };
  const writers = [write(), write()];
  // Single questions save the domain and read the day anew in between.
  const single = async () => {
    while (!isOver) await site.reader.statistics('page', { id: domain.id, ...RANGE });
  };
  const singles = [single(), single()];
  try {
    await Promise.all(Array.from({ length: 6 }, check));
  } finally {
    isOver = true;
    await Promise.all([...writers, ...singles]);
  }
  const { results } = await ask(site.reader, body);
  expect(results[0].views).toBe(acknowledged);
});

const sumOf = (rows: Record<string, number>[], field: string) =>
  rows.reduce((sum, row) => sum + (row[field] ?? 0), 0);

const addressOf = (person: number) => `10.${person >> 16}.${(person >> 8) & 255}.${person & 255}`;
