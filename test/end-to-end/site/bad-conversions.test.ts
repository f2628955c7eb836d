// Goal: malformed goals and funnels are refused with advice, are not kept, and harm nobody.
// Method: tables of bad requests against one running service; after each the domain has none of them.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { expectAdvice, expectError } from '../../support/clients/refusal.ts';
import { sharedSite, type TestDomain } from '../../support/domains.ts';

let domain: TestDomain;
let reader: ApiClient;

beforeAll(async () => {
  const site = await sharedSite({ hostname: 'bad.example' });
  domain = await site.next();
  reader = await site.readerOf(domain);
});

/** The service lives (as `shared-service.ts` sees to) and has kept nothing of what it refused. */
afterEach(async () => {
  for (const kind of ['goal', 'funnel']) {
    const kept = await reader.request('GET', `/api/v1/${kind}?id=${domain.id}`);
    expect([kept.status, kept.body]).toEqual([200, []]);
  }
});

const long = (length: number): string => 'x'.repeat(length);

describe('a goal', () => {
  const GOAL = { name: 'Goal', path_pattern: '/a' };
  test.each([
    ['name', { name: '' }],
    ['name', { name: long(201) }],
    ['domain_id', { domain_id: 5 }],
    ['path_pattern', { path_pattern: '' }],
    ['path_pattern', { path_pattern: `/${long(500)}` }],
    ['path_pattern', { path_pattern: `^(${'(a{9}){9}'.repeat(40)})$` }],
    ['event_meta_key', { event_meta_value: 'v' }],
    ['event_name', { event_name: { a: 1 } }],
    ['custom_metric_type', { custom_metric_key: 'k', custom_metric_type: 'number' }],
    ['visitors', { visitors: -1 }],
    ['cr', { cr: [] }],
  ])('is refused with advice on %s: %j', async (field, change) => {
    const body = { domain_id: domain.id, ...GOAL, ...change };
    const answer = await reader.request('POST', '/api/v1/goal', { body });
    expectAdvice(expectError(answer, 400), field);
  });

  test.each([
    ['^/a(b', 4],
    ['^/[a', 3],
    ['^a**', 3],
    ['(?<name', 1],
    ['^(?=a)', 2],
  ])('is refused when the expression %s fails, at character %i (F-17)', async (text, position) => {
    const body = { domain_id: domain.id, ...GOAL, path_pattern: text };
    const answer = await reader.request('POST', '/api/v1/goal', { body });
    expect(expectError(answer, 400).path_pattern).toMatch(
      new RegExp(`expression: .* at character ${position}$`),
    );
  });

  test.each(['', '{', 'null', '[]', '5'])('is refused when the body is %j', async (body) => {
    expectError(await reader.request('POST', '/api/v1/goal', { body }), 400);
  });

  test('of a domain that is not there is answered 404', async () => {
    const body = { ...GOAL, domain_id: 'nowhere' };
    expectError(await reader.request('POST', '/api/v1/goal', { body }), 404);
    expectError(await reader.request('GET', '/api/v1/goal?id=nowhere'), 404);
    expectError(await reader.request('GET', '/api/v1/goal'), 400);
  });
});

describe('a funnel', () => {
  const step = (filter: unknown) => ({ name: 'step', filter });
  test.each([
    ['steps', { steps: null }],
    ['steps', { steps: {} }],
    ['steps', { steps: [step({})] }],
    ['steps', { steps: Array(9).fill(step({})) }],
    ['steps', { steps: [step({}), null] }],
    ['steps', { steps: [step({}), step('path')] }],
    ['steps', { steps: [step({}), step({ limit: '1' })] }],
    ['steps', { steps: [step({}), step({ __proto__x: '1' })] }],
    ['steps', { steps: [step({}), step({ path: { a: 1 } })] }],
    ['steps', { steps: [step({}), step({ pattern: '(' })] }],
    ['steps', { steps: [step({}), step({ session_id: '-1', visitor_id: '1' })] }],
    ['name', { name: ' ' }],
  ])('is refused with advice on %s: %j', async (field, change) => {
    const good = { name: 'Funnel', steps: [step({}), step({})] };
    const body = { domain_id: domain.id, ...good, ...change };
    const answer = await reader.request('POST', '/api/v1/funnel', { body });
    expectAdvice(expectError(answer, 400), field);
  });

  test.each([
    ['PUT', '', { id: 'nobody', name: 'x', steps: [] }, 404],
    ['PUT', '', { name: 'x', steps: [] }, 400],
    ['PUT', '', '{', 400],
    ['PATCH', '', {}, 405],
    ['DELETE', '', undefined, 400],
    ['DELETE', '?id=nobody', undefined, 404],
    ['DELETE', '?id=%00%ff', undefined, 404],
  ])('%s %s with %j is answered %i', async (method, query, body, status) => {
    const options = body === undefined ? {} : { body };
    expectError(await reader.request(method, `/api/v1/funnel${query}`, options), status);
  });

  test('that is unknown has no figures, and without an id none is meant (A-72)', async () => {
    const path = `/api/v1/statistics/funnel?id=${domain.id}&from=2026-01-01&to=2026-01-02`;
    expectError(await reader.request('GET', `${path}&funnel_id=nobody`), 404);
    expectAdvice(expectError(await reader.request('GET', path), 400), 'funnel_id');
  });
});
