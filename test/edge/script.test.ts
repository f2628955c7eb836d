// Goal: the script is served small, to pages of every site, and with the settings of a domain.
// Method: real HTTP to an edge over a real registry; what is served is unpacked, measured and run.
import { get, type IncomingMessage } from 'node:http';
import { runInNewContext } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

/** Bytes by gzip that a page loads at most (D-30). */
const SIZES = [
  ['/js/footfall.js', 1_024],
  ['/js/footfall-extended.js', 1_700],
] as const;

/** As it comes: fetch would unpack it. */
function fetchRaw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ message: IncomingMessage; bytes: Buffer }>((resolve, reject) => {
    get(edge.baseUrl + path, { headers }, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => resolve({ message, bytes: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}
const codeOf = async (id = edge.own.id): Promise<string> =>
  (await edge.send('GET', `domain?id=${id}`, undefined, edge.bearers.account)).json
    .identification_code;
const save = (fields: object) =>
  edge.send('POST', 'domain/snippet', { domain_id: edge.own.id, ...fields }, edge.bearers.account);

describe.each(SIZES)('%s', (path, bytesMax) => {
  test(`is at most ${bytesMax} bytes, packed in advance, for any page, for a day (D-30)`, async () => {
    const { message, bytes } = await fetchRaw(path, { 'Accept-Encoding': 'gzip, br' });
    expect(message.headers).toMatchObject({
      ...{ 'content-type': 'text/javascript; charset=utf-8', 'content-encoding': 'gzip' },
      ...{ 'cache-control': 'public, max-age=86400', vary: 'Accept-Encoding' },
      ...{ 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' },
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(bytes.length).toBeLessThanOrEqual(bytesMax);
    const plain = await fetchRaw(path);
    expect(plain.message.headers['content-encoding']).toBeUndefined();
    expect(gunzipSync(bytes)).toEqual(plain.bytes);
    expect(gzipSync(plain.bytes, { level: 9 }).length).toBeLessThanOrEqual(bytesMax);
  });

  test('is answered to HEAD with the same length', async () => {
    const whole = await fetchRaw(path);
    const head = await fetch(edge.baseUrl + path, {
      ...{ method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } },
    });
    expect(head.headers.get('content-length')).toBe(String(whole.bytes.length));
  });
});

describe('/js/<code>.js', () => {
  /** What the script finds in the place of its settings. */
  async function settings(): Promise<{ page: object; event: object }> {
    const { message, bytes } = await fetchRaw(`/js/${await codeOf()}.js`);
    expect(message.headers['cache-control']).toBe('public, max-age=600');
    const text = String(bytes);
    expect(text).not.toMatch(/<\/script|[\u2028\u2029]/);
    const found = /^\{let \w+=(\{"page":.*?\}\}),/.exec(text)?.[1] ?? '';
    return runInNewContext(`(${found})`) as { page: object; event: object };
  }

  test('has what the records say from that moment on, and events follow (D-31, M-22)', async () => {
    const code = await codeOf();
    expect(await settings()).toEqual({ page: { code }, event: { code } });
    const domains = 'second.test, nowhere.test, foreign.test:abc';
    await save({
      type: 'page view',
      dev: true,
      exclude: '/a',
      domains,
      endpoint: 'https://s.test/hit',
    });
    const second = await codeOf(edge.own.second);
    const page = {
      ...{ code, dev: 'example.org', exclude: '/a', endpoint: 'https://s.test' },
      domains: `second.test:${second},foreign.test:abc`,
    };
    expect(await settings()).toEqual({ page, event: page });
    await save({ type: 'event', include: '/b' });
    expect(await settings()).toEqual({ page, event: { code, include: '/b' } });
  });

  test('cannot be broken out of', async () => {
    const exclude = '</script><!--\u2028\u2029"\'`$\\{alert(1)\\}\\\\';
    await save({ type: 'page view', exclude });
    expect((await settings()).page).toMatchObject({ exclude });
  });

  test('is 404 for an unknown code, kept by no cache, and 403 without scripts (A-7)', async () => {
    const code = await codeOf();
    for (const name of ['x'.repeat(32), code.slice(1), `${code}.css`, code, '', '.js', '%2e%2e']) {
      const path = name.includes('.') || name === code ? `/js/${name}` : `/js/${name}.js`;
      const { message } = await fetchRaw(path);
      expect([path, message.statusCode]).toEqual([path, 404]);
      expect(message.headers['cache-control']).toBe('no-store');
    }
    await edge.send('POST', 'domain/scripts', { domain_id: edge.own.id }, edge.bearers.account);
    const { message } = await fetchRaw(`/js/${code}.js`);
    expect(message.statusCode).toBe(403);
  });
});
