/**
 * Goal: referrers and campaigns come out as I-90..I-97 and W-39 say.
 * Method: rows through the public steps; the page is on example.org unless said.
 */
import { describe, expect, test } from 'vitest';
import { readPageQuery } from '../../../src/ingest/page/page-query.ts';
import { parsePageUrl } from '../../../src/ingest/page/page-url.ts';
import { siteWith } from '../../../src/ingest/page/site.ts';
import { applyCampaign, applyClickId } from '../../../src/ingest/source/campaign.ts';
import { Referrers } from '../../../src/ingest/source/referrer.ts';
import { createHit } from '../../../src/model/blank-hit.ts';
import type { Hit } from '../../../src/model/hit.ts';

const SITE = siteWith('d', 'example.org');
const referrers = new Referrers();

function enrich(referrer: string | null, page = '/', site = SITE, host = 'example.org'): Hit {
  const url = parsePageUrl(`https://${host}${page}`);
  const query = readPageQuery(url?.search ?? '');
  const hit = createHit(0, 0);
  hit.hostname = url?.hostname ?? '';
  applyCampaign(hit, query);
  referrers.apply(hit, { ip: '', user_agent: '', referrer }, query, site);
  applyClickId(hit, query);
  return hit;
}

function sourceOf(hit: Hit): [string, string] {
  return [hit.referrer, hit.referrerName];
}

describe('the referrers of W-39', () => {
  test.each([
    [
      'https://with.multiple.subdomains.com/and/a/path?x=1#y',
      '/',
      'https://with.multiple.subdomains.com/and/a/path',
      'with.multiple.subdomains.com',
    ],
    ['http://boring.old/domain/', '/', 'http://boring.old/domain/', 'boring.old'],
    ['https://Example.com/', '/', 'https://example.com', 'example.com'],
    ['https://www.google.bf', '/', 'https://www.google.bf', 'Google'],
    ['https://t.co/asdf', '/', 'https://t.co/asdf', 'Twitter'],
    ['Blog.dev', '/', 'https://blog.dev', 'blog.dev'],
    ['ReferrerName', '/', '', 'ReferrerName'],
    ['sub.example.com/with/path/', '/', '', 'sub.example.com/with/path/'],
    ['168.119.249.160:8080/signup', '/', '', ''],
    ['http://49.12.18.161/', '/', '', ''],
    ['https://other.com', '/?ref=google.com', 'https://google.com', 'Google'],
    ['https://other.com', '/?utm_source=google.com', 'https://other.com', 'other.com'],
    ['https://sub.example.org/a', '/', 'https://sub.example.org/a', 'sub.example.org'],
    ['https://example.org/a', '/', '', ''],
  ])('%s on page %s is %j, named %j (W-39)', (raw, page, referrer, name) => {
    expect(sourceOf(enrich(raw, page))).toEqual([referrer, name]);
  });
});

describe('a raw referrer', () => {
  test.each([
    ['HTTPS://WWW.Foo.com:8080/A/?x', 'https://www.foo.com:8080/A/', 'foo.com'],
    ['https%3A%2F%2Ffoo.com%2Fa%20b', 'https://foo.com/a b', 'foo.com'],
    ['https://foo.com/%E4', 'https://foo.com/%E4', 'foo.com'],
    ['https://foo.com?x', 'https://foo.com', 'foo.com'],
    ['https://foo.com/#x', 'https://foo.com', 'foo.com'],
    ['https://user:secret@foo.com/a', 'https://foo.com/a', 'foo.com'],
    ['https://foo.com:443/', 'https://foo.com:443', 'foo.com'],
    ['www.foo.com', 'https://www.foo.com', 'foo.com'],
    ['foo.com/index.html', 'https://foo.com/index.html', 'foo.com'],
    ['no host.com', '', 'no host.com'],
    ['httpclient', '', 'httpclient'],
    ['http://', '', 'http://'],
    ['ftp://foo.com/', '', 'ftp://foo.com/'],
    ['http://[2001:db8::1]:80/a', '', ''],
    ['1.2.3.4', '', ''],
    ['1.2.3', '', '1.2.3'],
    ['android-app://org.example.app/a', 'android-app://org.example.app/a', 'org.example.app'],
    ['  Newsletter \r\nX-Evil: 1', '', 'Newsletter'],
    ['\nNewsletter', '', ''],
    [' ', '', ''],
    [null, '', ''],
  ])('%j is %j, named %j (I-91, I-94)', (raw, referrer, name) => {
    const hit = enrich(raw);
    expect([...sourceOf(hit), hit.referrerIcon]).toEqual([referrer, name, '']);
  });

  test.each([
    ['android-app://com.google.android.gm/', 'Gmail', '/icons/gmail.svg'],
    ['android-app://com.reddit.frontpage', 'Reddit', '/icons/reddit.svg'],
    // Known, but without an icon.
    ['android-app://com.linkedin.android/', 'LinkedIn', ''],
    ['android-app://org.example.app/', 'org.example.app', ''],
    ['android-app://reddit/', 'reddit', ''],
  ])('the app %s is %s with the icon %j (I-91, I-94)', (raw, name, icon) => {
    const hit = enrich(raw);
    expect([...sourceOf(hit), hit.referrerIcon]).toEqual([raw, name, icon]);
  });

  test.each([
    ['google.com', 'Google'],
    ['www.google.co.uk', 'Google'],
    ['google.com.br', 'Google'],
    ['google.example.com', 'google.example.com'],
    ['notgoogle.com', 'notgoogle.com'],
    ['mail.google.com', 'Gmail'],
    ['www.bing.com', 'Bing'],
    ['duckduckgo.com', 'DuckDuckGo'],
    ['search.yahoo.com', 'Yahoo!'],
    ['yandex.ru', 'Yandex'],
    ['www.baidu.com', 'Baidu'],
    ['www.ecosia.org', 'Ecosia'],
    ['twitter.com', 'Twitter'],
    ['x.com', 'X'],
    ['facebook.com', 'Facebook'],
    ['l.facebook.com', 'Facebook'],
    ['lm.facebook.com', 'Facebook'],
    ['m.facebook.com', 'Facebook'],
    ['www.instagram.com', 'Instagram'],
    ['www.linkedin.com', 'LinkedIn'],
    ['lnkd.in', 'LinkedIn'],
    ['www.reddit.com', 'Reddit'],
    ['old.reddit.com', 'Reddit'],
    ['news.ycombinator.com', 'Hacker News'],
    ['github.com', 'GitHub'],
    ['www.pinterest.de', 'Pinterest'],
    ['www.youtube.com', 'Youtube'],
    ['t.me', 'Telegram'],
    ['www.tiktok.com', 'TikTok'],
    ['web.whatsapp.com', 'WhatsApp'],
    ['bsky.app', 'Bluesky'],
    ['www.threads.net', 'Threads'],
  ])('from %s is named %s (I-92)', (host, name) => {
    expect(enrich(`https://${host}/some/path`).referrerName).toBe(name);
  });

  test.each([199, 200, 201])('of %i characters is kept to 200 (I-7)', (length) => {
    const kept = Math.min(length, 200);
    const url = `https://foo.com/${'a'.repeat(length - 16)}`;
    expect(enrich(url).referrer).toBe(url.slice(0, kept));
    expect(enrich('😀'.repeat(length)).referrerName).toBe('😀'.repeat(kept));
  });
});

describe('of several sources', () => {
  test.each([
    ['/?ref=a&referer=b&referrer=c&source=d&utm_source=e', 'f', 'a'],
    ['/?referer=b&referrer=c&source=d&utm_source=e', 'f', 'b'],
    ['/?referrer=c&source=d&utm_source=e', 'f', 'c'],
    ['/?source=d&utm_source=e', 'f', 'f'],
    ['/?source=d&utm_source=e', null, 'd'],
    ['/?utm_source=e', '', 'e'],
    ['/?ref=&referer=+&referrer=c', 'f', 'c'],
    ['/?ref=1.2.3.4', 'f', 'f'],
    ['/?ref=example.org', 'f', 'f'],
    ['/?utm_source=nl', 'https://example.org/a', 'nl'],
    ['/?utm_source=nl', 'https://EXAMPLE.org:80/a?b', 'nl'],
  ])('%s with the referrer field %j the name is %s (I-90, I-95)', (page, field, name) => {
    expect(enrich(field, page).referrerName).toBe(name);
  });
});

describe('the own site', () => {
  const site = siteWith('d', 'example.org', ['shop.test', '*.wild.test']);

  test.each([
    ['https://example.org', true],
    ['https://example.org/', true],
    ['https://www.example.org/a', true],
    ['https://EXAMPLE.org?x', true],
    ['http://example.org:8080/a', true],
    ['example.org', true],
    ['https://shop.test/a', true],
    ['https://www.shop.test/a', true],
    ['https://a.wild.test/a', true],
    ['https://wild.test/a', false],
    ['https://sub.example.org/', false],
    ['https://example.organic/', false],
    ['https://example.org@evil.test/', false],
    ['https://example.org.evil.test/', false],
  ])('is the referrer %s: %s (I-93)', (raw, isOwn) => {
    const hit = enrich(raw, '/', site);
    expect(hit.referrerName === '' && hit.referrer === '').toBe(isOwn);
  });

  test('is the page host too when that is an alternative (I-93)', () => {
    expect(enrich('https://a.b.wild.test/x', '/', site, 'a.b.wild.test').referrer).toBe('');
    expect(enrich('https://www.a.shop.test/x', '/', SITE, 'www.a.shop.test').referrer).toBe('');
  });

  test('of one domain is a referrer like any other on another (I-93)', () => {
    const other = siteWith('e', 'other.com');
    expect(enrich('https://example.org/a').referrer).toBe('');
    expect(enrich('https://example.org/a', '/', other, 'other.com').referrer).toBe(
      'https://example.org/a',
    );
  });
});

describe('the campaign of a hit', () => {
  test('is trimmed, then cut to 2,000, decoded, its case kept (I-96, I-7)', () => {
    const long = `x${'😀'.repeat(3_000)}`;
    const hit = enrich(
      null,
      `/?utm_source=+News+&utm_medium=E-Mail&utm_campaign=%20a%26b%20&utm_content=++${long}&utm_term=T`,
    );
    expect([hit.utmSource, hit.utmMedium, hit.utmCampaign]).toEqual(['News', 'E-Mail', 'a&b']);
    expect([hit.utmContent, hit.utmTerm]).toEqual([`x${'😀'.repeat(1_999)}`, 'T']);
  });

  test.each(['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'])(
    '%s is kept up to 2,000 characters and cut beyond (I-7)',
    (name) => {
      const kept = [1_999, 2_000, 2_001].map((length) => {
        const hit = enrich(null, `/?${name}=${'x'.repeat(length)}`);
        const { utmSource, utmMedium, utmCampaign, utmContent, utmTerm } = hit;
        return [utmSource, utmMedium, utmCampaign, utmContent, utmTerm].join('').length;
      });
      expect(kept).toEqual([1_999, 2_000, 2_000]);
    },
  );

  test.each([
    ['https://www.google.com/', '/?gclid=x', '(gclid)'],
    ['https://www.google.com/', '/?gclid=', ''],
    ['https://www.google.com/', '/?gclid=+', ''],
    ['https://www.google.com/', '/?gclid=x&utm_medium=cpc', 'cpc'],
    ['https://www.google.com/', '/?gclid=x&utm_medium=+', '(gclid)'],
    ['https://www.google.com/', '/?msclkid=x', ''],
    ['https://www.bing.com/', '/?msclkid=x', '(msclkid)'],
    ['https://www.bing.com/', '/?gclid=x', ''],
    ['https://foo.com/', '/?gclid=x&msclkid=y', ''],
  ])('from %s on %s has the medium %j (I-97)', (raw, page, medium) => {
    expect(enrich(raw, page).utmMedium).toBe(medium);
  });
});
