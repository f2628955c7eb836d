/**
 * Goal: the bot filter drops what I-15 to I-25 say, and nothing else.
 * Method: rows at both sides of every border.
 */
import { describe, expect, test } from 'vitest';
import { AddressRangeList, addressSet } from '../../src/base/address-set.ts';
import { parsePageUrl } from '../../src/ingest/page/page-url.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import type { RawHit } from '../../src/ingest/raw-hit.ts';
import { HitKind } from '../../src/model/hit.ts';
import { AGENT, ALL_KINDS, newPipeline, reasonOf, type Sent, SITE } from './drop-reason.ts';

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';
const UUID = '123e4567-e89b-12d3-a456-426614174000';

function expectReasons(rows: readonly Sent[], reason: string): void {
  for (const row of rows) {
    expect(`${reasonOf(row)} ${JSON.stringify(row)}`).toBe(`${reason} ${JSON.stringify(row)}`);
  }
}

const firefox = (version: string, rv: string, system = 'X11; Linux x86_64') =>
  `Mozilla/5.0 (${system}; rv:${rv}) Gecko/20100101 Firefox/${version}`;
const chrome = (version: string, system = WINDOWS) =>
  `${system} ${KIT} Chrome/${version} Safari/537.36`;
const safari = (version: string, system = MAC) =>
  `${system} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;

describe('a user agent alone', () => {
  const padded = (length: number) =>
    'Mozilla/5.0 (Windows NT 10.0)'.padEnd(length, 'x').slice(0, length);

  test.each<[string, string]>([
    ['ua-chars', padded(16)],
    ['', padded(17)],
    ['ua-chars', `   ${padded(16)}   `],
    ['', padded(500)],
    ['ua-chars', padded(501)],
    ['', `  ${padded(500)}  `],
    ['ua-chars', `${AGENT} é`],
    ['ua-chars', `${AGENT} \u0080`],
    ['', `${AGENT} \u007f`],
    ['ua-chars', 'curl/8.5.0'],
  ])('is dropped as %j for length or characters: %s (I-15)', (reason, agent) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ user_agent: agent, kind })).toBe(reason);
  });

  test.each<[string, string]>([
    ['ua-ip', '255.255.255.255:8080'],
    ['ua-ip', '  100.100.100.100:443 '],
    ['ua-ip', '2001:db8:1:2:3:4:5:6'],
    ['ua-ip', '[2001:db8::1:2:3]:443'],
    ['ua-ip', '[2001:db8::1:2:3]'],
    ['ua-ip', '::ffff:192.0.2.128'],
    ['', '192.168.100.100 and more'],
    ['', '1234.1234.1234.1234'],
    ['ua-chars', '192.168.0.1:8080'],
  ])('is dropped as %j for being an address: %s (I-16)', (reason, agent) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ user_agent: agent, kind })).toBe(reason);
  });

  test.each<[string, string]>([
    ['ua-uuid', UUID],
    ['ua-uuid', UUID.toUpperCase()],
    ['ua-uuid', ` ${UUID} `],
    ['ua-uuid', `{${UUID}}`],
    ['ua-uuid', `urn:uuid:${UUID}`],
    ['ua-uuid', UUID.replaceAll('-', '')],
    ['', `${UUID}0`],
    ['', `${UUID} (Windows NT 10.0)`],
    ['', UUID.replace('4', 'g')],
  ])('is dropped as %j for being a UUID: %s (I-17)', (reason, agent) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ user_agent: agent, kind })).toBe(reason);
  });

  test.each<[string, string]>([
    ['browser', chrome('61.0.3163.100')],
    ['browser', chrome('69.0.3497.100')],
    ['', chrome('70.0.3538.77')],
    ['browser', `${LINUX} ${KIT} Chromium/69.0.1 Chrome/99.0 Safari/537.36`],
    ['browser', `${IPHONE} ${KIT} CriOS/69.0.1 Mobile/15E148 Safari/604.1`],
    ['', `${IPHONE} ${KIT} CriOS/70.0.1 Mobile/15E148 Safari/604.1`],
    ['browser', firefox('67.0', '67.0')],
    ['', firefox('68.0', '68.0')],
    ['browser', `${IPHONE} ${KIT} FxiOS/67.0 Mobile/15E148 Safari/605.1.15`],
    ['', `${IPHONE} ${KIT} FxiOS/68.0 Mobile/15E148 Safari/605.1.15`],
    ['browser', safari('11.1.2')],
    ['', safari('12.0')],
    ['browser', safari('11.0', IPHONE)],
    ['browser', `${WINDOWS} ${KIT} Chrome/130.0 Safari/537.36 OPR/64.0.3417.92`],
    ['', `${WINDOWS} ${KIT} Chrome/130.0 Safari/537.36 OPR/65.0.3467.48`],
    ['browser', 'Opera/9.80 (Windows NT 6.1; U; en) Presto/2.10 Version/12.16'],
    ['browser', `${WINDOWS} ${KIT} Chrome/130.0 Safari/537.36 Edg/87.0.664.75`],
    ['', `${WINDOWS} ${KIT} Chrome/130.0 Safari/537.36 Edg/88.0.705.50`],
    ['browser', `${WINDOWS} ${KIT} Chrome/64.0 Safari/537.36 Edge/18.17763`],
    ['browser', 'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)'],
    ['', 'Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko'],
    // What it is called is unknown, or how old it is: both pass.
    ['', `${LINUX} ${KIT} Version/5.0 Safari/537.36`],
    ['', `${MAC} ${KIT} Safari/537.36`],
    ['', `${WINDOWS} ${KIT} Chrome/ Safari/537.36`],
    ['', `${MAC} ${KIT} Version/17 Safari/605.1 Ddg/1.0`],
  ])('is dropped as %j by the age of its browser: %s (I-19)', (reason, agent) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ user_agent: agent, kind })).toBe(reason);
  });

  test.each<[string, string]>([
    ['ua-rv-mismatch', firefox('149.0', '148.0')],
    ['ua-rv-mismatch', firefox('148.0', '149.0')],
    ['', firefox('149.0', '149.0')],
    ['ua-rv-mismatch', `${LINUX} Gecko/20100101 Firefox/128.0`],
    ['', firefox('109.0', '109.0')],
    ['', firefox('110.0', '109.0')],
    ['', firefox('119.0', '109.0')],
    ['', firefox('115.0', '115.0')],
    ['ua-rv-mismatch', firefox('120.0', '109.0')],
    ['ua-rv-mismatch', firefox('108.0', '109.0')],
    ['ua-rv-mismatch', firefox('115.0', '110.0')],
    ['ua-rv-mismatch', firefox('115.0', '109.1')],
    ['', `${IPHONE} ${KIT} FxiOS/132.0 Mobile/15E148 Safari/605.1.15`],
    ['', `${IPHONE} ${KIT} FxiOS/132.0 Firefox/132.0 Mobile/15E148 Safari/605.1.15`],
    ['', 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0'],
  ])('is dropped as %j by the engine of its Firefox: %s (I-20)', (reason, agent) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ user_agent: agent, kind })).toBe(reason);
  });

  test.each<[string, string]>([
    ['ua-keyword', 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'],
    ['ua-keyword', `${WINDOWS} ${KIT} HeadlessChrome/130.0.0.0 Safari/537.36`],
    ['ua-keyword', `${AGENT} GTmetrix`],
    ['', `${AGENT} AppleNews/608.0.1`],
  ])('is dropped as %j by its words: %s (I-22)', (reason, agent) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ user_agent: agent, kind })).toBe(reason);
  });

  test('is dropped by each of the words that the rule names, in whatever case (I-22)', () => {
    const words =
      'bot crawler spider :// curl wget python go-http-client java/ okhttp axios node-fetch headless ' +
      'phantom lighthouse pingdom uptime monitor scrapy httpclient facebookexternalhit preview';
    for (const word of words.split(' ')) {
      expectReasons([{ user_agent: `${AGENT} x${word}x` }], 'ua-keyword');
      expectReasons([{ user_agent: `${AGENT} ${word.toUpperCase()}` }], 'ua-keyword');
    }
    expect(words.split(' ').length).toBe(22);
  });

  test.each<[string, string]>([
    ['ua-regex', `${AGENT} select(1)`],
    ['ua-regex', `${AGENT} SELECT(1)`],
    ['', `${AGENT} select 1`],
    ['ua-regex', `${AGENT}' UNION SELECT 1`],
    ['ua-regex', `${AGENT} sleep(5)`],
    ['ua-regex', `${AGENT} \${jndi}`],
    ['', `${AGENT} $ {x}`],
    ['ua-regex', `${AGENT} {{7*7}}`],
    ['', `${AGENT} {7*7}`],
    ['ua-regex', firefox('128.0.1', '128.0')],
    ['', firefox('128.0', '128.0')],
    ['ua-regex', `${AGENT} Firefox/130.0.1 rv:130.0`],
    ['ua-regex', chrome('130.0.0.0', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64)')],
    ['ua-regex', chrome('130.0.0.0', 'Mozilla/5.0 (X11; Fedora; Linux x86_64)')],
    ['ua-regex', chrome('130.0.0.0', 'Mozilla/5.0 (X11; U; Debian; Linux x86_64)')],
    ['ua-regex', chrome('130.0.0.0', 'Mozilla/5.0 (Debian; Linux x86_64)')],
    // Of Debian's and Ubuntu's own build; its name is no system.
    ['', `${LINUX} ${KIT} Ubuntu Chromium/83.0.4103.61 Chrome/83.0.4103.61 Safari/537.36`],
    ['', firefox('128.0', '128.0', 'X11; Ubuntu; Linux x86_64')],
    ['', firefox('128.0', '128.0', 'X11; Fedora; Linux x86_64')],
  ])('is dropped as %j by what no browser writes: %s (I-23)', (reason, agent) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ user_agent: agent, kind })).toBe(reason);
  });
});

describe('the brands of client hints', () => {
  const CURRENT = '"Google Chrome";v="130", "Chromium";v="130", "Not A(Brand";v="99"';

  test.each<[string, string, string]>([
    ['browser', AGENT, CURRENT.replaceAll('130', '69')],
    ['', AGENT, CURRENT.replaceAll('130', '70')],
    // The browser is what I-85 says: hints win over the user agent.
    ['', chrome('61.0.3163.100'), CURRENT],
    ['browser', chrome('61.0.3163.100'), '"Chromium";v="130"'],
    ['', AGENT, '"Brave";v="1", "Chromium";v="130"'],
    ['browser', AGENT, '"Microsoft Edge";v="87"'],
    ['browser', AGENT, '"Opera";v="64"'],
    ['', AGENT, '"Google Chrome";v="x"'],
  ])('decide as %j how old a browser is: %s, %s (I-19)', (reason, agent, brands) => {
    expect(reasonOf({ user_agent: agent, sec_ch_ua: brands })).toBe(reason);
  });

  test.each<[string, string]>([
    ['ch-browser', '"HeadlessChrome";v="130", "Chromium";v="130", "Not A(Brand";v="99"'],
    ['ch-browser', '"Google Chrome";v="130", "Chromium";v="130", "headless shell";v="1"'],
    ['ch-browser', '"Google Chrome";v="20", "HEADLESS";v="1"'],
    ['', CURRENT],
    ['ch-browser', '"A Browser with a Long Name: Crawler";v="1"'],
    ['', '"Not=A?Bot";v="1", "Google Chrome";v="130"'],
    ['', '"Crawl Er";v="1"'],
  ])('are dropped as %j by name: %s (I-21)', (reason, brands) => {
    expect(reasonOf({ sec_ch_ua: brands })).toBe(reason);
  });

  test('are dropped by each word of the rule (I-21)', () => {
    const words =
      'headless bot crawler spider python urllib phantom screenshot thumbnail http netscape runtime';
    for (const word of words.split(' ')) {
      const brand = `"My${word[0]?.toUpperCase()}${word.slice(1)}";v="1"`;
      expectReasons([{ sec_ch_ua: brand }], 'ch-browser');
    }
  });

  test('name the browser Headless where the filter is off (I-21, I-59)', () => {
    const raw = { url: 'https://example.org/', ip: '8.8.8.8', user_agent: AGENT };
    const hit = newPipeline().run({
      ...{ kind: HitKind.PageView, site: SITE, timeMs: 0, requestVerdict: 0 },
      raw: { ...raw, disable_bot_filter: true, sec_ch_ua: '"HeadlessChrome";v="130"' },
      page: parsePageUrl(raw.url),
    });
    expect(hit).toMatchObject({ browser: 'Headless', browserVersion: '130' });
  });
});

describe('a referrer', () => {
  const page = 'https://example.org/';

  test.each<[string, Partial<RawHit>]>([
    ['referrer', { referrer: 'https://semalt.com' }],
    ['referrer', { referrer: 'https://www.semalt.com/path?q#x' }],
    ['referrer', { referrer: 'http://USER:pw@Semalt.COM:8080/' }],
    ['referrer', { referrer: 'https://a.b.c.semalt.com./' }],
    ['referrer', { referrer: 'semalt.com' }],
    ['referrer', { referrer: 'sub.semalt.com/path' }],
    ['referrer', { referrer: '//semalt.com/' }],
    ['referrer', { referrer: 'http%3A%2F%2Fsemalt.com%2F' }],
    ['referrer', { referrer: ' https://semalt.com\nx' }],
    ['', { referrer: 'https://notsemalt.com' }],
    ['', { referrer: 'https://semalt.com.example.net' }],
    ['', { referrer: 'https://example.net/semalt.com' }],
    ['', { referrer: 'https://example.net/?u=https://semalt.com' }],
    ['', { referrer: 'https://semalt' }],
    // With three labels: the site and what is below it, not what is above.
    ['referrer', { referrer: 'https://shoppingmiracles.co.uk/' }],
    ['referrer', { referrer: 'https://www.shoppingmiracles.co.uk/' }],
    ['', { referrer: 'https://other.co.uk/' }],
    ['referrer', { referrer: 'https://seoriseome.netlify.app/' }],
    ['', { referrer: 'https://another.netlify.app/' }],
    ['referrer', { referrer: 'https://xn--80aebzmbfeebe.xn--p1ai/' }],
    ['referrer', { referrer: 'https://google.io' }],
    ['referrer', { referrer: 'https://www.bing.io' }],
    ['referrer', { referrer: 'https://yahoo.io/x' }],
    ['referrer', { referrer: 'https://yandex.io' }],
    ['referrer', { referrer: 'https://baidu.io' }],
    ['referrer', { referrer: 'https://temp-mail.org/en/' }],
    ['', { referrer: 'https://google.com' }],
    ['', { referrer: '' }],
    ['', { referrer: null }],
  ])('is dropped as %j by its site: %j (I-18, I-25)', (reason, fields) => {
    expect(reasonOf(fields)).toBe(reason);
    expect(reasonOf({ ...fields, kind: HitKind.Event })).toBe(reason);
  });

  test.each<[string, string]>([
    ['referrer', UUID],
    ['referrer', ` ${UUID.toUpperCase()}`],
    ['', `https://example.net/${UUID}`],
    ['referrer', 'https://example.net/?q=select(1)'],
    ['referrer', 'https://example.net/?q=SLEEP(5)'],
    ['referrer', 'https://example.net/pg_sleep'],
    ['referrer', 'https://example.net/SysDate'],
    ['referrer', "https://example.net/' or 1=1"],
    ['referrer', 'https://example.net/x AND y'],
    ['referrer', 'https://example.net/x xor y'],
    ['', 'https://example.net/this-or-that'],
    ['', 'https://example.net/x%20or%20y'],
    ['', 'https://example.net/x or'],
    ['referrer', 'https://example.net/../etc/passwd'],
    ['referrer', 'Content-Type: text/html'],
    ['', 'https://example.net/content/type'],
    ['', 'Sand and'],
  ])('is dropped as %j by what it says: %s (I-25)', (reason, referrer) => {
    expect(reasonOf({ referrer })).toBe(reason);
    // Nor is one let through for being the site's own.
    const own = referrer.replace('example.net', 'example.org');
    expect(reasonOf({ referrer: own })).toBe(reason);
  });

  test.each<[string, string, string | null]>([
    ['referrer', `${page}?ref=semalt.com`, 'https://google.com'],
    ['referrer', `${page}?referer=semalt.com`, null],
    ['referrer', `${page}?referrer=semalt.com`, null],
    ['', `${page}?ref=google.com`, 'https://semalt.com'],
    // The first as sent, whatever comes of it: here the site itself.
    ['', `${page}?ref=https://example.org/`, 'https://semalt.com'],
    ['', `${page}?source=semalt.com`, 'https://google.com'],
    ['referrer', `${page}?source=semalt.com`, ''],
    ['referrer', `${page}?utm_source=semalt.com`, null],
    ['', `${page}?source=nl&utm_source=semalt.com`, null],
    ['referrer', `${page}?ref=&source=semalt.com`, ''],
    ['referrer', `${page}?ref=%20`, 'https://semalt.com'],
    ['referrer', `${page}?ref=x+or+y`, null],
    ['', `${page}?other=semalt.com`, null],
  ])(
    'is the first that says anything, dropped as %j: %s and %s (I-25, I-90)',
    (reason, url, referrer) => {
      expect(reasonOf({ url, referrer })).toBe(reason);
    },
  );

  test('of a listed site is none on the pages of that site (I-25, I-93)', () => {
    const url = 'https://uptime.com/pricing';
    expect(reasonOf({ url, referrer: 'https://uptime.com/' })).toBe('');
    expect(reasonOf({ url, referrer: 'https://www.uptime.com/?x' })).toBe('');
    // To the domain's other hostnames it is the same site.
    expect(reasonOf({ referrer: 'https://uptime.com/' })).toBe('');
    expect(reasonOf({ referrer: 'https://blog.uptime.com/' })).toBe('referrer');
    const other = siteWith('e', 'example.org');
    expect(reasonOf({ referrer: 'https://uptime.com/', site: other })).toBe('referrer');
  });

  test('of a keep-alive is not looked at, nor are its hints (I-27)', () => {
    const spam = { referrer: 'https://semalt.com', sec_ch_ua: '"HeadlessChrome";v="1"' };
    expect(reasonOf({ ...spam, kind: HitKind.KeepAlive })).toBe('');
    expect(reasonOf({ ...spam, kind: HitKind.Event })).toBe('referrer');
  });
});

describe('an address', () => {
  const lists = (block: string[], allow: string[] = []) => ({
    block: addressSet(block),
    allow: addressSet(allow),
  });
  const siteOf = (block: string[], allow: string[] = []) =>
    siteWith('d', 'example.org', [], lists(block, allow));
  const BLOCKED = siteOf(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'], ['10.1.0.0/16']);

  test.each<[string, string]>([
    ['ip', '10.0.0.1'],
    ['ip', ' 10.0.0.1:8080 '],
    ['ip', '::ffff:10.0.0.1'],
    ['', '10.1.2.3'],
    ['', '::ffff:10.1.2.3'],
    ['', '11.0.0.0'],
    ['ip', '192.0.2.1'],
    ['', '192.0.2.2'],
    ['ip', '2001:db8::1'],
    ['ip', '[2001:DB8:0::1]:443'],
    ['', '2001:db9::1'],
    ['ip', 'no address'],
    ['ip', '10.0.0'],
  ])('is dropped as %j by the lists of a domain: %s (I-24, M-14)', (reason, ip) => {
    for (const kind of ALL_KINDS) expect(reasonOf({ ip, kind, site: BLOCKED })).toBe(reason);
    expect(reasonOf({ ip, site: BLOCKED, disable_bot_filter: true })).toBe('');
  });

  test('is looked at by no list unless one is there (I-24)', () => {
    for (const ip of ['10.0.0.1', 'no address']) expect(reasonOf({ ip })).toBe('');
    // Nobody is blocked by being left out of a list of those who are let through.
    expect(reasonOf({ ip: 'no address', site: siteOf([], ['10.0.0.0/8']) })).toBe('');
  });

  test('is dropped by a list of the installation, let through by any that allows it (I-24)', () => {
    const filtering = newPipeline();
    filtering.replaceAddresses({
      block: rangesOf(['10.0.0.0/8']),
      allow: rangesOf(['10.1.0.0/16', '192.0.2.0/24']),
    });
    const reason = (ip: string, site = SITE) => reasonOf({ ip, site }, filtering);
    const reasons = ['10.0.0.1', '10.1.0.1', '8.8.8.8', 'x'].map((ip) => reason(ip));
    expect(reasons).toEqual(['ip', '', '', 'ip']);
    expect(reason('10.0.0.1', siteOf([], ['10.0.0.1']))).toBe('');
    expect(reason('192.0.2.1', siteOf(['192.0.2.1']))).toBe('');
    expect(reason('203.0.113.1', siteOf(['203.0.113.0/24']))).toBe('ip');
    filtering.replaceAddresses(null);
    expect(reason('10.0.0.1')).toBe('');
  });

  function rangesOf(texts: string[]) {
    const list = new AddressRangeList();
    for (const text of texts) list.add(text);
    return list.ranges();
  }
});
