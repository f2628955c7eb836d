// Goal: what pages send is read, checked and answered as and D-33 say.
// Method: real HTTP to an edge over fake ports; what reaches the pipeline and the log is looked at.
import { beforeEach, describe, expect, test } from 'vitest';
import type { HitInput } from '../../src/ingest/step.ts';
import { hashIdempotencyKey } from '../../src/ingest/visitor/visitor.ts';
import { dropReason } from '../../src/model/drop-reasons.ts';
import { HitKind } from '../../src/model/hit.ts';
import { sendRaw } from '../support/clients/raw-socket.ts';
import { AGENT, NOW_MS, overloaded } from '../support/fake-ports.ts';
import { useEdge } from './edge.ts';

const edge = useEdge();

const CODE = 'c'.repeat(32);
const PAGE = 'https://example.org/a?utm_source=nl';
const HIT = { code: CODE, url: PAGE };
const EVENT = { identification_code: CODE, url: PAGE, event_name: 'order' };
const BROWSER = {
  'User-Agent': AGENT,
  'Accept-Language': 'de-DE,de;q=0.9',
  'Sec-CH-UA': '"Chromium";v="140", "Google Chrome";v="140"',
  'Sec-CH-UA-Mobile': '?0',
  'Sec-CH-UA-Platform': '"Windows"',
  'Sec-CH-UA-Platform-Version': '"15.0.0"',
  'Sec-CH-UA-Model': '""',
};
/** What browsers say when a page shows an image. */
const AS_IMAGE = { Accept: 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8' };

/** What went through the pipeline. */
let inputs: HitInput[];
beforeEach(() => {
  inputs = [];
  const { pipeline } = edge.fake.ports;
  const { run } = pipeline;
  pipeline.run = (input) => {
    inputs.push(structuredClone(input));
    return run(input);
  };
});

type Headers = Record<string, string>;

const query = (fields: Record<string, string | readonly string[]>): string =>
  Object.entries(fields)
    .flatMap(([name, values]) =>
      [values].flat().map((one) => String(new URLSearchParams([[name, one]]))),
    )
    .join('&');

async function ask(method: string, path: string, headers: Headers = BROWSER, body?: string | Blob) {
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(edge.baseUrl + path, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type') === 'application/json';
  const json = isJson && bytes.length > 0 ? JSON.parse(String(bytes)) : null;
  return { status: response.status, headers: response.headers, bytes, json };
}

const view = (fields: Record<string, string | readonly string[]>, headers: Headers = BROWSER) =>
  ask('GET', `/hit?${query(fields)}`, headers);
const send = (body: unknown, headers: Headers = BROWSER) =>
  ask('POST', '/event', headers, JSON.stringify(body));

const ACCEPTED = { status: 200, json: {} };

describe('a page view (A-40)', () => {
  test.each(['GET', 'POST'])('by %s /hit is stored and answered {}', async (method) => {
    const sent = { ...HIT, nc: '123', t: 'Tïtle + more', ref: 'https://a.test/?x=1&y', w: '1920' };
    const path = `/hit?${query({ ...sent, h: '1080', 'tag_logged-in': 'yes', tag_plan: 'a-b' })}`;
    expect(await ask(method, path)).toMatchObject(ACCEPTED);
    expect(inputs).toMatchObject([
      {
        kind: HitKind.PageView,
        timeMs: NOW_MS,
        page: { hostname: 'example.org', path: '/a', search: 'utm_source=nl' },
        raw: {
          ...{ url: PAGE, title: 'Tïtle + more', referrer: 'https://a.test/?x=1&y' },
          ...{ screen_width: 1920, screen_height: 1080 },
          tags: { 'logged in': 'yes', plan: 'a-b' },
        },
      },
    ]);
    const group = { domainId: 'domain-1', receivedMs: NOW_MS, idempotencyHash: '' };
    expect(edge.fake.submitted).toMatchObject([[{ ...group, hits: [{ path: '/a' }] }]]);
  });

  test('with a body counts once, and the connection goes on', async () => {
    const path = `/hit?${query(HIT)}`;
    const request = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello`;
    const answer = await sendRaw(edge.baseUrl, request + request, { waitMs: 200 });
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(inputs).toHaveLength(2);
  });

  test('asked for by HEAD is answered like GET, and counts nothing', async () => {
    const reply = await ask('HEAD', `/hit?${query(HIT)}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-length')).toBe('2');
    expect((await ask('HEAD', `/hit?${query({ url: PAGE })}`)).status).toBe(400);
    const foreign = { ...HIT, url: 'https://other.test/' };
    expect((await ask('HEAD', `/hit?${query(foreign)}`)).status).toBe(400);
    expect([inputs, edge.fake.submitted]).toEqual([[], []]);
  });

  test('is answered once it is durable, 503 when it cannot be', async () => {
    edge.fake.submitError = overloaded();
    const reply = await view(HIT);
    expect(reply).toMatchObject({ status: 503, json: { error: [expect.any(String)] } });
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    edge.fake.unreadyReason = 'it is starting';
    expect((await view(HIT)).status).toBe(503);
  });

  test('that the bot filter drops is answered like any other (A-5)', async () => {
    expect(await view(HIT, { 'User-Agent': 'a bot' })).toMatchObject(ACCEPTED);
    const reason = dropReason('ua-keyword');
    const dropped = [{ reason, count: 1 }];
    expect(edge.fake.submitted).toMatchObject([[{ domainId: 'domain-1', hits: [], dropped }]]);
  });

  test.each([
    ['an empty value is none', { t: '', ref: '' }, { title: undefined, referrer: undefined }],
    ['the first of several counts', { t: ['', 'a', 'b'] }, { title: 'a' }],
    ['a fraction is cut off', { w: '390.7' }, { screen_width: 390 }],
    ['no number is none', { w: 'wide', h: '1e400' }, { screen_width: null, screen_height: null }],
    ['a negative one is none', { w: '-1', h: '0' }, { screen_width: null, screen_height: null }],
    ['a key may be any', { tag___proto__: 'x', tag_constructor: 'y' }, {}],
  ])('%s', async (_, fields, raw) => {
    expect(await view({ ...HIT, ...fields })).toMatchObject(ACCEPTED);
    expect(inputs).toMatchObject([{ raw }]);
  });

  test('whose encoding is malformed is taken as sent', async () => {
    const url = 'https://example.org/%E4%';
    const sent = `code=${CODE}&url=${url}&t=%zz+%C3%A4&=x&&tag_=y&w&%`;
    expect(await ask('GET', `/hit?${sent}`)).toMatchObject(ACCEPTED);
    expect(inputs).toMatchObject([{ page: { path: '/%E4%' }, raw: { url, title: '%zz %C3%A4' } }]);
  });

  test('has no other say of its visitor than its request has (A-42)', async () => {
    const claimed = {
      ip: '8.8.8.8',
      user_agent: 'x',
      disable_bot_filter: 'true',
      sec_ch_ua: '"X"',
    };
    await view({ ...HIT, ...claimed });
    expect(inputs[0]?.raw).toMatchObject({ ip: '127.0.0.1', user_agent: AGENT });
    expect(inputs[0]?.raw.disable_bot_filter).toBe(undefined);
  });
});

describe('what a request says of its visitor (A-42)', () => {
  test('is its address, its user agent, its languages and its hints', async () => {
    await view(HIT, { ...BROWSER, 'Sec-CH-Width': '1200', 'Sec-CH-Viewport-Width': '800' });
    expect(inputs).toMatchObject([
      {
        raw: {
          ...{ ip: '127.0.0.1', user_agent: AGENT, accept_language: 'de-DE,de;q=0.9' },
          ...{ sec_ch_ua: BROWSER['Sec-CH-UA'], sec_ch_ua_mobile: '?0', sec_ch_ua_model: '""' },
          ...{ sec_ch_ua_platform: '"Windows"', sec_ch_ua_platform_version: '"15.0.0"' },
          ...{ sec_ch_width: '1200', sec_ch_viewport_width: '800' },
        },
      },
    ]);
  });

  test('may have the old names of the widths, which the new ones win over', async () => {
    await view(HIT, { ...BROWSER, Width: '1', 'Viewport-Width': '2' });
    await view(HIT, { ...BROWSER, Width: '1', 'Sec-CH-Width': '3' });
    const widths = inputs.map(({ raw }) => [raw.sec_ch_width, raw.sec_ch_viewport_width]);
    expect(widths).toEqual([
      ['1', '2'],
      ['3', ''],
    ]);
  });

  test('is nothing of the request before on the same connection', async () => {
    const path = `/hit?${query(HIT)}`;
    const full = `GET ${path} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${AGENT}\r\nSec-CH-UA: "X"\r\n\r\n`;
    const bare = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const answer = await sendRaw(edge.baseUrl, full + bare, { waitMs: 200 });
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(inputs.map(({ raw }) => [raw.user_agent, raw.sec_ch_ua])).toEqual([
      [AGENT, '"X"'],
      ['', ''],
    ]);
  });

  test('is not what a forwarding header says that nobody vouches for', async () => {
    await view(HIT, {
      ...BROWSER,
      'X-Forwarded-For': '81.2.69.142',
      'CF-Connecting-IP': '8.8.8.8',
    });
    expect(inputs[0]?.raw.ip).toBe('127.0.0.1');
  });
});

describe('an event (A-41)', () => {
  const fields = {
    ...{
      event_duration: 2.5,
      event_meta: { plan: 'team', seats: 5 },
      title: 'T',
      referrer: 'r.test',
    },
    ...{ screen_width: 390, screen_height: 844, tags: { a: 'b' }, non_interactive: true },
  };

  test.each([
    ['text/plain', 'text/plain;charset=UTF-8'],
    ['JSON', 'application/json'],
    ['of another type', 'application/x-www-form-urlencoded'],
    ['nothing', ''],
  ])('that says it is %s is read', async (_, type) => {
    const headers = { ...BROWSER, ...(type === '' ? {} : { 'Content-Type': type }) };
    // As bytes, for fetch would say what it takes a string for.
    const body = new Blob([JSON.stringify({ ...EVENT, ...fields })]);
    expect(await ask('POST', '/event', headers, body)).toMatchObject(ACCEPTED);
    const { identification_code: _code, ...said } = EVENT;
    expect(inputs).toMatchObject([{ kind: HitKind.Event, raw: { ...said, ...fields } }]);
    expect(edge.fake.submitted).toMatchObject([[{ hits: [{ eventName: 'order' }] }]]);
  });

  test('may not say who its visitor is, nor switch the filter off', async () => {
    const claimed = {
      ...{ ip: '8.8.8.8', user_agent: AGENT, accept_language: 'fr', sec_ch_ua: '"X"' },
      ...{ disable_bot_filter: true, time: '2020-01-01T00:00:00Z' },
    };
    // The second is read by JSON.parse: one of its names is escaped.
    for (const text of [JSON.stringify({ ...EVENT, ...claimed }), '{"\\u0069p":"8.8.8.8"']) {
      const body = text.endsWith('}') ? text : `${text},${JSON.stringify(EVENT).slice(1)}`;
      expect(await ask('POST', '/event', { 'User-Agent': 'an agent' }, body)).toMatchObject(
        ACCEPTED,
      );
    }
    for (const { raw, timeMs } of inputs) {
      expect(timeMs).toBe(NOW_MS);
      expect(raw).toMatchObject({ ip: '127.0.0.1', user_agent: 'an agent', sec_ch_ua: '' });
      expect([raw.disable_bot_filter, raw.time]).toEqual([undefined, undefined]);
    }
    expect(inputs).toHaveLength(2);
  });

  test.each([
    [1.5, 1],
    ['1920', 1920],
    [null, null],
    ['x', null],
    [{}, null],
    [-3, null],
  ])('with the width %j has the width %j', async (screen_width, expected) => {
    expect(await send({ ...EVENT, screen_width })).toMatchObject(ACCEPTED);
    expect(inputs[0]?.raw.screen_width).toBe(expected);
  });

  test.each([['[]'], ['"text"'], ['null'], [`[${JSON.stringify(EVENT)}]`]])(
    'that is %s is refused',
    async (body) => {
      const reply = await ask('POST', '/event', BROWSER, body);
      expect(reply.status).toBe(400);
      expect(reply.json.validation.body).toBe('must be an object');
    },
  );

  test.each([[''], ['{'], ['nothing of JSON'], ['\xff']])('that is %j is refused', async (body) => {
    const reply = await ask('POST', '/event', BROWSER, body);
    expect(reply).toMatchObject({
      status: 400,
      json: { error: [expect.stringContaining('JSON')] },
    });
  });

  test('that is too large is refused, also where its length is not announced', async () => {
    const body = JSON.stringify({ ...EVENT, title: 'x'.repeat(1_024 * 1_024) });
    expect((await ask('POST', '/event', BROWSER, body)).status).toBe(413);
  });
});

describe('a keep-alive (A-41)', () => {
  test('is POST /session, and its hostname is not looked at (I-9)', async () => {
    const foreign = query({ code: CODE, url: 'https://foreign.test/', nc: '1' });
    for (const asked of [query(HIT), `code=${CODE}`, foreign]) {
      expect(await ask('POST', `/session?${asked}`)).toMatchObject(ACCEPTED);
    }
    const kinds = inputs.map(({ kind, page }) => [kind, page]);
    expect(kinds).toEqual(Array.from({ length: 3 }, () => [HitKind.KeepAlive, null]));
  });

  test('without a code is refused', async () => {
    const reply = await ask('POST', '/session');
    expect(reply).toMatchObject({
      status: 400,
      json: { validation: { code: expect.any(String) } },
    });
  });
});

describe('what is wrong with a request', () => {
  const UNKNOWN = 'no domain has this identification code';
  const NO_CODE = 'is required: the identification code of the domain';

  test.each([
    [{}, { code: NO_CODE, url: 'is required' }],
    [{ code: 'x', url: PAGE }, { code: UNKNOWN }],
    [{ code: CODE.toUpperCase(), url: PAGE }, { code: UNKNOWN }],
    [{ code: 'x'.repeat(20_000), url: PAGE }, { code: UNKNOWN }],
    [{ ...HIT, url: '/a' }, { url: 'must be an absolute address like https://example.com/path' }],
    [
      { ...HIT, url: 'https://foreign.test/' },
      { url: 'must be an address of a hostname of the domain' },
    ],
    [{ ...HIT, t: 'x'.repeat(8_193) }, { t: 'must have at most 8192 characters' }],
    [
      { ...HIT, tag_a: 'x'.repeat(51) },
      { tags: "the value of 'a' must have at most 50 characters" },
    ],
    [
      { code: 'x', url: 'x', ref: 'x'.repeat(8_193), ['tag_'.padEnd(60, 'k')]: 'v' },
      {
        ...{ code: UNKNOWN, ref: 'must have at most 8192 characters' },
        ...{ tags: 'a key must have at most 50 characters' },
        url: 'must be an absolute address like https://example.com/path',
      },
    ],
  ])(
    '%# is told by the name of the parameter, all at once (A-45, A-6, A-11)',
    async (sent, told) => {
      const reply = await view(sent);
      expect(reply).toMatchObject({
        status: 400,
        json: { validation: told, error: [], context: {} },
      });
      expect(Object.keys(reply.json.validation).toSorted()).toEqual(Object.keys(told).toSorted());
      expect(edge.fake.submitted.flat().flatMap(({ hits }) => hits)).toEqual([]);
    },
  );

  test('is told of more tags than there may be', async () => {
    const tags = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`tag_${n}`, 'x']));
    const reply = await view({ ...HIT, ...tags });
    expect(reply.json.validation).toEqual({ tags: 'must have at most 20 pairs, not 21' });
  });

  test.each([
    [
      {},
      {
        code: NO_CODE,
        identification_code: NO_CODE,
        url: 'is required',
        event_name: 'is required',
      },
    ],
    [
      { ...EVENT, identification_code: 3 },
      { code: NO_CODE, identification_code: NO_CODE },
    ],
    [{ ...EVENT, identification_code: 'x' }, { code: UNKNOWN }],
    [{ ...EVENT, event_name: ' ' }, { event_name: 'must not be blank' }],
    [{ ...EVENT, event_name: 'x'.repeat(201) }, { event_name: 'must have at most 200 characters' }],
    [{ ...EVENT, url: null }, { url: 'must be a string' }],
    [{ ...EVENT, event_duration: -1 }, { event_duration: 'must be at least 0' }],
    [
      { ...EVENT, event_meta: { a: [] }, tags: { a: 1 } },
      { event_meta: expect.any(String), tags: expect.any(String) },
    ],
    [
      { ...EVENT, title: 1, referrer: {} },
      { title: 'must be a string', referrer: 'must be a string' },
    ],
    [
      { ...EVENT, url: 'https://foreign.test/' },
      { url: 'must be an address of a hostname of the domain' },
    ],
  ])('of an event: %j (A-45, A-11)', async (body, told) => {
    const reply = await send(body);
    expect(reply.status).toBe(400);
    expect(reply.json.validation).toEqual(told);
    expect(edge.fake.submitted.flat().flatMap(({ hits }) => hits)).toEqual([]);
  });

  test('is a foreign hostname only where it is neither the own nor an alternative one (A-6)', async () => {
    expect(await view({ ...HIT, url: 'https://a.shop.test/' })).toMatchObject(ACCEPTED);
    await view({ ...HIT, url: 'https://other.test/' });
    const dropped = [{ reason: dropReason('hostname'), count: 1 }];
    const groups = edge.fake.submitted.slice(1);
    expect(groups).toMatchObject([[{ domainId: 'domain-1', hits: [], dropped }]]);
  });

  test('is everything while the scripts of the domain are switched off (A-7)', async () => {
    const [domain] = edge.fake.domains;
    edge.fake.domains[0] = { ...domain!, disableScripts: true };
    const replies = [
      await view(HIT),
      await view({ code: CODE }),
      await send(EVENT),
      await ask('POST', `/session?${query(HIT)}`),
      await ask('GET', `/hit.gif?${query(HIT)}`),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 403, json: { error: [expect.any(String)] } });
    }
    expect(edge.fake.submitted).toEqual([]);
    const bearer = await edge.post('/api/v1/hit', { url: PAGE, ip: '1.1.1.1', user_agent: AGENT });
    expect(bearer.status).toBe(200);
  });
});

describe('an image (D-33)', () => {
  const path = (fields: Record<string, string>) => `/hit.gif?${query(fields)}`;

  test('counts a page view and shows one transparent pixel', async () => {
    const reply = await ask('GET', path(HIT), { ...BROWSER, ...AS_IMAGE });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/gif');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.bytes.toString('latin1', 0, 6)).toBe('GIF89a');
    expect([reply.bytes.readUInt16LE(6), reply.bytes.readUInt16LE(8)]).toEqual([1, 1]);
    expect(reply.bytes.at(-1)).toBe(0x3b);
    expect(inputs).toMatchObject([{ kind: HitKind.PageView, page: { path: '/a' } }]);
  });

  test('is shown with the status of an error too, where one is asked for (A-45)', async () => {
    const wrong = path({ code: 'x', url: PAGE });
    const shown = await ask('GET', wrong, { ...BROWSER, ...AS_IMAGE });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([400, 'image/gif']);
    expect(shown.bytes.toString('latin1', 0, 6)).toBe('GIF89a');
    for (const accept of ['*/*', 'text/html,image/avif,image/webp,*/*;q=0.8']) {
      const told = await ask('GET', wrong, { ...BROWSER, Accept: accept });
      expect(told).toMatchObject({
        status: 400,
        json: { validation: { code: expect.any(String) } },
      });
    }
    edge.fake.submitError = overloaded();
    const late = await ask('GET', path(HIT), { ...BROWSER, ...AS_IMAGE });
    expect([late.status, late.headers.get('content-type')]).toEqual([503, 'image/gif']);
  });
});

describe('a key (I-75, I-76)', () => {
  test('counts as everywhere', async () => {
    const headers = { ...BROWSER, 'Idempotency-Key': 'order-1' };
    await view(HIT, headers);
    await send(EVENT, headers);
    await view(HIT, { 'User-Agent': 'a bot', 'Idempotency-Key': 'order-1' });
    const idempotencyHash = hashIdempotencyKey('order-1', 'domain-1');
    const hashes = edge.fake.submitted.flat().map((group) => group.idempotencyHash);
    expect(hashes).toEqual([idempotencyHash, idempotencyHash, idempotencyHash]);
    const reply = await view({ url: PAGE }, { ...BROWSER, 'Idempotency-Key': 'two words' });
    expect(Object.keys(reply.json.validation).toSorted()).toEqual(['Idempotency-Key', 'code']);
  });
});

describe('pages of every site (A-43)', () => {
  const FROM = { ...BROWSER, Origin: 'https://example.org' };

  test('may read every answer, and nothing keeps it', async () => {
    const replies = [
      await view(HIT, FROM),
      await view({}, FROM),
      await send(EVENT, FROM),
      await send({}, FROM),
      await ask('POST', `/session?${query(HIT)}`, FROM),
      await ask('GET', `/hit.gif?${query(HIT)}`, { ...FROM, ...AS_IMAGE }),
      await ask('GET', '/hit.gif', { ...FROM, ...AS_IMAGE }),
      await ask('PUT', '/hit', FROM),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200, 200, 400, 405]);
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('vary')).toBe(null);
    }
  });

  test.each(['/hit', '/event', '/session', '/hit.gif'])(
    'are told by OPTIONS %s that they may send whatever they like',
    async (path) => {
      const asked = { ...FROM, 'Access-Control-Request-Method': 'POST' };
      const headers = { ...asked, 'Access-Control-Request-Headers': 'content-type,x-trace' };
      const reply = await ask('OPTIONS', path, headers);
      expect(reply.status).toBe(204);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      expect(reply.headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS');
      expect(reply.headers.get('access-control-allow-headers')).toContain('Content-Type');
      expect(reply.headers.get('access-control-allow-headers')).toContain('*');
      expect(reply.headers.get('access-control-allow-credentials')).toBe(null);
    },
  );

  test('may not use the interface of programs by that', async () => {
    const reply = await ask('GET', '/api/v1/domain', FROM);
    expect(reply.headers.get('access-control-allow-origin')).toBe(null);
    expect(reply.headers.get('cross-origin-resource-policy')).toBe(null);
    expect((await ask('OPTIONS', '/api/v1/hit', FROM)).status).toBe(405);
  });
});
