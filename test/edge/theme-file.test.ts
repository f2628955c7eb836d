// Goal: files are served whole, to anyone, with the right headers; whoever does not read costs nothing.
// Method: real images up to the limit over HTTP; sockets that take nothing, or little, or leave.
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { imageTypeOf } from '../../src/control/image-type.ts';
import { FILE_BYTES_MAX, FILE_PART_BYTES } from '../../src/model/limits.ts';
import { GIF, ICO, JPEG, largePng, PNG, SVG, WEBP } from '../support/images.ts';
import { useThemeEdge } from './theme-edge.ts';

const edge = useThemeEdge();
const KINDS = { PNG, JPEG, GIF, WEBP, SVG, ICO };
const TYPES = {
  ...{ PNG: 'image/png', JPEG: 'image/jpeg', GIF: 'image/gif', WEBP: 'image/webp' },
  ...{ SVG: 'image/svg+xml', ICO: 'image/x-icon' },
} as const;

const put = async (bytes: Uint8Array): Promise<string> => {
  const { status, json } = await edge.form('theme', { name: 'T' }, { logo_light: bytes });
  expect(status).toBe(200);
  return json.logo_light;
};

describe('the address of a file', () => {
  test.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
    'shows a %s to anyone, for a year, as what it is (M-70)',
    async (kind) => {
      const address = await put(KINDS[kind]);
      expect(address).toContain(createHash('sha256').update(KINDS[kind]).digest('hex'));
      const answer = await fetch(edge.baseUrl + address);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...{ 'content-type': TYPES[kind], 'content-length': String(KINDS[kind].length) },
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers.get('content-security-policy')).toBe(
        kind === 'SVG' ? "sandbox; default-src 'none'; style-src 'unsafe-inline'" : null,
      );
      expect(answer.headers.has('vary')).toBe(false);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(KINDS[kind]);
    },
  );

  test.each(
    [1, FILE_PART_BYTES - 1, FILE_PART_BYTES, FILE_PART_BYTES + 1, FILE_BYTES_MAX].map((bytes) =>
      Math.max(bytes, 100),
    ),
  )('has all of %d bytes', async (bytes) => {
    const image = largePng(bytes);
    const answer = await fetch(edge.baseUrl + (await put(image)));
    expect(Buffer.from(await answer.arrayBuffer()).equals(image)).toBe(true);
  });

  test('answers HEAD with the length, and what is not there with 404 that nobody keeps', async () => {
    const address = await put(PNG);
    const head = await fetch(edge.baseUrl + address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
    for (const id of ['0'.repeat(64), 'x', '..%2f', `${'0'.repeat(63)}G`]) {
      const answer = await fetch(`${edge.baseUrl}/api/v1/theme/file/${id}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await answer.text()).toContain(`no file has the id '${id}'`);
    }
    expect((await fetch(edge.baseUrl + address, { method: 'POST' })).status).toBe(405);
  });

  test('is the same for the same content, whoever brings it, until the last name is gone', async () => {
    const one = await edge.form('theme', { name: 'One' }, { logo_light: PNG });
    const other = await edge.person();
    const two = await edge.form('theme', { name: 'Two' }, { favicon: PNG }, other);
    expect(two.json.favicon).toBe(one.json.logo_light);
    const remove = (id: string, bearer?: string) =>
      edge.send('DELETE', `theme?id=${id}`, undefined, bearer);
    await remove(one.json.id, edge.bearers.account);
    expect((await fetch(edge.baseUrl + two.json.favicon)).status).toBe(200);
    await remove(two.json.id, other);
    expect((await fetch(edge.baseUrl + two.json.favicon)).status).toBe(404);
  });
});

describe('a client that does not read', () => {
  const ask = (address: string, times: number): Promise<Socket> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(edge.baseUrl);
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.pause();
        socket.write(`GET ${address} HTTP/1.1\r\nHost: edge\r\n\r\n`.repeat(times));
        resolve(socket);
      });
      socket.on('error', () => undefined);
    });

  test('costs no memory for what it does not take, however often it asks', async () => {
    const address = await put(largePng(FILE_BYTES_MAX));
    const before = process.memoryUsage().rss;
    const sockets: Socket[] = [];
    for (let index = 0; index < 10; index++) sockets.push(await ask(address, 60));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const grownBytes = process.memoryUsage().rss - before;
    for (const socket of sockets) socket.destroy();
    // A copy for each answer would be 600 MiB; some of them are in the kernel.
    expect(grownBytes).toBeLessThan(150 * 1_024 * 1_024);
    expect((await fetch(edge.baseUrl + address)).status).toBe(200);
  });
});

describe('what a file is', () => {
  const ascii = (text: string) => Buffer.from(text, 'latin1');
  test.each([
    [
      'a declaration, a comment, a type',
      '<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg><svg/>',
    ],
    ['a byte order mark', '\ufeff<svg/>'],
    [
      'declarations of its own',
      '<!DOCTYPE svg PUBLIC "-" "x" [\n<!ENTITY a "b>">\n]>\n<svg >x</svg>',
    ],
    ['a prefix', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"></svg:svg>'],
  ])('an SVG may begin with %s (M-70)', (_, text) => {
    expect(imageTypeOf(Buffer.from(text))).toBe('image/svg+xml');
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['HTML', ascii('<!DOCTYPE html><html><body><svg/></body></html>')],
    ['a script', ascii('alert(1)')],
    ['an element that is not quite svg', ascii('<svgx></svgx>')],
    ['SVG that is no UTF-8', Buffer.concat([SVG, Buffer.from([0xff])])],
    ['a comment without end', ascii(`<!-- ${'-'.repeat(100_000)}`)],
    ['questions without end', ascii(`<?${'?'.repeat(100_000)}`)],
    ['the name of a PNG only', PNG.subarray(0, 8)],
    ['a cursor', Buffer.concat([Buffer.from([0, 0, 2, 0]), ICO.subarray(4)])],
    ['an icon whose image is cut off', ICO.subarray(0, -1)],
    ['an icon of no image', Buffer.from([0, 0, 1, 0, 0, 0])],
    ['a sound', ascii('RIFF....WAVEfmt ')],
    ['a PDF', ascii('%PDF-1.7')],
    ['zeros', Buffer.alloc(1_000)],
  ])('%s is no image (M-70)', (_, bytes) => {
    expect(imageTypeOf(bytes)).toBeNull();
  });
});
