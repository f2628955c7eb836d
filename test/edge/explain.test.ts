// Goal: whoever operates an account is told how a question is answered; nobody else, and never unasked.
// Method: requests over HTTP to an edge with a real registry; every statistic once.
import { expect, test } from 'vitest';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

function ask(name: string, parameters: string, bearer: string) {
  const { id } = edge.own;
  const query = `id=${id}&from=2026-11-20&to=2026-11-20&${parameters}`;
  return edge.send('GET', `statistics/${name}?${query}`, undefined, bearer);
}

const NAMES = STATISTICS.map(({ name }) => name).filter((name) => name !== 'funnel');

test.each(NAMES)('%s with explain=1 answers its plan beside the answer', async (name) => {
  const { account } = edge.bearers;
  const explained = await ask(name, 'explain=1', account);
  expect(explained.status).toBe(200);
  const { plan, segments, ms, answer } = explained.json;
  expect(plan).toMatchObject({ statistic: name, way: 'best' });
  expect(segments).toEqual([]);
  expect(ms).toBeGreaterThanOrEqual(0);
  expect(answer).toEqual((await ask(name, '', account)).json);
});

test('a client of one domain is refused, and answered without explain', async () => {
  const { domain } = edge.bearers;
  const refused = await ask('total', 'explain=1', domain);
  expect(refused.status).toBe(403);
  expect(refused.json.error).toEqual([
    'explain is for clients of an account, not of a single domain',
  ]);
  expect((await ask('total', '', domain)).status).toBe(200);
  expect((await ask('total', 'explain=0', domain)).status).toBe(200);
});
