// Goal: pages are answered as and D-33 say, whatever is wrong with what they send.
// Method: real HTTP to an edge over fake ports; what reaches the log is looked at.
import { describe, expect, test } from 'vitest';
import { hashIdempotencyKey } from '../../../src/ingest/visitor/visitor.ts';
import { dropReason } from '../../../src/model/drop-reasons.ts';
import { HitKind } from '../../../src/model/hit.ts';
import { AGENT, overloaded } from '../../support/fake-ports.ts';
import { ACCEPTED, BROWSER, CODE, EVENT, HIT, PAGE, query, usePageEdge } from './page-edge.ts';

/** What browsers say when a page shows an image. */
const AS_IMAGE = { Accept: 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8' };

const { edge, inputs, ask, view, send } = usePageEdge();

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
