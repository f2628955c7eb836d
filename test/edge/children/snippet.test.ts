// Goal: the script's settings are saved once per kind of hit, and the tag says them (M-22).
// Method: real HTTP to an edge over a real registry; the tag is read as a browser would read it.
import { describe, expect, test } from 'vitest';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();

const PATH = 'domain/snippet';
const SAVED = {
  ...{ dev: true, include: '^/blog, ^/docs', exclude: '/admin', domains: 'second.test' },
  ...{ endpoint: 'https://stats.test/hit', sample: '/blog/a, /admin' },
};
const save = (fields: Record<string, unknown> = {}, bearer = edge.bearers.account) =>
  edge.send('POST', PATH, { domain_id: edge.own.id, type: 'page view', ...fields }, bearer);
const read = async (type: string, bearer = edge.bearers.account) =>
  edge.send(
    'GET',
    `${PATH}?domain_id=${edge.own.id}&type=${encodeURIComponent(type)}`,
    undefined,
    bearer,
  );
const domain = async (id = edge.own.id) =>
  (await edge.send('GET', `domain?id=${id}`, undefined, edge.bearers.account)).json;

describe('a snippet (M-22)', () => {
  test.each(['page view', 'event', 'session'])(
    'for a %s that was never saved has the defaults, and a tag',
    async (type) => {
      const { status, json } = await read(type);
      const { identification_code: code, def_time, mod_time } = await domain();
      expect(status).toBe(200);
      const { html, ...rest } = json;
      expect(rest).toEqual({
        ...{ id: '', domain_id: edge.own.id, type, def_time, mod_time, dev: false },
        ...{ include: '', exclude: '', domains: '', endpoint: '', sample: '' },
      });
      // Where the service is comes first.
      const [before, src, ...after] = html.split('\n').at(-1).split('"');
      expect(before).toBe('<script defer src=');
      expect(new URL(src).pathname).toBe('/js/footfall.js');
      expect(after).toEqual([' data-code=', code, '></script>']);
      expect(html.includes('footfall.q')).toBe(type === 'event');
    },
  );

  test('is one per domain and type: saving it again replaces it', async () => {
    expect(await save(SAVED)).toMatchObject({ status: 200, json: {} });
    const { json: first } = await read('page view');
    expect(first).toMatchObject({ ...SAVED, type: 'page view' });
    expect(first.id).toMatch(/^[A-Za-z0-9]{20}$/);
    expect((await read('event')).json).toMatchObject({ id: '', include: '' });
    edge.nowMs += 1_000;
    const before = edge.registry.sequence;
    await save(SAVED);
    expect((await read('page view')).json).toEqual(first);
    expect(edge.registry.sequence).toBe(before);
    await save({ include: '/a' });
    const { json: second } = await read('page view');
    const { id, def_time, mod_time } = second;
    expect({ id, def_time, mod_time }).toEqual({ id: first.id, def_time, mod_time: LATER });
    // What was not sent is at its default.
    expect(second).toMatchObject({ include: '/a', exclude: '', dev: false, sample: '' });
    await save({ type: 'event', exclude: '/b' });
    expect((await read('event')).json).toMatchObject({ exclude: '/b', include: '' });
    expect((await read('page view')).json).toEqual(second);
  });

  test('says in its tag what was saved, with the codes of further dashboards', async () => {
    await save({ ...SAVED, domains: 'second.test, nowhere.test, other.test:abc' });
    const { html } = (await read('page view')).json;
    const { identification_code: other } = await domain(edge.own.second);
    expect(html).toContain('data-dev="example.org"');
    expect(html).toContain('data-include="^/blog, ^/docs" data-exclude="/admin"');
    expect(html).toContain('data-endpoint="https://stats.test"');
    expect(html).toContain(`data-domains="second.test:${other},other.test:abc"`);
    // A client of one domain does not see the other one's code.
    const { json } = await read('page view', edge.bearers.domain);
    expect(json.html).toContain('data-domains="other.test:abc"');
  });

  test('cannot break out of its tag', async () => {
    await save({ include: '"><script>alert(1)</script>&' });
    const { html } = (await read('page view')).json;
    expect(html).toContain('data-include="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"');
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  test('is refused by field', async () => {
    const long = 'x'.repeat(2_001);
    const rows: [object, string[]][] = [
      [{ type: undefined }, ['type']],
      [{ type: 'session' }, ['type']],
      [{ type: 'Page View' }, ['type']],
      [{ type: 5 }, ['type']],
      [{ domain_id: undefined }, ['domain_id']],
      [{ dev: 'yes' }, ['dev']],
      [{ include: '(' }, ['include']],
      [{ include: '/a, [' }, ['include']],
      [{ exclude: '*' }, ['exclude']],
      [{ exclude: `${'('.repeat(900)}` }, ['exclude']],
      [{ include: long, exclude: long, sample: long }, ['include', 'exclude', 'sample']],
      [{ domains: 'a b' }, ['domains']],
      [{ domains: 'a.test:b:c' }, ['domains']],
      [{ domains: 'a.test:"' }, ['domains']],
      [{ domains: long }, ['domains']],
      [{ endpoint: 'javascript:alert(1)' }, ['endpoint']],
      [{ endpoint: '/hit' }, ['endpoint']],
      [{ endpoint: ['https://a.test'] }, ['endpoint']],
      [{ sample: {} }, ['sample']],
    ];
    for (const [fields, named] of rows) {
      const body = { domain_id: edge.own.id, type: 'page view', ...fields };
      await expectRefused(edge, ['POST', PATH, body], named);
    }
    await expectRefused(edge, ['GET', `${PATH}?domain_id=${edge.own.id}`, undefined], ['type']);
    const unknown = `${PATH}?domain_id=${edge.own.id}&type=view`;
    await expectRefused(edge, ['GET', unknown, undefined], ['type']);
    await expectRefused(edge, ['GET', `${PATH}?type=event`, undefined], ['domain_id']);
  });

  test('is refused for what others have, or nobody (M-4)', async () => {
    const { account } = edge.bearers;
    for (const id of [edge.foreign.id, 'nobody']) {
      const body = { domain_id: id, type: 'event' };
      await expectUnseen(edge, ['POST', PATH, body, account]);
      await expectUnseen(edge, ['GET', `${PATH}?domain_id=${id}&type=event`, undefined, account]);
    }
  });

  test('saved many times at once is one record', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `/${index}`);
    const replies = await Promise.all(texts.map((include) => save({ include })));
    expect(replies.map(({ status }) => status)).toEqual(texts.map(() => 200));
    expect(texts).toContain((await read('page view')).json.include);
  });
});
