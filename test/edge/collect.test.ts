// Goal: collection requests are checked, answered and grouped as I-1..I-9, I-70..I-77 and A-2..A-9 say.
// Method: real HTTP; what reaches the log, dropped items too, is read from fake ports.
import { describe, expect, test, vi } from 'vitest';
import { hashIdempotencyKey } from '../../src/ingest/visitor/visitor.ts';
import { dropReason } from '../../src/model/drop-reasons.ts';
import { HitKind } from '../../src/model/hit.ts';
import { NO_DOMAIN } from '../../src/model/ids.ts';
import { BATCH_ITEM_COUNT_MAX, DAY_MS } from '../../src/model/limits.ts';
import { sendRaw } from '../support/clients/raw-socket.ts';
import { BEARERS, BOT_NAME, NOW_MS, overloaded } from '../support/fake-ports.ts';
import { item, pageView, rawRequest, useEdge } from './edge.ts';

const edge = useEdge();

const HIT = '/api/v1/hit';
const BATCH = '/api/v1/hit/batch';
const HOSTNAME = dropReason('hostname');
const KEYWORD = dropReason('ua-keyword');
const BOT = { user_agent: 'a bot of some kind' };
const FOREIGN = { url: 'https://foreign.test/' };

const ACCEPTED = { status: 200, json: {} };

/** Day of what `item` makes. */
const ITEM_DAY = Date.UTC(2026, 10, 20) / DAY_MS;
const TODAY = Math.floor(NOW_MS / DAY_MS);
/** What a request of one item brings when it is dropped. */
const dropped = (reason: number, domainId = 'domain-1') => [
  {
    ...{ domainId, idempotencyHash: '', hits: [] },
    dropped: [{ reason, day: TODAY, bot: reason === KEYWORD ? BOT_NAME : '', count: 1 }],
  },
];

/** The groups of the only submit. */
function submitted() {
  expect(edge.fake.submitted.length).toBe(1);
  return edge.fake.submitted[0]!;
}

const paths = (): string[][] => submitted().map((group) => group.hits.map((hit) => hit.path));

async function validationOf(path: string, body: unknown, options = {}): Promise<object> {
  const reply = await edge.post(path, body, options);
  expect(reply.status).toBe(400);
  expect(reply.json.error).toEqual([]);
  expect(edge.fake.submitted).toEqual([]);
  return reply.json.validation;
}

/** Sends a hit of a hostname that is foreign; what is told is about it. */
async function sendForeign(body: unknown, options = {}): Promise<void> {
  const reply = await edge.post(HIT, body, options);
  const url = expect.stringContaining('hostname');
  expect(reply).toMatchObject({ status: 400, json: { validation: { url }, error: [] } });
}

describe('a single request', () => {
  test.each([
    ['/api/v1/hit', {}, HitKind.PageView],
    ['/api/v1/event', { event_name: 'order' }, HitKind.Event],
    ['/api/v1/session', {}, HitKind.KeepAlive],
  ])('to %s is answered {} and happens when it arrives (A-2)', async (path, fields, kind) => {
    const body = pageView({ time: '2020-01-01T00:00:00Z', unknown: [1], ...fields });
    expect(await edge.post(path, body)).toMatchObject(ACCEPTED);
    expect(submitted()).toMatchObject([
      {
        domainId: 'domain-1',
        receivedMs: NOW_MS,
        idempotencyHash: '',
        dropped: null,
        hits: [{ kind, timeMs: NOW_MS }],
      },
    ]);
  });

  test('with every optional field null is as if they were absent (I-2)', async () => {
    const names = ['dnt', 'accept_language', 'sec_ch_ua', 'sec_ch_ua_mobile', 'sec_ch_width'];
    names.push('sec_ch_ua_platform', 'sec_ch_ua_platform_version', 'sec_ch_viewport_width');
    names.push('sec_ch_ua_model');
    names.push('title', 'referrer', 'screen_width', 'screen_height', 'tags', 'event_duration');
    names.push('event_meta', 'non_interactive', 'disable_bot_filter');
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    const reply = await edge.post('/api/v1/event', pageView({ event_name: 'e', ...nulls }));
    expect(reply).toMatchObject(ACCEPTED);
  });

  test.each([
    ['/api/v1/hit', ['ip', 'url', 'user_agent']],
    ['/api/v1/event', ['event_name', 'ip', 'url', 'user_agent']],
    ['/api/v1/session', ['ip', 'user_agent']],
  ])('to %s without fields is told every one that is required (I-2)', async (path, names) => {
    const missing = Object.fromEntries(names.map((name) => [name, 'is required']));
    expect(await validationOf(path, {})).toEqual(missing);
  });

  test.each([
    ['url', null, 'must be a string'],
    ['url', ' ', 'must not be blank'],
    ['url', '/path', 'must be an absolute address like https://example.com/path'],
    ['url', 'ftp://example.org/', 'must be an absolute address like https://example.com/path'],
    ['url', 'example.org', 'must be an absolute address like https://example.com/path'],
    ['ip', 1, 'must be a string'],
    ['ip', '', 'must not be blank'],
    ['user_agent', ['a'], 'must be a string'],
    ['title', 3, 'must be a string'],
    ['title', 'x'.repeat(8_193), 'must have at most 8192 characters'],
    ['screen_width', 1.5, 'must be an integer'],
    ['screen_width', '390', 'must be an integer'],
    ['disable_bot_filter', 'true', 'must be true or false'],
    ['tags', [], 'must be an object'],
    ['tags', 'a=b', 'must be an object'],
    ['tags', { a: 1 }, "the value of 'a' must be a string"],
    ['event_name', '  ', 'must not be blank'],
    ['event_name', 'x'.repeat(201), 'must have at most 200 characters'],
    ['event_duration', -1, 'must be at least 0'],
    ['event_duration', 4_294_967_296, 'must be at most 4294967295'],
    ['event_duration', '3', 'must be a number'],
    ['event_meta', { a: { b: 1 } }, "the value of 'a' must be a string, a number or a boolean"],
    ['event_meta', [1], 'must be an object'],
    ['non_interactive', 0, 'must be true or false'],
  ])('with %s = %j is refused: %s (I-2, I-8, I-56)', async (name, value, message) => {
    const body = pageView({ event_name: 'e', [name]: value });
    expect(await validationOf('/api/v1/event', body)).toEqual({ [name]: message });
  });

  test('is told everything that is wrong at once', async () => {
    const headers = { 'idempotency-key': 'two words' };
    const body = { url: 'x', ip: 1, tags: { a: 1 } };
    const names = Object.keys(await validationOf(HIT, body, { headers }));
    expect(names.toSorted()).toEqual(['Idempotency-Key', 'ip', 'tags', 'url', 'user_agent']);
  });

  test.each([8_191, 8_192])(
    'may have a title of %i characters beyond the basic plane',
    async (length) => {
      expect(await edge.post(HIT, pageView({ title: '😀'.repeat(length) }))).toMatchObject(
        ACCEPTED,
      );
    },
  );

  test('of a foreign hostname is told so, stored nowhere and counted (I-5, A-6)', async () => {
    await sendForeign(pageView(FOREIGN));
    expect(submitted()).toMatchObject(dropped(HOSTNAME));
  });

  test('of a foreign hostname is told so once it is counted for sure (A-6, P-31)', async () => {
    edge.fake.holdsBack = true;
    let isAnswered = false;
    const answer = sendForeign(pageView(FOREIGN)).then(() => {
      isAnswered = true;
    });
    await vi.waitFor(() => submitted());
    expect(isAnswered).toBe(false);
    edge.fake.release();
    await answer;
  });

  test('of a foreign hostname that cannot be counted is answered 503', async () => {
    edge.fake.submitError = overloaded();
    expect(await edge.post(HIT, pageView(FOREIGN))).toMatchObject({ status: 503 });
  });

  test.each(['https://example.org/', 'http://www.example.org:8080/', 'https://eu.shop.test/'])(
    'of %s belongs to the domain (I-4, I-5)',
    async (url) => {
      expect(await edge.post(HIT, pageView({ url }))).toMatchObject(ACCEPTED);
    },
  );

  test('that the filter drops is answered like any other, and counted (A-5)', async () => {
    expect(await edge.post(HIT, pageView(BOT))).toMatchObject(ACCEPTED);
    expect(submitted()).toMatchObject(dropped(KEYWORD));
  });

  test('the hostname is looked at before the filter (I-5)', async () => {
    await sendForeign(pageView({ ...FOREIGN, ...BOT }));
    expect(submitted()).toMatchObject(dropped(HOSTNAME));
  });
});

describe('an account-level client (I-9)', () => {
  const options = { bearer: BEARERS.account };

  test('sends to the domain of the hostname', async () => {
    await edge.post(HIT, pageView({ url: 'https://other.test/' }), options);
    expect(submitted()).toMatchObject([{ domainId: 'domain-2' }]);
  });

  test('sends to the domain of an alternative hostname', async () => {
    await edge.post(HIT, pageView({ url: 'https://eu.shop.test/' }), options);
    expect(submitted()).toMatchObject([{ domainId: 'domain-1' }]);
  });

  test('is told of a hostname that no domain has', async () => {
    await sendForeign(pageView(FOREIGN), options);
    expect(submitted()).toMatchObject(dropped(HOSTNAME, NO_DOMAIN));
  });

  test.each([
    [{ url: null }, 400],
    [{ url: 'nonsense' }, 400],
    [{ url: 'https://foreign.test/' }, 400],
    [{ url: 'https://other.test/' }, 200],
  ])('needs url in a keep-alive: %j gets %i', async (fields, status) => {
    const reply = await edge.post('/api/v1/session', pageView(fields), options);
    expect(reply.status).toBe(status);
    if (status === 400) expect(Object.keys(reply.json.validation)).toEqual(['url']);
  });

  test('a domain client needs none, and a foreign one does not matter', async () => {
    for (const fields of [{ url: null }, { url: 'nonsense' }, FOREIGN]) {
      const reply = await edge.post('/api/v1/session', pageView(fields));
      expect(reply).toMatchObject(ACCEPTED);
    }
  });

  test('fills one group per domain from one batch', async () => {
    const other = { url: 'https://other.test/x' };
    const items = [item('10:00:00'), item('10:00:01', other), item('10:00:02')];
    await edge.post(BATCH, items, options);
    expect(submitted().map(({ domainId, hits }) => [domainId, hits.length])).toEqual([
      ['domain-1', 2],
      ['domain-2', 1],
    ]);
  });
});

describe('a batch', () => {
  test('W-51: foreign items are rejected, dropped ones accepted (A-2)', async () => {
    const items = [item('10:00:00'), item('10:00:01', FOREIGN), item('10:00:02', BOT)];
    const reply = await edge.post(BATCH, items);
    expect(reply).toMatchObject({
      status: 200,
      json: { accepted: 2, rejected: [{ index: 1, error: expect.stringContaining('hostname') }] },
    });
    const day = ITEM_DAY;
    expect(submitted()).toMatchObject([
      {
        hits: [{ path: '/' }],
        dropped: [
          { reason: HOSTNAME, day, bot: '', count: 1 },
          { reason: KEYWORD, day, bot: BOT_NAME, count: 1 },
        ],
      },
    ]);
  });

  test('W-51: one item without url refuses the whole batch', async () => {
    const items = [item('10:00:00'), item('10:00:01', FOREIGN), item('10:00:02')];
    delete items[2]!['url'];
    expect(await validationOf(BATCH, items)).toEqual({ '2.url': 'is required' });
  });

  test('names every item that is wrong, and what of it (A-9)', async () => {
    const items = [
      item('10:00:00'),
      3,
      null,
      [],
      item('10:00:00', { url: 'x', screen_width: 'wide' }),
      { ...item('10:00:00'), time: '2024-02-30T00:00:00Z' },
      { ...item('10:00:00'), time: undefined },
    ];
    const validation = await validationOf(BATCH, items);
    expect(Object.keys(validation).toSorted()).toEqual(
      ['1', '2', '3', '4.screen_width', '4.url', '5.time', '6.time'].toSorted(),
    );
    expect(validation).toMatchObject({ '1': 'must be an object', '6.time': 'is required' });
  });

  test('names at most 100 problems (A-11)', async () => {
    const items = Array.from({ length: 300 }, () => ({}));
    expect(Object.keys(await validationOf(BATCH, items)).length).toBe(100);
  });

  test.each([
    ['/api/v1/event/batch', { event_name: 'e' }],
    ['/api/v1/session/batch', {}],
  ])('to %s is taken too', async (path, fields) => {
    const reply = await edge.post(path, [item('10:00:00', fields), item('10:00:01', fields)]);
    expect(reply).toMatchObject({ status: 200, json: { accepted: 2, rejected: [] } });
    expect(submitted()[0]?.hits.length).toBe(2);
  });

  test('is processed in order of time; equal times keep the order sent (I-70)', async () => {
    const at = (path: string) => ({ url: `https://example.org${path}` });
    const items = [
      item('10:02:00', at('/late')),
      item('10:01:00', at('/b1')),
      item('10:00:00', at('/early')),
      item('10:01:00', at('/b2')),
      { ...item('10:00:00', at('/b0')), time: '2026-11-20T11:01:00+01:00' },
    ];
    await edge.post(BATCH, items);
    expect(paths()).toEqual([['/early', '/b1', '/b2', '/b0', '/late']]);
  });

  test('`rejected` has the places as sent, whatever the order of time (A-2)', async () => {
    const items = [item('10:02:00', FOREIGN), item('10:01:00'), item('10:00:00', FOREIGN)];
    const reply = await edge.post(BATCH, items);
    expect(reply.json.rejected.map(({ index }: { index: number }) => index)).toEqual([0, 2]);
  });

  test('without items is answered 200 with nothing accepted (I-73)', async () => {
    const reply = await edge.post(BATCH, []);
    expect(reply).toMatchObject({ status: 200, json: { accepted: 0, rejected: [] } });
    expect(edge.fake.submitted).toEqual([]);
  });

  test('in which nothing is left goes to the log to be counted, each item for its own day (P-31)', async () => {
    const earlier = { ...BOT, time: '2026-11-19T23:59:59Z' };
    const items = [item('10:00:00', BOT), item('10:00:00', FOREIGN), item('10:00:00', earlier)];
    const reply = await edge.post(BATCH, items);
    expect(reply).toMatchObject({ status: 200, json: { accepted: 2 } });
    expect(submitted()[0]?.dropped?.map(({ reason, day }) => [reason, day - ITEM_DAY])).toEqual([
      [KEYWORD, -1],
      [KEYWORD, 0],
      [HOSTNAME, 0],
    ]);
  });

  test('without items and key is answered at once', async () => {
    expect(await edge.post(BATCH, [])).toMatchObject({ status: 200, json: { accepted: 0 } });
    expect(edge.fake.submitted).toEqual([]);
  });

  test.each([
    { count: BATCH_ITEM_COUNT_MAX - 1, status: 200 },
    { count: BATCH_ITEM_COUNT_MAX, status: 200 },
    { count: BATCH_ITEM_COUNT_MAX + 1, status: 413 },
  ])('of $count items gets $status (A-9)', async ({ count, status }) => {
    const items = Array.from({ length: count }, () => item('10:00:00'));
    const reply = await edge.post(BATCH, items);
    expect(reply.status).toBe(status);
    if (status === 413) {
      expect(reply.json.error[0]).toContain(String(BATCH_ITEM_COUNT_MAX));
      expect(edge.fake.submitted).toEqual([]);
    }
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (key: string, bearer: string = BEARERS.domain) => ({
    bearer,
    headers: { 'idempotency-key': key },
  });
  const hash = (domainId: string): string => hashIdempotencyKey('k1', domainId);

  test.each(['!', '~', 'k'.repeat(127), 'k'.repeat(128)])('%j is a key (I-75)', async (key) => {
    expect(await edge.post(HIT, pageView(), keyed(key))).toMatchObject(ACCEPTED);
    expect(submitted()[0]?.idempotencyHash).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each(['k'.repeat(129), 'two words', 'tab\there', 'kéy'])(
    '%j is none (I-75)',
    async (key) => {
      for (const [path, body] of [
        [HIT, pageView()],
        [BATCH, [item('10:00:00')]],
      ] as const) {
        const validation = await validationOf(path, body, keyed(key));
        expect(Object.keys(validation)).toEqual(['Idempotency-Key']);
      }
    },
  );

  test.each([
    ['an empty one', ['Idempotency-Key:']],
    ['one of spaces', ['Idempotency-Key:   ']],
    ['two different ones', ['Idempotency-Key: a', 'Idempotency-Key: b']],
    ['two equal ones', ['Idempotency-Key: a', 'idempotency-key: a']],
    ['a second one that is empty', ['Idempotency-Key: a', 'Idempotency-Key:']],
    ['bytes beyond ASCII inside', ['Idempotency-Key: caf\u00e9-5']],
    ['nothing but bytes beyond ASCII', ['Idempotency-Key: \u00e9']],
  ])('is refused: %s (I-75)', async (_what, headers) => {
    for (const [path, body] of [
      [HIT, pageView()],
      [BATCH, [item('10:00:00')]],
    ] as const) {
      const request = rawRequest(path, JSON.stringify(body), headers);
      const answer = await sendRaw(edge.baseUrl, Buffer.from(request, 'latin1'));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      const { validation } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
      expect(Object.keys(validation)).toEqual(['Idempotency-Key']);
    }
    expect(edge.fake.submitted).toEqual([]);
  });

  test('goes to the log with the hit', async () => {
    await edge.post(HIT, pageView(), keyed('k1'));
    expect(submitted()).toMatchObject([
      { idempotencyHash: hash('domain-1'), dropped: null, hits: [{ path: '/' }] },
    ]);
  });

  test('of an empty batch is used up (I-73, I-77)', async () => {
    await edge.post(BATCH, [], keyed('k1'));
    expect(submitted()).toMatchObject([
      { idempotencyHash: hash('domain-1'), dropped: null, hits: [] },
    ]);
  });

  test('of a dropped hit goes to the log without it (I-77)', async () => {
    expect(await edge.post(HIT, pageView(BOT), keyed('k1'))).toMatchObject(ACCEPTED);
    expect(submitted()).toMatchObject([
      { idempotencyHash: hash('domain-1'), dropped: [{ reason: KEYWORD, count: 1 }], hits: [] },
    ]);
  });

  test('of a refused request goes nowhere (I-77)', async () => {
    await validationOf(HIT, pageView({ url: 'x' }), keyed('k1'));
  });

  test('of a foreign hostname that is refused stays unused, though the item counts as dropped (I-77, P-31)', async () => {
    await sendForeign(pageView(FOREIGN), keyed('k1'));
    expect(submitted()).toMatchObject(dropped(HOSTNAME));
  });

  test('makes one group of a batch with all its drops, foreign ones too (I-77)', async () => {
    const items = [item('10:00:00', BOT), item('10:00:01', FOREIGN), item('10:00:00', BOT)];
    const reply = await edge.post(BATCH, [...items, item('10:00:00')], keyed('k1'));
    expect(reply.json.accepted).toBe(3);
    const drops = [
      { reason: KEYWORD, count: 2 },
      { reason: HOSTNAME, count: 1 },
    ];
    expect(submitted()).toMatchObject([
      { idempotencyHash: hash('domain-1'), dropped: drops, hits: [{}] },
    ]);
  });

  test('of a batch of foreign items only is used up too: the request was accepted', async () => {
    const reply = await edge.post(BATCH, [item('10:00:00', FOREIGN)], keyed('k1'));
    expect(reply.json.accepted).toBe(0);
    expect(submitted()).toMatchObject([{ dropped: [{ reason: HOSTNAME, count: 1 }], hits: [] }]);
  });

  test('is a key of its own per domain of an account (I-77)', async () => {
    const items = [item('10:00:00'), item('10:00:01', { url: 'https://other.test/' })];
    await edge.post(BATCH, [...items, item('10:00:02', FOREIGN)], keyed('k1', BEARERS.account));
    expect(submitted().map((group) => [group.domainId, group.idempotencyHash])).toEqual([
      ['domain-1', hash('domain-1')],
      ['domain-2', hash('domain-2')],
      [NO_DOMAIN, hash('user-1')],
    ]);
    expect(hash('domain-1')).not.toBe(hash('domain-2'));
    expect(submitted()[2]).toMatchObject({ dropped: [{ reason: HOSTNAME, count: 1 }], hits: [] });
  });
});
