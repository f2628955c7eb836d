// Goal: what pages send is read, and becomes a hit of whoever's request it was.
// Method: real HTTP to an edge over fake ports; what reaches the pipeline and the log is looked at.
import { describe, expect, test } from 'vitest';
import { dropReason } from '../../../src/model/drop-reasons.ts';
import { HitKind } from '../../../src/model/hit.ts';
import { sendRaw } from '../../support/clients/raw-socket.ts';
import { AGENT, NOW_MS, overloaded } from '../../support/fake-ports.ts';
import { ACCEPTED, BROWSER, CODE, EVENT, HIT, PAGE, query, usePageEdge } from './page-edge.ts';

const { edge, inputs, ask, view, send } = usePageEdge();

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

  test.each([
    [{ Purpose: 'prefetch' }, 'prefetch'],
    [{ 'X-Moz': 'prefetch' }, 'prefetch'],
    [{ 'X-Purpose': 'preview' }, 'prefetch'],
    [{ 'Sec-Fetch-Site': 'none', Referer: 'https://a.test/' }, 'sfs-referrer'],
    [{ 'Upgrade-Insecure-Requests': '1', 'Sec-Fetch-Mode': 'cors' }, 'ui-cors'],
    [{ 'Upgrade-Insecure-Requests': '1', 'Sec-Fetch-Dest': 'empty' }, 'sfd-ui'],
  ] as const)('with %j is a drop by %s (I-10, I-11, I-12, I-13)', async (headers, reason) => {
    // As bytes, for fetch has a mode of its own. The last of the three says none of it.
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const body = JSON.stringify(EVENT);
    const length = `Content-Length: ${body.length}`;
    const requests = [
      [`GET /hit?${query(HIT)} HTTP/1.1`, 'Host: a', ...lines, '', ''],
      ['POST /event HTTP/1.1', 'Host: a', ...lines, length, '', body],
      [`GET /hit?${query(HIT)} HTTP/1.1`, 'Host: a', '', ''],
    ].map((request) => request.join('\r\n'));
    await sendRaw(edge.baseUrl, requests.join(''), { waitMs: 200 });
    const verdict = dropReason(reason);
    expect(inputs.map(({ requestVerdict }) => requestVerdict)).toEqual([verdict, verdict, 0]);
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

describe('whoever knows only the code of a site', () => {
  test.each([
    ['names', 'a&'],
    ['empty tags', 'tag_&'],
    ['tags', 'tag_%41=%E4+&'],
    ['equal signs', '=&'],
    ['marks', '%%%%'],
  ])('holds nobody up with an address of nothing but %s', async (_, part) => {
    const path = `/hit?code=${CODE}&url=${PAGE}&${part.repeat(Math.floor(30_000 / part.length))}`;
    const startMs = performance.now();
    for (let time = 0; time < 20; time++) expect((await ask('GET', path)).status).toBeLessThan(401);
    expect(performance.now() - startMs).toBeLessThan(3_000);
    // A hundred parameters are read.
    const last = `${'x=1&'.repeat(97)}t=read&ref=https://a.test/`;
    await ask('GET', `/hit?code=${CODE}&url=${PAGE}&${last}`);
    expect(inputs.at(-1)?.raw).toMatchObject({ title: 'read', referrer: undefined });
  });

  test('has no longer address than the engine takes', async () => {
    const path = `/hit?code=${CODE}&url=${PAGE}&t=${'x'.repeat(40_000)}`;
    const answer = await sendRaw(edge.baseUrl, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, {
      waitMs: 200,
    });
    expect(answer).not.toContain(' 200 ');
    expect(answer).not.toContain(' 500 ');
    expect(inputs).toEqual([]);
    expect(await view(HIT)).toMatchObject(ACCEPTED);
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
