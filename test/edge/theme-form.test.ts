// Goal: whatever a form carries, the answer is good or says what to change, and nothing is kept then.
// Method: forms with one thing wrong each; a thousand that were cut, twisted and turned around.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Files, fileContent } from '../../src/control/files.ts';
import { file } from '../../src/control/resources/file.ts';
import { theme } from '../../src/control/resources/theme.ts';
import { errors } from '../../src/model/errors.ts';
import {
  FILE_BYTES_MAX,
  FILE_UNUSED_MS,
  FORM_BYTES_MAX,
  OWNER_THEME_COUNT_MAX,
} from '../../src/model/limits.ts';
import { ICO, largePng, PNG, SVG } from '../support/images.ts';
import { SEED } from '../support/runs.ts';
import { Stream } from '../torture/random.ts';
import type { Reply } from './edge.ts';
import { useThemeEdge } from './theme-edge.ts';

const edge = useThemeEdge();
const NAME = { name: 'T' };

/** Sends bytes as a form, with the account's bearer. */
async function raw(body: Uint8Array | string, contentType: string): Promise<Reply> {
  const response = await fetch(`${edge.baseUrl}/api/v1/theme`, {
    method: 'POST',
    headers: { authorization: `Bearer ${edge.bearers.account}`, 'content-type': contentType },
    body: new Uint8Array(Buffer.from(body)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: JSON.parse(text) };
}

const part = (name: string, content: Uint8Array | string, filename = '') =>
  Buffer.concat([
    Buffer.from(
      `--XX\r\nContent-Disposition: form-data; name="${name}"${filename && `; filename="${filename}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from('--XX--\r\n');
const MULTIPART = 'multipart/form-data; boundary=XX';
const DATA = part('data', JSON.stringify(NAME));
const GOOD = Buffer.concat([
  DATA,
  part('logo_light', PNG, 'a.png'),
  part('favicon', ICO, 'b'),
  END,
]);
const BY = { kind: 'cli', id: '' } as const;
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const filesKept = () => [...edge.registry.view.all(file)].map(({ id }) => id);

describe('a form', () => {
  test.each([
    ['plain', MULTIPART],
    ['in quotes', 'multipart/form-data; boundary="XX"'],
    ['in other letters, with a charset', 'Multipart/Form-Data; charset=utf-8; Boundary=XX'],
  ])('is read whose boundary is %s', async (_, contentType) => {
    const { status, json } = await raw(GOOD, contentType);
    expect([status, json.logo_light !== null, json.favicon !== null]).toEqual([200, true, true]);
  });

  test('may have data as a file, and fields in which no file was chosen', async () => {
    const empty = part('logo_dark', '')
      .toString()
      .replace('"logo_dark"', '"logo_dark"; filename=""');
    const body = Buffer.concat([part('data', '{"name":"Ä"}', 'blob'), Buffer.from(empty), END]);
    const { status, json } = await raw(body, MULTIPART);
    expect([status, json.name, json.logo_dark]).toEqual([200, 'Ä', null]);
  });

  test.each([
    ['of another kind', GOOD, 'application/json'],
    ['of no kind', GOOD, ''],
    ['without a boundary', GOOD, 'multipart/form-data'],
    ['with another boundary', GOOD, 'multipart/form-data; boundary=YY'],
    ['cut off in a part', GOOD.subarray(0, -50), MULTIPART],
    ['cut off before its end', GOOD.subarray(0, -END.length), MULTIPART],
    ['that is none', 'hello', MULTIPART],
    ['of urlencoded fields', 'data=%7B%7D', 'application/x-www-form-urlencoded'],
    ['of far too many parts', Buffer.concat([...Array(30).fill(DATA), END]), MULTIPART],
  ])('%s is refused (M-70)', async (_, body, contentType) => {
    const { status, json } = await raw(body, contentType);
    expect([status, json.validation]).toEqual([400, {}]);
    expect(json.error[0]).toContain('multipart/form-data');
    expect(edge.registry.view.count(file)).toBe(0);
  });

  test.each([
    ['no data', [], 'data'],
    ['data that is no JSON', [part('data', '{')], 'data'],
    ['data that is a list', [part('data', '[]')], 'data'],
    ['data that is null', [part('data', 'null')], 'data'],
    ['data that is no UTF-8', [part('data', Buffer.from([0x22, 0xff, 0x22]))], 'data'],
    ['data twice', [DATA, DATA], 'data'],
    ['a file twice', [DATA, part('favicon', ICO, 'a'), part('favicon', ICO, 'b')], 'favicon'],
    ['a part with another name', [DATA, part('logo', PNG, 'a')], 'logo'],
    ['a part without a name', [DATA, part('', PNG, 'a')], 'body'],
    ['a file that is no image', [DATA, part('favicon', 'GIF', 'a.gif')], 'favicon'],
    ['an empty file', [DATA, part('favicon', '', 'a.gif')], 'favicon'],
    ['a page', [DATA, part('logo_dark', '<!DOCTYPE html><svg/>', 'a.svg')], 'logo_dark'],
    ['a name of the wrong type', [part('data', '{"name":1}')], 'name'],
    ['settings that are a list', [part('data', '{"name":"T","settings":[]}')], 'settings'],
    ['settings that are a text', [part('data', '{"name":"T","settings":"a"}')], 'settings'],
  ])('with %s is refused by name, and nothing is kept (M-70)', async (_, parts, name) => {
    const { status, json } = await raw(Buffer.concat([...parts, END]), MULTIPART);
    expect([status, Object.keys(json.validation)]).toEqual([400, [name]]);
    expect(edge.registry.view.count(file)).toBe(0);
  });

  test('has files of 1 MiB and no more, and as a whole its limit (M-70)', async () => {
    const image = largePng(FILE_BYTES_MAX);
    const all = { logo_light: image, logo_dark: image, favicon: image };
    expect((await edge.form('theme', NAME, all)).status).toBe(200);
    const larger = { favicon: Buffer.concat([image, Buffer.alloc(1)]) };
    const { status, json } = await edge.form('theme', NAME, larger);
    expect([status, json.validation]).toEqual([
      400,
      { favicon: 'must have at most 1048576 bytes' },
    ]);
    const whole = await edge.form('theme', NAME, { favicon: Buffer.alloc(FORM_BYTES_MAX) });
    expect(whole.status).toBe(413);
  });
});

describe('data', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  test.each([
    ['a hundred keys', { settings: many(100) }, ''],
    ['one more', { settings: many(101) }, 'settings'],
    ['a key of 100 characters', { settings: { ['ä'.repeat(100)]: '' } }, ''],
    ['a key of 101', { settings: { ['ä'.repeat(101)]: '' } }, 'settings'],
    ['an empty key', { settings: { '': 'v' } }, 'settings'],
    ['a value of 2,000', { settings: { a: '😀'.repeat(2_000) } }, ''],
    ['a value of 2,001', { settings: { a: '😀'.repeat(2_001) } }, 'settings'],
    ['a value that is a number', { settings: { a: 1 } }, 'settings'],
    ['a value that is an object', { settings: { a: {} } }, 'settings'],
    ['a value that is null', { settings: { a: null } }, 'settings'],
    ['a name of 200', { name: '😀'.repeat(200) }, ''],
    ['a name of 201', { name: 'x'.repeat(201) }, 'name'],
    ['a blank name', { name: ' \t' }, 'name'],
    ['an id and a copy_id', { id: 'a', copy_id: 'b' }, 'copy_id'],
    ['two owners', { domain_id: 'a', organization_id: 'b' }, 'organization_id'],
    ['the hash of a file', { logo_light: 'x'.repeat(64) }, ''],
  ])('with %s (M-70)', async (_, fields, refused) => {
    const { status, json } = await edge.form('theme', { ...NAME, ...fields }, { favicon: PNG });
    if (refused === '') {
      expect(status).toBe(200);
      expect(json.logo_light).toBeNull();
      return;
    }
    expect([status, Object.keys(json.validation)]).toEqual([400, [refused]]);
    // A file of a request that is refused is not kept.
    expect([edge.registry.view.count(file), edge.registry.view.count(file)]).toEqual([0, 0]);
  });

  test('is refused when the user has 500 themes, and so are its files (M-70)', async () => {
    const { json } = await edge.form('theme', NAME);
    await edge.registry.change({ nowMs: edge.nowMs, by: BY }, (view) => {
      const first = view.find(theme, json.id);
      return Array.from({ length: OWNER_THEME_COUNT_MAX - 1 }, (_, index) => ({
        kind: 'theme-created',
        payload: { ...first, id: `${index}`.padStart(20, '0') },
      }));
    });
    const { status } = await edge.form('theme', NAME, { favicon: PNG });
    expect([status, edge.registry.view.count(file)]).toEqual([400, 0]);
  });
});

describe('a file that was left behind', () => {
  test.each([
    ['goes with the next one, an hour later', 1, [ICO, PNG]],
    ['is still there before', 0, [ICO, PNG, SVG]],
  ])('%s; what is named stays', async (_, lateMs, stays) => {
    const before = { nowMs: edge.nowMs - FILE_UNUSED_MS - lateMs, by: BY } as const;
    await new Files(edge.registry).keep(fileContent('image/svg+xml', SVG), before);
    await edge.form('theme', NAME, { favicon: ICO });
    const { json } = await edge.form('theme', NAME, { favicon: PNG });
    expect(json.favicon).toContain(hashOf(PNG));
    expect(filesKept().toSorted()).toEqual(stays.map(hashOf).toSorted());
  });

  test('is taken up by who brings the same one, and goes on where it ended', async () => {
    const image = largePng(FILE_BYTES_MAX);
    const { change } = edge.registry;
    let changes = 0;
    edge.registry.change = async (...given) => {
      changes++;
      if (changes === 3) throw errors.OVERLOADED({ reason: 'a test' });
      return change.apply(edge.registry, given);
    };
    expect((await edge.form('theme', NAME, { favicon: image })).status).toBe(503);
    edge.registry.change = change;
    expect(edge.registry.view.find(file, hashOf(image))?.storedPartCount).toBe(1);
    const address = `${edge.baseUrl}/api/v1/theme/file/${hashOf(image)}`;
    expect((await fetch(address)).status).toBe(404);
    await edge.form('theme', NAME, { favicon: image });
    expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(image)).toBe(true);
  });
});

test('of 1,000 forms with something wrong none is a fault, and memory stays (M-70)', async () => {
  const random = new Stream(SEED, 'forms');
  const below = (count: number) => random.whole(0, count - 1);
  const statuses = new Map<number, number>();
  let before = 0;
  for (let count = 0; count < 1_000; count++) {
    if (count === 300) before = process.memoryUsage().rss;
    const large = random.chance(0.02) ? part('logo_dark', largePng(900_000), 'l') : Buffer.alloc(0);
    let body: Buffer = Buffer.concat([DATA, large, part('favicon', ICO, 'b'), END]);
    for (let wounds = 1 + below(3); wounds > 0; wounds--) {
      const at = below(body.length);
      const end = Math.min(body.length, at + below(60));
      const cut = [body.subarray(0, at), body.subarray(end)];
      body = [
        () => Buffer.from(body.subarray(0, at + 1)),
        () => Buffer.concat(cut),
        () => Buffer.concat([body.subarray(0, end), body.subarray(at)]),
        () => Buffer.from(body.map((byte, index) => (index === at ? below(256) : byte))),
      ][below(4)]?.() as Buffer;
    }
    const { status } = await raw(body.length === 0 ? 'x' : body, MULTIPART);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 400)).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(500);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_024 * 1_024);
}, 60_000);
