// Goal: over HTTP each hit is dropped for the reason that the rules of the bot filter give, in silence.
// Method: real HTTP to an edge with the real pipeline; what went to the log is read from fake ports.
import { beforeEach, describe, expect, test } from 'vitest';
import { Pipeline } from '../../src/ingest/pipeline.ts';
import { DROP_REASONS } from '../../src/model/drop-reasons.ts';
import { useEdge } from './edge.ts';

const edge = useEdge();
beforeEach(() => {
  (edge.fake.ports as { pipeline: unknown }).pipeline = new Pipeline({
    locate: () => ({ country: '', region: '', city: '' }),
    visitorKey: new Uint8Array(32),
  });
});

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const GPT_BOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0';
const UUID = '123e4567-e89b-12d3-a456-426614174000';
const SPAM = { referrer: 'https://www.semalt.com/crawl' };
const HEADLESS = { sec_ch_ua: '"HeadlessChrome";v="140", "Chromium";v="140"' };

const ENDPOINTS = ['hit', 'event', 'session', 'hit/batch', 'event/batch', 'session/batch'] as const;
type Name = (typeof ENDPOINTS)[number];

const item = (fields: object) => ({
  url: 'https://example.org/',
  ip: '8.8.8.8',
  user_agent: CHROME,
  event_name: 'order',
  ...fields,
});

/** What comes of a hit sent to an endpoint: why it was dropped and by whom, or 'stored'. */
async function fateOf(name: Name, fields: object): Promise<string> {
  const isBatch = name.endsWith('/batch');
  const sent = item(fields);
  const body = isBatch ? [{ ...sent, time: '2026-11-20T10:00:00Z' }] : sent;
  const before = edge.fake.submitted.length;
  const reply = await edge.post(`/api/v1/${name}`, body);
  // Nobody can tell from the answer.
  expect(reply.status).toBe(200);
  expect(reply.json).toEqual(isBatch ? { accepted: 1, rejected: [] } : {});
  const group = edge.fake.submitted[before]?.[0];
  if (group === undefined || group.dropped === null) {
    expect(group?.hits.length).toBe(1);
    return 'stored';
  }
  expect(group.dropped.length).toBe(1);
  const { reason, bot, count } = group.dropped[0]!;
  expect([count, group.hits.length]).toEqual([1, 0]);
  return bot === '' ? String(DROP_REASONS[reason]) : `${DROP_REASONS[reason]} of ${bot}`;
}

describe('W-42: a bot is dropped, whatever it sends, unless the filter is off (I-27, I-59)', () => {
  test.each([
    [{ user_agent: 'curl/8.5.0' }, 'ua-chars of curl'],
    [{ user_agent: GPT_BOT }, 'ua-keyword of GPTBot'],
    [{ user_agent: CHROME.replace('140.0.0.0', '61.0.3163.100') }, 'browser'],
    [{ user_agent: FIREFOX.replace('rv:149', 'rv:148') }, 'ua-rv-mismatch'],
    [{ user_agent: '203.0.113.100:54321' }, 'ua-ip'],
    [{ user_agent: UUID }, 'ua-uuid'],
    [{ user_agent: `${CHROME} sleep(5)` }, 'ua-regex'],
    [{ user_agent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0)' }, 'ua-keyword of ClaudeBot'],
    [{ user_agent: 'okhttp/4.12.0 (Linux)' }, 'ua-keyword of OkHttp'],
  ])('%j as %s', async (fields, fate) => {
    for (const name of ENDPOINTS) {
      expect(`${name}: ${await fateOf(name, fields)}`).toBe(`${name}: ${fate}`);
      const all = { ...fields, disable_bot_filter: true };
      expect(`${name}: ${await fateOf(name, all)}`).toBe(`${name}: stored`);
    }
  });
});

test.each([
  [SPAM, 'referrer'],
  [{ url: 'https://example.org/?ref=semalt.com' }, 'referrer'],
  [{ referrer: UUID }, 'referrer'],
  [{ referrer: "https://a.test/' OR 1=1" }, 'referrer'],
  [HEADLESS, 'ch-browser'],
  [{ sec_ch_ua: '"Google Chrome";v="69"' }, 'browser'],
])(
  '%j is dropped as %s with a page, and a keep-alive is not asked for it (I-27)',
  async (fields, fate) => {
    for (const name of ENDPOINTS) {
      const expected = name.startsWith('session') ? 'stored' : fate;
      expect(`${name}: ${await fateOf(name, fields)}`).toBe(`${name}: ${expected}`);
    }
  },
);

test('the first rule that matches gives the reason (I-15 to I-23)', async () => {
  // Each row matches the rule of its reason and all behind it.
  const keyword = { user_agent: `${FIREFOX} bot {{x}}` };
  const rows: [object, string][] = [
    [{ user_agent: `${CHROME} {{x}}` }, 'ua-regex'],
    [keyword, 'ua-keyword'],
    [{ ...keyword, sec_ch_ua: '"Some Bot";v="1"' }, 'ch-browser'],
    [{ user_agent: `${FIREFOX.replace('rv:149', 'rv:1')} bot`, ...HEADLESS }, 'ua-rv-mismatch'],
    [{ user_agent: 'Mozilla/5.0 Firefox/60.0 bot {{x}}' }, 'browser'],
    [{ user_agent: 'Mozilla/5.0 Firefox/60.0 bot {{x}}', ...HEADLESS, ...SPAM }, 'referrer'],
    [{ user_agent: UUID, ...HEADLESS, ...SPAM }, 'ua-uuid'],
    [{ user_agent: '[2001:db8::1]:443 ', ...HEADLESS, ...SPAM }, 'ua-ip'],
    [{ user_agent: 'bot {{x}}', ...HEADLESS, ...SPAM }, 'ua-chars'],
  ];
  for (const [fields, fate] of rows) expect(await fateOf('hit', fields)).toBe(fate);
});

test('a dropped item leaves the others of its batch as they are (I-27)', async () => {
  const bots = [GPT_BOT, UUID, 'x'].map((user_agent) => ({ user_agent }));
  const sent = [{}, ...bots, { ...SPAM }, { url: 'https://example.org/b' }];
  const items = sent.map((fields) => ({ ...item(fields), time: '2026-11-20T10:00:00Z' }));
  const reply = await edge.post('/api/v1/hit/batch', items);
  expect(reply.json).toEqual({ accepted: 6, rejected: [] });
  const [group] = edge.fake.submitted[0] ?? [];
  expect(group?.hits.map(({ path }) => path)).toEqual(['/', '/b']);
  const reasons = group?.dropped?.map(({ reason }) => String(DROP_REASONS[reason])).toSorted();
  expect(reasons).toEqual(['referrer', 'ua-chars', 'ua-keyword', 'ua-uuid']);
});

test('a foreign hostname is told before the filter looks at anything (I-5)', async () => {
  const reply = await edge.post(
    '/api/v1/hit',
    item({ url: 'https://foreign.test/', user_agent: GPT_BOT }),
  );
  expect(reply.status).toBe(400);
});

test('texts of the greatest length, made to be slow, are answered at once (I-15 to I-25)', async () => {
  const long = (text: string) => text.repeat(8_192 / text.length).slice(0, 8_192);
  const parts = ['a', ' or', '/etc/', 'sys', '(', 'a.', '%61', '"a";v="1",', 'Firefox/1.1.', '-t'];
  const startMs = performance.now();
  for (const part of parts) {
    await edge.post('/api/v1/hit', item({ referrer: `https://${long(part)}`.slice(0, 8_192) }));
    await edge.post('/api/v1/hit', item({ referrer: long(part) }));
    await edge.post('/api/v1/hit', item({ user_agent: long(part) }));
    await edge.post('/api/v1/hit', item({ user_agent: long(part).slice(0, 500) }));
    await edge.post('/api/v1/hit', item({ sec_ch_ua: long(part) }));
  }
  // A fraction of a millisecond each; a search that goes back and forth takes seconds.
  expect(performance.now() - startMs).toBeLessThan(3_000);
});
