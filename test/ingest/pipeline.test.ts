/**
 * Goal: the list of steps makes of a raw hit what the semantics says, or drops it with a reason.
 * Method: raw hits in, hits or reasons out, through the public method only.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parsePageUrl } from '../../src/ingest/page/page-url.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import { LARGEST_HIT, Pipeline } from '../../src/ingest/pipeline.ts';
import type { RawHit } from '../../src/ingest/raw-hit.ts';
import { createHit } from '../../src/model/blank-hit.ts';
import { DROP_REASONS } from '../../src/model/drop-reasons.ts';
import { type Hit, HitKind } from '../../src/model/hit.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const NOON_MS = Date.parse('2026-11-20T12:00:00Z');
const SITE = siteWith('d', 'example.org');
const RAW: RawHit = { url: 'https://www.example.org/a', ip: '8.8.8.8', user_agent: AGENT };

const pipeline = new Pipeline({
  locate: () => ({ country: 'us', region: 'California', city: 'San Francisco (CA)' }),
  visitorKey: new Uint8Array(32).fill(3),
});

function run(fields: Partial<RawHit> = {}, kind: number = HitKind.PageView, timeMs = NOON_MS) {
  const raw = { ...RAW, ...fields };
  const page = kind === HitKind.KeepAlive ? null : parsePageUrl(raw.url ?? '');
  return pipeline.run({ kind, raw, page, site: SITE, timeMs, requestVerdict: 0 });
}

function hitOf(fields: Partial<RawHit> = {}, kind: number = HitKind.PageView, timeMs = NOON_MS) {
  const result = run(fields, kind, timeMs);
  if (typeof result === 'number') throw new Error(`dropped: ${DROP_REASONS[result]}`);
  return result;
}

function visitorOf(hit: Hit): string {
  return `${hit.visitorLow} ${hit.visitorHigh}`;
}

describe('a page view', () => {
  test('has everything that follows from it, and nothing of address and user agent (I-35)', () => {
    const hit = hitOf({
      url: 'https://www.example.org/a%20b?utm_source=nl&utm_medium=email&utm_campaign=c&utm_content=d&utm_term=e',
      title: 'Title',
      accept_language: 'fr-CH, fr;q=0.9',
      referrer: 'https://www.google.com/search?q=x',
      screen_width: 1_920,
      tags: { author: 'John' },
      event_name: 'ignored',
      event_meta: { a: 1 },
    });
    expect(hit.visitorLow + hit.visitorHigh).toBeGreaterThan(0);
    expect({ ...hit, visitorLow: 0, visitorHigh: 0 }).toEqual({
      ...createHit(HitKind.PageView, NOON_MS),
      channel: 'Organic Search',
      platform: 1,
      path: '/a b',
      title: 'Title',
      country: 'us',
      region: 'California',
      city: 'San Francisco (CA)',
      language: 'fr',
      referrer: 'https://www.google.com/search',
      referrerName: 'Google',
      os: 'Linux',
      browser: 'Firefox',
      browserVersion: '128.0',
      screenClass: 'XXL',
      utmSource: 'nl',
      utmMedium: 'email',
      utmCampaign: 'c',
      utmContent: 'd',
      utmTerm: 'e',
      hostname: 'example.org',
      pairs: ['author', 'John'],
    });
    expect(JSON.stringify(hit)).not.toMatch(/8\.8\.8\.8|Mozilla/);
  });

  test('with every optional field null is one without them (I-2)', () => {
    const empty: Partial<RawHit> = {
      dnt: null,
      accept_language: null,
      sec_ch_ua: null,
      sec_ch_ua_mobile: null,
      sec_ch_ua_platform: null,
      sec_ch_ua_platform_version: null,
      sec_ch_width: null,
      sec_ch_viewport_width: null,
      title: null,
      referrer: null,
      screen_width: null,
      screen_height: null,
      tags: null,
      disable_bot_filter: null,
      event_name: null,
      event_duration: null,
      event_meta: null,
      non_interactive: null,
    };
    expect(hitOf(empty)).toEqual(hitOf());
    expect(hitOf(empty, HitKind.Event)).toEqual(hitOf({}, HitKind.Event));
  });

  test.each([
    [511, 511],
    [512, 512],
    [513, 512],
  ])('with a title of %i code points keeps %i (I-7)', (length, kept) => {
    expect(hitOf({ title: '😀'.repeat(length) }).title).toBe('😀'.repeat(kept));
  });
});

describe('an event', () => {
  test('has its name trimmed, its duration whole, its tags in its metadata (I-53, I-55)', () => {
    const fields = {
      event_name: ' Sign up ',
      event_duration: 3.99,
      event_meta: { plan: 'a' },
      tags: { plan: 'b', author: 'John' },
      non_interactive: true,
      title: 'T',
    };
    const hit = hitOf(fields, HitKind.Event);
    expect([hit.eventName, hit.eventDurationSeconds, hit.nonInteractive, hit.title]).toEqual([
      'Sign up',
      3,
      true,
      'T',
    ]);
    expect(hit.pairs).toEqual(['plan', 'a', 'author', 'John']);
  });

  test('has no duration and is interactive unless said otherwise (I-52, I-53)', () => {
    const hit = hitOf({ event_name: 'x' }, HitKind.Event);
    expect([hit.eventDurationSeconds, hit.nonInteractive, hit.pairs]).toEqual([0, false, null]);
  });
});

describe('a keep-alive', () => {
  test('has kind, time and visitor, and nothing else', () => {
    const hit = hitOf({ title: 'T', tags: { a: 'b' } }, HitKind.KeepAlive);
    expect(visitorOf(hit)).toBe(visitorOf(hitOf()));
    expect({ ...hit, visitorLow: 0, visitorHigh: 0 }).toEqual(
      createHit(HitKind.KeepAlive, NOON_MS),
    );
  });
});

describe('the visitor of a hit', () => {
  test('does not change with client hints, language and screen (I-32)', () => {
    const other = hitOf({ sec_ch_ua_mobile: '?1', accept_language: 'de', screen_width: 1 });
    expect(visitorOf(other)).toBe(visitorOf(hitOf()));
  });

  test('does not change with the port of the address (I-3)', () => {
    expect(visitorOf(hitOf({ ip: ' 8.8.8.8:1234 ' }))).toBe(visitorOf(hitOf()));
  });

  test.each([
    ['2026-11-19T23:59:59.999Z', false],
    ['2026-11-20T00:00:00.000Z', true],
    ['2026-11-20T00:29:59.999Z', true],
    ['2026-11-20T00:30:00.000Z', false],
  ])('at %s comes with its id of the day before: %s (I-46)', (time, hasPrevious) => {
    const timeMs = Date.parse(time);
    const hit = hitOf({}, HitKind.PageView, timeMs);
    const dayBefore = hitOf({}, HitKind.PageView, timeMs - 86_400_000);
    const previous = `${hit.previousLow} ${hit.previousHigh}`;
    expect(previous).toBe(hasPrevious ? visitorOf(dayBefore) : '0 0');
    expect(visitorOf(hit)).not.toBe(visitorOf(dayBefore));
  });
});

describe('the bot filter', () => {
  const BOTS: [string, string][] = [
    ['curl/8.5.0', 'ua-chars'],
    ['255.255.255.255:8080', 'ua-ip'],
    ['123e4567-e89b-12d3-a456-426614174000', 'ua-uuid'],
    ['Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', 'ua-keyword'],
  ];

  test.each(BOTS)('drops %s as %s, whatever kind of hit it sends (I-27, W-42)', (agent, reason) => {
    for (const kind of [HitKind.PageView, HitKind.Event, HitKind.KeepAlive]) {
      const result = run({ user_agent: agent }, kind);
      expect(typeof result === 'number' ? DROP_REASONS[result] : 'kept').toBe(reason);
    }
  });

  test.each(BOTS)('lets %s through when it is switched off (I-59, W-42)', (agent) => {
    for (const kind of [HitKind.PageView, HitKind.Event, HitKind.KeepAlive]) {
      expect(typeof run({ user_agent: agent, disable_bot_filter: true }, kind)).toBe('object');
    }
  });

  test('stays on for anything but true', () => {
    expect(typeof run({ user_agent: 'curl/8.5.0', disable_bot_filter: false })).toBe('number');
  });
});

describe('the shape of hits', () => {
  test('is one for all kinds, from the first hit to the last', () => {
    setFlagsFromString('--allow-natives-syntax');
    setFlagsFromString('--expose-gc');
    const haveSameShape = new Function('a', 'b', 'return %HaveSameMap(a, b)');
    // The engine forgets a shape that no object has any more.
    runInNewContext('gc')();
    const hits = [
      createHit(HitKind.PageView, 0),
      hitOf({ tags: { a: 'b' }, title: 'T' }),
      hitOf({ event_name: 'x', event_duration: 4_294_967_295 }, HitKind.Event),
      hitOf({}, HitKind.KeepAlive),
      hitOf({}, HitKind.PageView, NOON_MS - (NOON_MS % 86_400_000)),
    ];
    for (const hit of hits) {
      expect(Object.keys(hit)).toEqual(Object.keys(LARGEST_HIT));
      expect(haveSameShape(hit, LARGEST_HIT)).toBe(true);
    }
  });
});
