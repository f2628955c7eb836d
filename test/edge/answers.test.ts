// Goal: the edge interprets what a row says of its answer, its body and its callers.
// Method: fetch against an edge with rows of every kind.
import { describe, expect, test } from 'vitest';
import type { Answer, Call, Endpoint, Part } from '../../src/api/endpoint.ts';
import { json, managers, NOTHING, PUBLIC, READS, users } from '../../src/api/presets.ts';
import { BEARERS } from '../support/fake-ports.ts';
import { useEdge } from './edge.ts';

const CSV = `path,visitors\n${'/ä,1\n'.repeat(500)}`;
const ICON = new Uint8Array([0, 1, 2, 255]);

const reads = (path: string, answer: Endpoint['answer'], body: Answer): Endpoint => ({
  ...{ ...READS, ...PUBLIC, path, answer, summary: '' },
  handle: () => body,
});
const kind = (name: Endpoint['answer']['kind'], status = 200) =>
  ({ kind: name, status, schema: null }) as const;

const ROWS: readonly Endpoint[] = [
  reads('/html', kind('html'), '<p>ä</p>'),
  reads('/csv', kind('csv'), CSV),
  reads('/made', { ...json(NOTHING), status: 201 }, '{}'),
  reads('/leads', kind('redirect', 303), { body: '', headers: { Location: '/html' } }),
  reads('/file', kind('file'), {
    body: ICON,
    headers: { 'Content-Type': 'image/x-icon', ETag: '"1"' },
  }),
  {
    ...{ ...READS, ...PUBLIC, path: '/fails', answer: kind('html'), summary: '' },
    handle: () => {
      throw new Error('a fault');
    },
  },
  {
    ...{ ...PUBLIC, method: 'POST', path: '/parts', summary: '', needsReady: true },
    body: { kind: 'multipart', bytesMax: 10_000, validate: null, schema: {} },
    answer: json({}),
    handle: ({ body }: Call) =>
      JSON.stringify(
        (body as readonly Part[]).map(({ name, filename, bytes }) => [name, filename, [...bytes]]),
      ),
  },
  {
    ...{ ...READS, path: '/users', summary: '', parameters: [], answer: json({}) },
    auth: users('domains', 'r', null),
    handle: () => '{}',
  },
  {
    ...{ ...READS, path: '/either', summary: '', parameters: [], answer: json({}) },
    auth: {
      ...managers('domains', 'w', null),
      scopes: [
        { area: 'domains', right: 'w' },
        { area: 'statistics', right: 'r' },
      ],
    },
    handle: () => '{}',
  },
];

const edge = useEdge(ROWS);
const ask = (path: string, init: RequestInit = {}) =>
  fetch(edge.baseUrl + path, { redirect: 'manual', ...init });

describe('a good answer', () => {
  test.each([
    ['/html', 200, 'text/html; charset=utf-8', '<p>ä</p>'],
    ['/csv', 200, 'text/csv; charset=utf-8', CSV],
    ['/made', 201, 'application/json', '{}'],
  ])('at %s has its status and type', async (path, status, type, text) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe(text);
  });

  test('leads elsewhere', async () => {
    const answer = await ask('/leads');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/html']);
    expect(answer.headers.get('content-type')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is a file that says what it is, also for HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask('/file', { method });
      expect(answer.headers.get('content-type')).toBe('image/x-icon');
      expect(answer.headers.get('etag')).toBe('"1"');
      const bytes = [...new Uint8Array(await answer.arrayBuffer())];
      expect(bytes).toEqual(method === 'GET' ? [...ICON] : []);
    }
  });

  test('that fails is an error in JSON, whatever it would have been', async () => {
    const answer = await ask('/fails');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'application/json']);
    expect(Object.keys((await answer.json()) as object)).toEqual([
      'validation',
      'error',
      'context',
    ]);
  });
});

describe('a multipart body', () => {
  test('arrives as its parts', async () => {
    const form = new FormData();
    form.set('data', '{"id":1}');
    form.set('favicon', new Blob([ICON]), 'icon.ico');
    const answer = await ask('/parts', { method: 'POST', body: form });
    expect(await answer.json()).toEqual([
      ['data', '', [...Buffer.from('{"id":1}')]],
      ['favicon', 'icon.ico', [...ICON]],
    ]);
  });

  test.each([
    ['JSON', 'application/json', '{}'],
    ['no boundary', 'multipart/form-data', 'x'],
  ])('that is none (%s) is refused', async (_, type, body) => {
    const headers = { 'content-type': type };
    const answer = await ask('/parts', { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('multipart/form-data');
  });
});

describe('who may call (M-1, M-3)', () => {
  const get = (path: string, bearer: string) =>
    ask(path, { headers: { authorization: `Bearer ${bearer}` } });

  test('a client of one domain is refused where only users may', async () => {
    expect((await get('/users', BEARERS.account)).status).toBe(200);
    const refused = await get('/users', BEARERS.domain);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('a client of the account');
  });

  test('one of several scopes will do', async () => {
    expect((await get('/either', BEARERS.readOnly)).status).toBe(200);
    expect((await get('/either', BEARERS.accessKey)).status).toBe(403);
  });
});
