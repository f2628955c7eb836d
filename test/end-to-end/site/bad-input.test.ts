// Goal: whatever is sent, the answer is the contract's error with a message that says what to
// change, nothing of it is stored, and the service goes on as if nothing had happened.
// Method: tables of bad requests against one running service; after each table a good hit counts
// and the totals are those of the good hits alone.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { sendRaw } from '../../support/clients/raw-socket.ts';
import { ADVICE, expectAdvice, expectError } from '../../support/clients/refusal.ts';
import { sharedSite, type TestDomain, type TestSite } from '../../support/domains.ts';

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const HOSTNAME = 'bad.example';
const TIME = new Date(Date.now() - 60_000).toISOString();
const HIT = { url: `https://${HOSTNAME}/`, ip: '81.2.69.142', user_agent: AGENT };
const EVENT = { ...HIT, event_name: 'Click' };
const ALIVE = { ip: HIT.ip, user_agent: AGENT };

let site: TestSite;
let domain: TestDomain;
let account: ApiClient;
let reader: ApiClient;
let goodHits = 0;

beforeAll(async () => {
  site = await sharedSite({ hostname: HOSTNAME });
  domain = await site.next();
  reader = await site.readerOf(domain);
  account = site.reader;
});

/** The service lives (as `shared-service.ts` sees to), takes hits, and has stored only the good ones. */
afterEach(async () => {
  const ip = `10.0.${goodHits >> 8}.${goodHits & 255}`;
  await reader.collect('hit', { ...HIT, ip });
  const expected = goodHits + 1;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const total = (await reader.statistics('total', {
    id: domain.id,
    from: day(Date.now() - 86_400_000),
    to: day(Date.now() + 86_400_000),
  })) as { views: number };
  // What one bad request stored must not fail the tests after it.
  goodHits = total.views;
  expect(total).toMatchObject({ views: expected, visitors: expected });
  expect(await reader.statistics('events', range())).toEqual([]);
});

function range(): { id: string; from: string; to: string } {
  return { id: domain.id, from: '2026-01-01', to: '2026-01-02' };
}

const long = (length: number): string => 'x'.repeat(length);
const pairs = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']));

describe('a single hit', () => {
  test.each([
    ['url', 'missing', { url: undefined }],
    ['url', 'null', { url: null }],
    ['url', 'a number', { url: 5 }],
    ['url', 'empty', { url: '' }],
    ['url', 'blank', { url: '  ' }],
    ['url', 'a list', { url: [HIT.url] }],
    ['url', 'no address', { url: 'nonsense' }],
    ['url', 'a path', { url: '/about' }],
    ['url', 'of another scheme', { url: 'ftp://bad.example/' }],
    ['url', 'a script', { url: 'javascript:alert(1)' }],
    ['url', 'without a host', { url: 'https://' }],
    ['url', 'of a foreign hostname (A-6)', { url: 'https://other.example/' }],
    ['url', 'of a subdomain (I-5)', { url: 'https://sub.bad.example/' }],
    ['url', 'longer than 8,192', { url: `https://${HOSTNAME}/${long(8_192)}` }],
    ['ip', 'missing', { ip: undefined }],
    ['ip', 'a number', { ip: 1_234 }],
    ['ip', 'blank', { ip: ' ' }],
    ['user_agent', 'missing', { user_agent: undefined }],
    ['user_agent', 'blank', { user_agent: '\t' }],
    ['user_agent', 'an object', { user_agent: {} }],
    ['user_agent', 'longer than 8,192', { user_agent: long(8_193) }],
    ['title', 'a number', { title: 5 }],
    ['title', 'longer than 8,192', { title: long(8_193) }],
    ['referrer', 'an object', { referrer: {} }],
    ['accept_language', 'a list', { accept_language: ['de'] }],
    ['sec_ch_ua', 'a number', { sec_ch_ua: 5 }],
    ['screen_width', 'a text', { screen_width: '1920' }],
    ['screen_width', 'a fraction', { screen_width: 1.5 }],
    ['screen_height', 'a boolean', { screen_height: true }],
    ['tags', 'a list', { tags: ['a'] }],
    ['tags', 'a text', { tags: 'a' }],
    ['tags', 'numbers (I-56)', { tags: { a: 1 } }],
    ['tags', 'nested', { tags: { a: { b: 'c' } } }],
    ['tags', 'more than 20', { tags: pairs(21) }],
    ['tags', 'with a key over 50', { tags: { [long(51)]: 'v' } }],
    ['tags', 'with a value over 50', { tags: { a: long(51) } }],
    ['disable_bot_filter', 'a text', { disable_bot_filter: 'yes' }],
  ])('is refused when %s is %s', async (field, _what, change) => {
    const answer = await reader.request('POST', '/api/v1/hit', { body: { ...HIT, ...change } });
    expectAdvice(expectError(answer, 400), field);
  });

  test('names every field that is wrong at once', async () => {
    const body = { url: 1, ip: 2, title: 3 };
    const validation = expectError(await reader.request('POST', '/api/v1/hit', { body }), 400);
    expect(Object.keys(validation).toSorted()).toEqual(['ip', 'title', 'url', 'user_agent']);
  });

  test.each(['', ' ', '{', '{"url":', '"x', 'nonsense', '{"a":1}}', "{'a':1}", '\u0000'])(
    'is refused when the body is %j',
    async (body) => {
      expectError(await reader.request('POST', '/api/v1/hit', { body }), 400);
    },
  );

  test.each(['null', '[]', '5', '"text"', 'true'])(
    'is refused when the body is %s instead of an object',
    async (body) => {
      expectError(await reader.request('POST', '/api/v1/hit', { body }), 400);
    },
  );

  test('is refused when the body is larger than 1 MiB, and the limit is named', async () => {
    const body = { ...HIT, title: long(1_024 * 1_024) };
    const answer = await reader.request('POST', '/api/v1/hit', { body });
    expectError(answer, 413);
    expect(JSON.stringify(answer.body)).toMatch(/1048576|1,048,576|1 MiB/);
  });
});

describe('an event', () => {
  test.each([
    ['event_name', 'missing', { event_name: undefined }],
    ['event_name', 'blank', { event_name: '  ' }],
    ['event_name', 'a number', { event_name: 5 }],
    ['event_name', 'longer than 200', { event_name: long(201) }],
    ['event_duration', 'negative', { event_duration: -1 }],
    ['event_duration', 'a text', { event_duration: '5' }],
    ['event_duration', 'beyond 32 bits', { event_duration: 4_294_967_296 }],
    ['event_meta', 'a list', { event_meta: [] }],
    ['event_meta', 'a text', { event_meta: 'a' }],
    ['event_meta', 'nested', { event_meta: { a: { b: 1 } } }],
    ['event_meta', 'with a list', { event_meta: { a: [1] } }],
    ['event_meta', 'more than 20 pairs', { event_meta: pairs(21) }],
    ['event_meta', 'with a key over 100', { event_meta: { [long(101)]: 1 } }],
    ['event_meta', 'with a value over 2,000', { event_meta: { a: long(2_001) } }],
    ['non_interactive', 'a text', { non_interactive: 'true' }],
    ['url', 'missing', { url: undefined }],
  ])('is refused when %s is %s', async (field, _what, change) => {
    const answer = await reader.request('POST', '/api/v1/event', { body: { ...EVENT, ...change } });
    expectAdvice(expectError(answer, 400), field);
  });
});

describe('a keep-alive', () => {
  test.each([
    ['ip', { ip: undefined }],
    ['ip', { ip: '' }],
    ['user_agent', { user_agent: undefined }],
    ['user_agent', { user_agent: 5 }],
  ])('is refused without a proper %s', async (field, change) => {
    const answer = await reader.request('POST', '/api/v1/session', {
      body: { ...ALIVE, ...change },
    });
    expectAdvice(expectError(answer, 400), field);
  });

  test('of an account-level client needs a url to find the domain (I-9)', async () => {
    const answer = await account.request('POST', '/api/v1/session', { body: ALIVE });
    expectAdvice(expectError(answer, 400), 'url');
  });
});

describe('a batch with one bad item stores nothing and names the item (A-9)', () => {
  const good = { ...HIT, time: TIME };
  const ahead = new Date(Date.now() + 25 * 3_600_000).toISOString();
  test.each([
    ['hit', 'no object', 5, '2'],
    ['hit', 'null', null, '2'],
    ['hit', 'a list', [], '2'],
    ['hit', 'without url', { ...good, url: undefined }, '2.url'],
    ['hit', 'with a relative url', { ...good, url: '/about' }, '2.url'],
    ['hit', 'without ip', { ...good, ip: undefined }, '2.ip'],
    ['hit', 'with numbers as tags', { ...good, tags: { a: 1 } }, '2.tags'],
    ['hit', 'without time', HIT, '2.time'],
    ['hit', 'with a number as time', { ...good, time: 1_700_000_000 }, '2.time'],
    ['hit', 'with a word as time', { ...good, time: 'yesterday' }, '2.time'],
    ['hit', 'on 30 February', { ...good, time: '2024-02-30T00:00:00Z' }, '2.time'],
    ['hit', 'in month 13', { ...good, time: '2024-13-01T00:00:00Z' }, '2.time'],
    ['hit', 'at 25:00', { ...good, time: '2024-01-01T25:00:00Z' }, '2.time'],
    ['hit', 'before 2000', { ...good, time: '1999-12-31T23:59:59.999Z' }, '2.time'],
    ['hit', 'more than a day ahead', { ...good, time: ahead }, '2.time'],
    ['event', 'without event_name', good, '2.event_name'],
    [
      'event',
      'with nested metadata',
      { ...good, event_name: 'x', event_meta: { a: {} } },
      '2.event_meta',
    ],
    ['session', 'without user_agent', { ip: HIT.ip, time: TIME }, '2.user_agent'],
  ])('%s: %s', async (endpoint, _what, item, key) => {
    const fine = { ...good, event_name: 'fine' };
    const body = [fine, fine, item, fine];
    const answer = await reader.request('POST', `/api/v1/${endpoint}/batch`, { body });
    const validation = expectError(answer, 400);
    expect(Object.keys(validation)).toEqual([key]);
    expect(validation[key]).toMatch(ADVICE);
  });

  test('an answer names at most 100 of many bad items (A-11)', async () => {
    const body = Array.from({ length: 500 }, () => ({ ...good, url: 5 }));
    const validation = expectError(
      await reader.request('POST', '/api/v1/hit/batch', { body }),
      400,
    );
    expect(Object.keys(validation)).toHaveLength(100);
    expect(validation['0.url']).toMatch(ADVICE);
  });

  test.each(['{}', '5', 'null', '"x"'])('%s is no array', async (body) => {
    expectError(await reader.request('POST', '/api/v1/hit/batch', { body }), 400);
  });

  test('10,001 items are refused and the limit is named', async () => {
    const body = Array.from({ length: 10_001 }, () => good);
    const answer = await reader.request('POST', '/api/v1/hit/batch', { body });
    expectError(answer, 413);
    expect(JSON.stringify(answer.body)).toMatch(/10,?000/);
  });

  test('more than 8 MiB are refused and the limit is named', async () => {
    const body = `[${' '.repeat(8 * 1_024 * 1_024)}]`;
    const answer = await reader.request('POST', '/api/v1/hit/batch', { body });
    expectError(answer, 413);
    expect(JSON.stringify(answer.body)).toMatch(/8388608|8,388,608|8 MiB/);
  });

  test('an empty array is accepted with nothing in it (I-73)', async () => {
    const answer = await reader.request('POST', '/api/v1/hit/batch', { body: [] });
    expect(answer).toMatchObject({ status: 200, body: { accepted: 0, rejected: [] } });
  });

  test('a foreign hostname is no bad item: it is rejected by its index (A-2)', async () => {
    const body = [{ ...good, url: 'https://other.example/' }];
    const answer = await reader.request('POST', '/api/v1/hit/batch', { body });
    expect(answer).toMatchObject({ status: 200, body: { accepted: 0, rejected: [{ index: 0 }] } });
  });
});

describe('an Idempotency-Key (I-75)', () => {
  test.each([
    ['longer than 128 characters', long(129)],
    ['with a space inside', 'two words'],
    ['with a character inside that is not ASCII', 'caf\u00e9-5'],
  ])('is refused %s', async (_what, key) => {
    const headers = { 'Idempotency-Key': key };
    const answer = await reader.request('POST', '/api/v1/hit', { body: HIT, headers });
    expectAdvice(expectError(answer, 400), 'Idempotency-Key');
  });

  test('is not used up by a refused request (I-77)', async () => {
    const headers = { 'Idempotency-Key': 'refused' };
    const bad = await reader.request('POST', '/api/v1/hit', { body: { ip: 'x' }, headers });
    expectError(bad, 400);
    const body = { ...HIT, ip: '10.9.9.9' };
    expect((await reader.request('POST', '/api/v1/hit', { body, headers })).status).toBe(200);
    expect((await reader.request('POST', '/api/v1/hit', { body, headers })).status).toBe(200);
    goodHits++;
  });
});

describe('credentials', () => {
  const READ = '/api/v1/statistics/total?id=x&from=2026-01-01&to=2026-01-02';
  test.each([
    ['nothing', {}],
    ['another scheme', { Authorization: 'Basic eDp5' }],
    ['an empty token', { Authorization: 'Bearer ' }],
    ['an invented token', { Authorization: `Bearer ${long(64)}` }],
    ['an invented access key', { Authorization: `Bearer pa_${long(45)}` }],
    ['a very long token', { Authorization: `Bearer ${long(3_000)}` }],
  ])('are missing or wrong: %s', async (_what, headers) => {
    const nobody = new ApiClient(site.service.baseUrl);
    expectError(await nobody.request('POST', '/api/v1/hit', { body: HIT, headers }), 401);
    expectError(await nobody.request('GET', READ, { headers }), 401);
    expectError(await nobody.request('GET', '/api/v1/domain', { headers }), 401);
  });

  test('an access key cannot read (A-17)', async () => {
    const key = new ApiClient(site.service.baseUrl, domain.accessKey);
    expectError(await key.request('GET', READ.replace('id=x', `id=${domain.id}`)), 403);
  });

  test.each([
    ['a wrong secret', { client_secret: long(64) }, 401],
    ['an unknown id', { client_id: long(32) }, 401],
    ['no secret', { client_secret: undefined }, 400],
    ['a number as id', { client_id: 5 }, 400],
    ['an empty id', { client_id: '' }, 400],
  ])('%s gives no token', async (_what, change, status) => {
    const { clientId, clientSecret } = domain;
    const body = { client_id: clientId, client_secret: clientSecret, ...change };
    const nobody = new ApiClient(site.service.baseUrl);
    expectError(await nobody.request('POST', '/api/v1/token', { body }), status);
  });

  test.each(['', 'nonsense', '[]'])('the body %j gives no token', async (body) => {
    expectError(
      await new ApiClient(site.service.baseUrl).request('POST', '/api/v1/token', { body }),
      400,
    );
  });
});

describe('a statistics request', () => {
  test.each([
    ['from', 'from=&to=2026-01-02'],
    ['from', 'to=2026-01-02'],
    ['to', 'from=2026-01-02'],
    ['from', 'from=nonsense&to=2026-01-02'],
    ['from', 'from=2026-02-30&to=2026-03-02'],
    ['from', 'from=2026-13-01&to=2026-03-02'],
    ['from', 'from=26-1-1&to=2026-03-02'],
    ['to', 'from=2026-01-01&to=tomorrow'],
    ['from', 'from=2015-01-01&to=2026-01-01'],
    ['tz', 'from=2026-01-01&to=2026-01-02&tz=Mars/Olympus'],
    ['from_time', 'from=2026-01-01&to=2026-01-01&from_time=25:00'],
    ['to_time', 'from=2026-01-01&to=2026-01-01&to_time=noon'],
    ['start', 'start=abc'],
    ['start', 'start=-1'],
    ['start', 'start=1.5'],
    ['path', `from=2026-01-01&to=2026-01-02${'&path=/a'.repeat(101)}`],
  ])('is refused with advice on %s: %s', async (field, query) => {
    const answer = await reader.request('GET', `/api/v1/statistics/total?id=${domain.id}&${query}`);
    expectAdvice(expectError(answer, 400), field);
  });

  test.each([
    ['scale', 'visitor', 'scale=decade'],
    ['sort', 'page', 'sort=shoe_size&direction=sideways'],
    ['limit', 'page', 'limit=many&offset=-5'],
    ['an unknown parameter', 'total', 'colour=red'],
    ['broken percent encoding', 'page', 'path=%zz%'],
  ])('falls back to the default when only %s is odd (F-34)', async (_what, name, query) => {
    const path = `/api/v1/statistics/${name}?id=${domain.id}&from=2026-01-01&to=2026-01-02&${query}`;
    expect((await reader.request('GET', path)).status).toBe(200);
  });

  test('of a domain that does not exist or is not yours is answered 404 (F-36)', async () => {
    const path = '/api/v1/statistics/total?id=nowhere&from=2026-01-01&to=2026-01-02';
    expectError(await reader.request('GET', path), 404);
    expectError(await account.request('GET', path), 404);
  });

  test('without id is refused', async () => {
    const path = '/api/v1/statistics/total?from=2026-01-01&to=2026-01-02';
    expectAdvice(expectError(await account.request('GET', path), 400), 'id');
  });

  test('with a query string over 16 KiB is refused', async () => {
    const path = `/api/v1/statistics/total?id=${domain.id}&from=2026-01-01&to=2026-01-02&path=/${long(17_000)}`;
    const answer = await reader.request('GET', path);
    expect([400, 414, 431]).toContain(answer.status);
  });
});

describe('an address', () => {
  test.each([
    ['/index.html', 404],
    ['/api/v1/nothing', 404],
    ['/api/v2/hit', 404],
    ['/api/v1/hit/', 404],
    ['/api/v1/statistics/shoe-size', 404],
    ['/api/v1/hit', 405],
    ['/api/v1/hit/batch', 405],
    ['/api/v1/token', 405],
  ])('GET %s is answered %i', async (path, status) => {
    expectError(await reader.request('GET', path), status);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s on a statistic is answered 405',
    async (method) => {
      const answer = await reader.request(method, `/api/v1/statistics/total?id=${domain.id}`);
      expectError(answer, 405);
      expect(JSON.stringify(answer.body)).toContain('GET');
    },
  );
});

describe('bytes that are no proper request', () => {
  const head = (more: string): string =>
    `POST /api/v1/hit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${domain.accessKey}\r\n${more}\r\n`;
  const body = JSON.stringify(HIT);

  test.each([
    ['noise', () => '\u0000\u0001\u0002nonsense\r\n\r\n'],
    ['a TLS greeting', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'],
    ['no version', () => 'GET /\r\n\r\n'],
    ['an unknown version', () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no host', () => 'GET /livez HTTP/1.1\r\n\r\n'],
    ['an endless header', () => `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${long(200_000)}`],
    ['very many headers', () => `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(2_000)}\r\n`],
    ['a very long address', () => `GET /${long(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['NUL in the address', () => 'GET /api\u0000/v1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a negative length', () => head('Content-Length: -5\r\n')],
    ['a word as length', () => head('Content-Length: many\r\n')],
    ['a huge length', () => head('Content-Length: 99999999999999999999\r\n')],
    ['two lengths', () => `${head('Content-Length: 2\r\nContent-Length: 9\r\n')}{}`],
    [
      'length and chunks',
      () => `${head('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`,
    ],
    ['bad chunks', () => `${head('Transfer-Encoding: chunked\r\n')}zz\r\nnonsense\r\n`],
    ['an unknown method', () => 'BREW /coffee HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s', { timeout: 30_000 }, async (_what, bytes) => {
    const answer = await sendRaw(site.service.baseUrl, bytes(), { waitMs: 500 });
    if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 [345]\d\d/);
  });

  test('bodies that never end, 50 at once, are answered with no success', {
    timeout: 30_000,
  }, async () => {
    const part = `${head(`Content-Length: ${body.length}\r\n`)}${body.slice(0, 20)}`;
    const endings = ['destroy', 'end'] as const;
    const sent = Array.from({ length: 50 }, (_, index) =>
      sendRaw(site.service.baseUrl, part, { afterwards: endings[index % 2] ?? 'end', waitMs: 300 }),
    );
    for (const answer of await Promise.all(sent)) expect(answer).toMatch(/^$|^HTTP\/1\.1 [45]\d\d/);
    // The edge is not held up by them: a good request is answered meanwhile and afterwards.
    expect((await reader.request('GET', '/livez')).status).toBe(200);
  });

  test('bodies that are not UTF-8 are answered, not fatal', async () => {
    const bytes = Buffer.concat([
      Buffer.from(head('Content-Length: 4\r\n')),
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    ]);
    expect(await sendRaw(site.service.baseUrl, bytes)).toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('odd but well-formed input', () => {
  test.each([
    ['nesting 100,000 deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['objects nested 50,000 deep', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a prototype as tag', '{"tags":{"__proto__":{"a":"b"}},"constructor":{"prototype":5}}'],
    ['1e999 as a width', '{"screen_width":1e999}'],
  ])('%s is answered with an error', async (_what, body) => {
    expectError(await reader.request('POST', '/api/v1/hit', { body }), 400);
  });

  test.each([
    ['lone surrogates', { title: '\ud800 title \udfff' }],
    ['NUL in the title', { title: 'a\u0000b' }],
    ['NUL in the path', { url: `https://${HOSTNAME}/%00` }],
    ['a path that does not decode (I-6)', { url: `https://${HOSTNAME}/%ff%zz` }],
    ['a port and credentials in the url', { url: `https://u:p@${HOSTNAME}:8443/x` }],
    ['a text that is no address as ip (I-3)', { ip: 'somewhere' }],
    ['names of Object.prototype as tags', { tags: { constructor: 'a', toString: 'b' } }],
    ['null for optional fields (I-2)', { title: null, referrer: null, tags: null }],
    ['unknown fields (I-2)', { colour: 'red', time: 'nonsense' }],
  ])('%s is counted', async (_what, change) => {
    const ip = `10.8.0.${goodHits & 255}`;
    const body = { ...HIT, ip, ...change };
    expect((await reader.request('POST', '/api/v1/hit', { body })).status).toBe(200);
    goodHits++;
  });
});
