// Goal: whatever the parameters of a question or a deletion are, the answer is the contract's error
// that names the parameter, or the answer that the rules give; never a 500 and never a hang.
// Method: tables of bad parameters against one running service with a small budget of rows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, ApiClient } from '../../support/clients/client.ts';
import { sendRaw } from '../../support/clients/raw-socket.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const HOSTNAME = 'bad.example';
const ROWS_MAX = 20;
/** Every answer here takes milliseconds; a hang is found long before the test's own end. */
const ANSWER_MS_MAX = 3_000;
const RANGE = 'from=2024-05-06&to=2024-05-07';

let running: RunningService;
let domain: DomainCredentials;
let foreign: DomainCredentials;
let reader: ApiClient;

beforeAll(async () => {
  running = await startService({
    env: { FOOTFALL_LOG_LEVEL: 'warn', FOOTFALL_QUERY_ROWS_MAX: String(ROWS_MAX) },
  });
  const { email } = await running.createAccount();
  domain = await running.createDomain({ email, hostname: HOSTNAME, timezone: 'UTC' });
  foreign = await running.createDomain({ email, hostname: 'foreign.example', timezone: 'UTC' });
  reader = await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
  const views = ['2024-05-06T10:00:00Z', '2024-05-06T10:01:00Z'].map((time) => ({
    ...{ time, ip: '10.0.0.1', user_agent: AGENT, url: `https://${HOSTNAME}/` },
  }));
  // Twelve sessions with a view each on another day: 24 rows, more than the budget.
  const crowd = Array.from({ length: 12 }, (_, index) => ({
    ...{ time: '2024-06-06T10:00:00Z', user_agent: AGENT, url: `https://${HOSTNAME}/` },
    ip: `10.0.1.${index}`,
  }));
  await reader.collect('hit/batch', [...views, ...crowd]);
});

afterAll(() => running.dispose());

async function timed(answer: Promise<Answer>): Promise<Answer> {
  const startMs = performance.now();
  const got = await answer;
  expect(performance.now() - startMs).toBeLessThan(ANSWER_MS_MAX);
  return got;
}

function ask(name: string, query: string): Promise<Answer> {
  const path = `/api/v1/statistics/${name}?id=${domain.id}&${query}`;
  return timed(reader.request('GET', path));
}

/** @returns the parameters that are named, each with a message. */
function named({ status, body }: Answer): Record<string, string> {
  expect(status, JSON.stringify(body)).toBe(400);
  expect(Object.keys(body as object)).toEqual(['validation', 'error', 'context']);
  const { validation } = body as { validation: Record<string, string> };
  for (const message of Object.values(validation)) expect(message).toMatch(/\w+ \w+/);
  return validation;
}

/** Rows of a table with a title that fits a line. */
function titled(rows: readonly (readonly [string, string])[]): [string, string, string][] {
  return rows.map(([name, query]) => [name, query.slice(0, 60), query]);
}

const long = (length: number): string => 'x'.repeat(length);

describe('which data is meant is checked, and the parameter named (F-34)', () => {
  test.each(
    titled([
      ['from', 'to=2024-05-06'],
      ['to', 'from=2024-05-06'],
      ['from', 'from=yesterday&to=2024-05-06'],
      ['from', 'from=2024-02-30&to=2024-05-06'],
      ['from', 'from=2024-13-01&to=2024-05-06'],
      ['from', 'from=%00&to=2024-05-06'],
      ['from', 'from=-2024-05-06&to=2024-05-06'],
      ['to', 'from=2024-05-06&to=06.05.2024'],
      ['to', 'from=2024-05-06&to=20240506'],
      ['from', 'from=2015-01-01&to=2024-05-06'],
      ['from', 'from=0001-01-01&to=9999-12-31'],
      ['from', 'from=0000-01-01&to=0000-01-02&scale=week'],
      ['from', 'from=1969-12-31&to=1970-01-01'],
      ['from_time', `from=2024-05-06&to=2024-05-06&from_time=9`],
      ['from_time', `from=2024-05-06&to=2024-05-06&from_time=24:00`],
      ['to_time', `from=2024-05-06&to=2024-05-06&to_time=12:60`],
      ['tz', `${RANGE}&tz=Mars/Olympus`],
      ['tz', `${RANGE}&tz=${long(5_000)}`],
      ['tz', `${RANGE}&tz=../../etc/passwd`],
      ['start', 'start=-1'],
      ['start', 'start=1.5'],
      ['start', 'start=soon'],
      ['pattern', `${RANGE}&pattern=(`],
      ['pattern', `${RANGE}&pattern=${encodeURIComponent('a(?=b)')}`],
      ['pattern', `${RANGE}&pattern=${encodeURIComponent('(a)\\1')}`],
      ['pattern', `${RANGE}&pattern=${encodeURIComponent('[z-a]')}`],
      ['pattern', `${RANGE}&pattern=${encodeURIComponent('a{2000}')}`],
      ['pattern', `${RANGE}&pattern=${long(501)}`],
      ['pattern', `${RANGE}&pattern=!*`],
      ['path', `${RANGE}&path=${long(8_193)}`],
      ['meta_key', `${RANGE}&meta_key=${long(8_193)}`],
      ['city', `${RANGE}&${'city=a&'.repeat(101)}`],
      ['tag_a', `${RANGE}&${'tag_a=a&'.repeat(101)}`],
      ['visitor_id', `${RANGE}&visitor_id=x&session_id=1`],
      ['session_id', `${RANGE}&visitor_id=1&session_id=-1`],
      ['query', `${RANGE}&path=${long(16_400)}`],
    ]),
  )('%s in ?%s', async (name, _title, query) => {
    for (const statistic of ['total', 'page', 'session/list']) {
      expect(Object.keys(named(await ask(statistic, query)))).toContain(name);
    }
  });

  test('a regular expression is refused with the position of its fault (F-17)', async () => {
    const { pattern } = named(await ask('page', `${RANGE}&pattern=${encodeURIComponent('ab[c')}`));
    expect(pattern).toMatch(/at character 3$/);
  });

  test('everything that is wrong is named at once', async () => {
    const validation = named(await ask('total', 'from=x&to=y&tz=z&pattern=('));
    expect(Object.keys(validation).sort()).toEqual(['from', 'pattern', 'to', 'tz']);
  });
});

describe('how it is shown falls back, and what means nothing is passed over', () => {
  test.each([
    ...['limit=-1', 'limit=0', 'limit=1e9', 'limit=99999999999999999999', 'limit=ten'],
    ...['offset=-1', 'offset=x', 'scale=decade', 'sort=nothing', 'direction=up'],
    ...['visitor_id=1', 'session_id=1', 'access=nonsense'],
    ...['shoe_size=42', 'path=', 'event=', '=', '&&&', '__proto__=1', 'constructor=x'],
    ...['custom_metric_type=complex', 'custom_metric_key=k', 'include_title=maybe', '%ff=%zz'],
  ])('?%s', async (query) => {
    for (const statistic of ['page', 'visitor', 'language']) {
      const answer = await ask(statistic, `${RANGE}&${query}`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((answer.body as unknown[]).length).toBeGreaterThan(0);
    }
  });

  test.each(['offset=9007199254740993', 'offset=99999999999999999999999'])(
    '?%s is beyond the end',
    async (query) => {
      const answer = await ask('page', `${RANGE}&${query}`);
      expect([answer.status, answer.body]).toEqual([200, []]);
    },
  );

  test('a hundred values that match nothing give nothing', async () => {
    const answer = await ask('page', `${RANGE}&${'path=/none&'.repeat(100)}`);
    expect([answer.status, answer.body]).toEqual([200, []]);
  });
});

describe('who asks, and for what', () => {
  test('a foreign domain is answered like one that does not exist (F-36)', async () => {
    for (const id of [foreign.id, 'nothing', long(300)]) {
      const path = `/api/v1/statistics/total?id=${id}&${RANGE}`;
      expect((await timed(reader.request('GET', path))).status).toBe(404);
    }
  });

  test.each(['access=wrong', 'access='])(
    'without a token ?%s is answered 401 (F-35, A-80)',
    async (query) => {
      const nobody = new ApiClient(running.baseUrl);
      const path = `/api/v1/statistics/total?id=${domain.id}&${RANGE}&${query}`;
      expect((await timed(nobody.request('GET', path))).status).toBe(401);
    },
  );

  test('more rows than the budget is a 503 with Retry-After, other questions go on', async () => {
    // Without a filter no row is looked at: there are counts.
    expect((await ask('total', 'from=2024-06-06&to=2024-06-06')).status).toBe(200);
    const answer = await ask('total', 'from=2024-06-06&to=2024-06-06&country=!xx');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(JSON.stringify(answer.body)).toContain(`budget of ${ROWS_MAX} rows`);
    // Five years but for that day: what is not there costs nothing.
    expect((await ask('total', 'from=2019-06-06&to=2024-06-05&country=!xx')).status).toBe(200);
  });

  test('clients that leave before their answer hold nothing up', async () => {
    const get =
      `GET /api/v1/statistics/page?id=${domain.id}&${RANGE} HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: Bearer ${reader.bearer}\r\n\r\n`;
    const gone = Array.from({ length: 100 }, () =>
      sendRaw(running.baseUrl, get, { afterwards: 'destroy', waitMs: 1 }),
    );
    await Promise.all(gone);
    expect((await ask('page', RANGE)).status).toBe(200);
  });
});

describe('DELETE /api/v1/statistics', () => {
  const remove = (query: string, client = reader): Promise<Answer> =>
    timed(client.request('DELETE', `/api/v1/statistics?${query}`));

  test.each(
    titled([
      ['id', RANGE],
      ['from', 'to=2024-05-06'],
      ['to', 'from=2024-05-06'],
      ['from', 'from=2024-02-30&to=2024-05-06'],
      ['to', 'from=2024-05-06&to=tomorrow'],
      ['kind', `${RANGE}&kind=views`],
      ['kind', `${RANGE}&kind=ALL`],
      ['kind', `${RANGE}&kind=${long(5_000)}`],
      ['query', `${RANGE}&x=${long(16_400)}`],
    ]),
  )('names %s in ?%s', async (name, _title, query) => {
    const sent = name === 'id' ? query : `id=${domain.id}&${query}`;
    expect(Object.keys(named(await remove(sent)))).toContain(name);
  });

  test('of a foreign domain is a 404, of nobody a 401, by an access key a 403', async () => {
    expect((await remove(`id=${foreign.id}&${RANGE}`)).status).toBe(404);
    const nobody = new ApiClient(running.baseUrl);
    expect((await remove(`id=${domain.id}&${RANGE}&access=x`, nobody)).status).toBe(401);
    const key = new ApiClient(running.baseUrl, domain.access_key);
    expect((await remove(`id=${domain.id}&${RANGE}`, key)).status).toBe(403);
  });

  test('that was refused has deleted nothing', async () => {
    const answer = await ask('total', RANGE);
    expect(answer.body).toMatchObject({ views: 2, visitors: 1 });
  });

  test('of all of time is accepted, and of a day without data', async () => {
    expect((await remove(`id=${domain.id}&from=2001-01-01&to=2001-01-01`)).status).toBe(200);
    expect((await remove(`id=${domain.id}&from=9999-12-31&to=1970-01-01&kind=events`)).status).toBe(
      200,
    );
    expect((await ask('total', RANGE)).body).toMatchObject({ views: 2 });
  });
});
