// Goal: every answer is counted once, by what was asked for and how it ended, with its time and bytes.
// Method: real HTTP; what moved in the metrics of this process is read after each request.
import { expect, test } from 'vitest';
import { errors } from '../../src/model/errors.ts';
import { metricsTable } from '../../src/model/metrics.ts';
import { sendRaw } from '../support/clients/raw-socket.ts';
import { countFrom } from '../support/counted.ts';
import { pause, until } from '../support/until.ts';
import { item, pageView, rawRequest, useEdge } from './edge.ts';

const edge = useEdge();

const HIT = '/api/v1/hit';
const PACKED = { headers: { 'content-encoding': 'br' } };
const KEYS = ['answers', 'answerSeconds', 'requestBodyBytes', 'collectRefused'] as const;

test('a hit that is taken is one answer, with its bytes and its time', async () => {
  const counted = countFrom(...KEYS);
  const body = JSON.stringify(pageView());
  expect((await edge.post(HIT, body)).status).toBe(200);
  expect(counted()).toEqual({
    'answers{area=single,class=2xx}': 1,
    'answerSeconds{area=single}': 1,
    'requestBodyBytes{area=single}': Buffer.byteLength(body),
  });
});

test('a hit that a page sends has an area of its own, taken or refused', async () => {
  const counted = countFrom('answers', 'collectRefused');
  const query = `code=${'c'.repeat(32)}&url=https://example.org/`;
  expect((await fetch(`${edge.baseUrl}/hit?${query}`)).status).toBe(200);
  expect((await fetch(`${edge.baseUrl}/session?code=x`, { method: 'POST' })).status).toBe(400);
  expect(counted()).toEqual({
    'answers{area=browser,class=2xx}': 1,
    'answers{area=browser,class=4xx}': 1,
    'collectRefused{code=IDENTIFICATION_CODE_UNKNOWN}': 1,
  });
});

test('a batch is one answer, and not a single one', async () => {
  const counted = countFrom('answers');
  await edge.post(`${HIT}/batch`, [item('10:00:00'), item('10:00:01')]);
  expect(counted()).toEqual({ 'answers{area=batch,class=2xx}': 1 });
});

test.each([
  { what: 'lacks a field', body: {}, status: 400, code: 'VALIDATION_FAILED' },
  { what: 'is no JSON', body: '{', status: 400, code: 'BODY_NOT_JSON' },
  { what: 'is of nobody', options: { bearer: 'x' }, status: 401, code: 'TOKEN_INVALID' },
  { what: 'has no token', options: { bearer: '' }, status: 401, code: 'TOKEN_MISSING' },
  { what: 'is packed', options: PACKED, status: 415, code: 'BODY_ENCODED' },
])('a request that $what is refused once, as $code', async (row) => {
  const counted = countFrom('answers', 'collectRefused');
  expect((await edge.post(HIT, row.body ?? {}, row.options)).status).toBe(row.status);
  expect(counted()).toEqual({
    'answers{area=single,class=4xx}': 1,
    [`collectRefused{code=${row.code}}`]: 1,
  });
});

test('what the log cannot take is refused, whether its client still listens or not', async () => {
  edge.fake.submitError = errors.OVERLOADED({ reason: 'a test' });
  const counted = countFrom('answers', 'collectRefused');
  expect((await edge.post(HIT, pageView())).status).toBe(503);
  expect(counted()).toEqual({
    'answers{area=single,class=5xx}': 1,
    'collectRefused{code=OVERLOADED}': 1,
  });
  edge.fake.holdsBack = true;
  const body = JSON.stringify(pageView());
  await sendRaw(edge.baseUrl, rawRequest(HIT, body), { waitMs: 100 });
  await until(() => edge.fake.submitted.length === 2);
  // The edge hears of it a moment later.
  await pause(50);
  edge.fake.release();
  expect(counted()).toEqual({
    'answers{area=single,class=5xx}': 1,
    'collectRefused{code=OVERLOADED}': 2,
  });
});

test('a hit of a foreign hostname is let in and dropped: it is refused to its client only (A-6, P-31)', async () => {
  const counted = countFrom('answers', 'collectRefused');
  const url = 'https://foreign.test/';
  expect((await edge.post(HIT, pageView({ url }))).status).toBe(400);
  expect(counted()).toEqual({ 'answers{area=single,class=4xx}': 1 });
});

test('what a page sends in its query is collection, too', async () => {
  const counted = countFrom('answers', 'collectRefused');
  await edge.get('/hit?url=https%3A%2F%2Fexample.org%2F', '');
  expect(counted()).toEqual({
    'answers{area=browser,class=4xx}': 1,
    'collectRefused{code=VALIDATION_FAILED}': 1,
  });
});

test('what is no collection has an area of its own, and refuses no hits', async () => {
  const counted = countFrom('answers', 'collectRefused');
  await edge.get('/api/v1/statistics/total');
  await edge.get('/api/v1/nothing');
  await edge.get(HIT);
  await edge.get('/api/v1/domain', '');
  expect(counted()).toEqual({
    'answers{area=statistics,class=4xx}': 1,
    'answers{area=other,class=4xx}': 3,
  });
});

test('a preflight is an answer, and no hit', async () => {
  const counted = countFrom('answers', 'collectRefused');
  await fetch(`${edge.baseUrl}/hit`, { method: 'OPTIONS' });
  expect(counted()).toEqual({ 'answers{area=other,class=2xx}': 1 });
});

test('the time of an answer is that from the request to it, in buckets of microseconds', async () => {
  const sum = () => metricsTable.read('answerSeconds')[0]!.cells.at(-1)!;
  const before = sum();
  const startMs = performance.now();
  await edge.post(HIT, pageView());
  const tookUs = (performance.now() - startMs) * 1_000;
  expect(sum() - before).toBeGreaterThan(10);
  expect(sum() - before).toBeLessThan(tookUs);
});

test('a request whose end is in doubt is refused and counted', async () => {
  const counted = countFrom('answers', 'collectRefused');
  const twice = ['Content-Length: 2', 'Content-Length: 3'];
  await sendRaw(edge.baseUrl, rawRequest(HIT, '{}', twice));
  const moved = Object.keys(counted());
  expect(moved[0]).toBe('answers{area=single,class=4xx}');
  expect(moved[1]).toMatch(/^collectRefused/);
});
