/**
 * Goal: a hit gets the channel that the first matching row of the table of I-98 names.
 * Method: every row by hand, with the neighbours it wins and loses against; then random sources
 * against the oracle's own table.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHit } from '../../../src/ingest/pipeline.ts';
import { Channels } from '../../../src/ingest/source/channel.ts';
import { CATEGORY_OF, channelOf, type Sources } from '../../support/oracle/channel.ts';

const NOTHING: Sources = {
  ...{ referrer: '', referrerName: '', utmSource: '', utmMedium: '', utmCampaign: '' },
};
const channels = new Channels();

function channel(sources: Partial<Sources>): string {
  const hit = createHit(0, 0);
  Object.assign(hit, NOTHING, sources);
  channels.apply(hit);
  return hit.channel;
}

/** Referrer name, source, medium, campaign → channel. */
type Case = readonly [string, string, string, string, string];

describe('a session is opened on a channel (I-98)', () => {
  test.each<Case>([
    ['Google', '', 'cpc', 'EU Cross-Network 24', 'Cross-network'],
    ['Amazon', '', 'cpc', '', 'Paid Shopping'],
    ['', 'nl', 'PPC', 'Winter-Shop', 'Paid Shopping'],
    ['Google', '', 'cpc', 'shoes', 'Paid Search'],
    ['Google', '', '(gclid)', '', 'Paid Search'],
    ['Bing', '', '(msclkid)', '', 'Paid Search'],
    ['other.com', 'Google', 'CPC', '', 'Paid Search'],
    ['Facebook', '', 'paid-social', '', 'Paid Social'],
    ['Youtube', '', 'cpv-cp', '', 'Paid Video'],
    ['Google', '', 'cpm', '', 'Paid Search'],
    ['', 'nl', 'cpm', '', 'Display'],
    ['', 'nl', 'display', '', 'Display'],
    ['Facebook', '', 'banner', '', 'Display'],
    ['', 'nl', 'expandable', '', 'Display'],
    ['', 'nl', 'Interstitial', '', 'Display'],
    ['', 'nl', 'cpc', '', 'Paid Other'],
    ['', 'nl', 'ppc', '', 'Paid Other'],
    ['', 'nl', 'retargeting', '', 'Paid Other'],
    ['', 'nl', 'paidx', '', 'Paid Other'],
    ['ChatGPT', '', 'paid', '', 'Paid Other'],
    ['', 'nl', 'unpaid', '', 'Referral'],
    ['Etsy', '', '', '', 'Organic Shopping'],
    ['Facebook', '', '', 'Workshop', 'Organic Shopping'],
    ['Facebook', '', '', '', 'Organic Social'],
    ['Google', '', 'social', '', 'Organic Social'],
    ['', 'nl', 'Social-Network', '', 'Organic Social'],
    ['', 'nl', 'social-media', '', 'Organic Social'],
    ['', 'nl', 'sm', '', 'Organic Social'],
    ['Youtube', '', '', '', 'Organic Video'],
    ['Google', '', 'videos', '', 'Organic Video'],
    ['Google', '', '', '', 'Organic Search'],
    ['', 'nl', 'organic', '', 'Organic Search'],
    ['Google', '', 'email', '', 'Organic Search'],
    ['ChatGPT', '', 'referral', '', 'Referral'],
    ['', 'email', 'app', '', 'Referral'],
    ['', 'email', 'link', '', 'Referral'],
    ['', 'E-Mail', '', '', 'Email'],
    ['nl', 'nl', 'email', '', 'Email'],
    ['nl', 'nl', 'e_mail', '', 'Email'],
    ['', 'nl', 'newsletter', '', 'Referral'],
    ['', 'nl', 'affiliate', '', 'Affiliates'],
    ['', 'nl', 'affiliates', '', 'Referral'],
    ['', 'nl', 'audio', '', 'Audio'],
    ['', 'SMS', '', '', 'SMS'],
    ['', 'nl', 'sms', '', 'SMS'],
    ['', 'nl', 'web-push', '', 'Mobile Push Notifications'],
    ['', 'nl', 'pushed', '', 'Referral'],
    ['', 'nl', 'mobile-app', '', 'Mobile Push Notifications'],
    ['', 'nl', 'Notifications', '', 'Mobile Push Notifications'],
    ['ChatGPT', '', '', '', 'AI'],
    ['', 'chatgpt.com', '', '', 'AI'],
    ['blog.dev', '', '', '', 'Referral'],
    ['blog.dev', '', '', 'x', 'Referral'],
    ['', '', '', '', 'Direct'],
    ['', '', '', 'x', 'Direct'],
    ['', '', 'x', '', 'Direct'],
  ])('name %j, source %j, medium %j, campaign %j: %s', (...given) => {
    const [name, source, medium, campaign, row] = given;
    // Without a referrer utm_source is the name, as in the pipeline (I-95).
    const referrerName = name === '' ? source : name;
    const sources = { referrerName, utmSource: source, utmMedium: medium, utmCampaign: campaign };
    expect(channel(sources)).toBe(row);
  });

  test('the referrer name goes before utm_source, also when it is remembered', () => {
    for (let round = 0; round < 2; round++) {
      expect(channel({ referrerName: 'Youtube', utmSource: 'google' })).toBe('Organic Video');
      expect(channel({ referrerName: 'blog.dev', utmSource: 'google' })).toBe('Organic Search');
      expect(channel({ referrerName: 'blog.dev' })).toBe('Referral');
      expect(channel({ referrer: 'https://blog.dev' })).toBe('Referral');
    }
  });

  test.each([
    ['search', 'Organic Search', 'google google.com www.google.co.uk YANDEX.ru brave kagi.com ddg'],
    ['shopping', 'Organic Shopping', 'amazon amazon.de eBay ebay.co.uk Walmart.com temu shop.app'],
    [
      'social',
      'Organic Social',
      'fb ig x t.co lnkd.in bsky.app Hacker+News whatsapp mastodon.social',
    ],
    ['video', 'Organic Video', 'yt youtu.be vimeo.com Twitch dailymotion bilibili.com'],
    ['ai', 'AI', 'openai chatgpt.com claude.ai perplexity gemini.google.com copilot.microsoft.com'],
    ['no', 'Referral', 'nl mail.google.com github.com google.example.com notgoogle.com com.'],
  ])('sources of the category %s are known by name, host and word', (_, row, words) => {
    for (const word of words.split(' ')) {
      const source = word.replace('+', ' ');
      expect([source, channel({ referrerName: 'blog.dev', utmSource: source })]).toEqual([
        source,
        row,
      ]);
    }
  });

  test('random sources get the channel of the first row that holds', () => {
    const nameOf = fc.constantFrom(
      '',
      'nl',
      'blog.dev',
      'sms',
      'email',
      ...Object.keys(CATEGORY_OF),
    );
    const words = ['cp', 'cpc', 'cpm', 'ppc', 'paid', 'retargeting', 'display', 'banner', 'push'];
    words.push('social', 'sm', 'video', 'organic', 'referral', 'app', 'link', 'email', 'e_mail');
    words.push('affiliate', 'audio', 'sms', 'mobile', 'notification', '(gclid)', 'x', '');
    const medium = fc.tuple(
      fc.constantFrom(...words),
      fc.constantFrom('', '', '', 's', '-x', 'push'),
    );
    const sources = fc.record({
      referrer: fc.constantFrom('', 'https://blog.dev'),
      referrerName: nameOf,
      utmSource: nameOf,
      utmMedium: medium.map(([word, end]) => word + end),
      utmCampaign: fc.constantFrom('', '', 'x', 'shop', 'cross-network'),
    });
    const anyCase = fc.tuple(sources, fc.boolean()).map(([given, upper]) => {
      const { utmMedium, utmSource, utmCampaign } = given;
      if (!upper) return given;
      const shouted = [utmMedium, utmSource, utmCampaign].map((text) => text.toUpperCase());
      const [utm = '', source = '', campaign = ''] = shouted;
      return { ...given, utmMedium: utm, utmSource: source, utmCampaign: campaign };
    });
    fc.assert(
      fc.property(anyCase, (given) => {
        expect(channel(given)).toBe(channelOf(given));
      }),
      { numRuns: 3_000 },
    );
  });
});
