/**
 * Goal: of several reasons to drop a hit the first in the order of the rules counts (I-10 to I-27).
 * Method: random hits, put together from parts of which a naive model, which reads no text, knows what
 * they mean.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressSet } from '../../src/base/address-set.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import { dropReason } from '../../src/model/drop-reasons.ts';
import { HitKind } from '../../src/model/hit.ts';
import { tries } from '../support/runs.ts';
import { ALL_KINDS, reasonOf, type Sent, SITE } from './drop-reason.ts';

describe('hits put together from parts', () => {
  const system = fc.constantFrom(
    'Windows NT 10.0',
    'X11; Linux x86_64',
    'X11; Ubuntu; Linux x86_64',
  );
  const browser = fc.record({
    name: fc.constantFrom('Chrome', 'Firefox', 'Opera', 'Edge', ''),
    major: fc.constantFrom(60, 64, 65, 67, 68, 69, 70, 87, 88, 109, 110, 119, 120, 130),
    rv: fc.constantFrom('same', 'none', '109.0', '99.0'),
  });
  const part = fc.record({
    system,
    browser,
    word: fc.constantFrom('', '', '', 'GoogleBot/1', 'okhttp/4', 'Scrapy'),
    attack: fc.constantFrom('', '', '', 'sleep(1)', '{{x}}'),
    length: fc.constantFrom(0, 0, 0, 500, 501),
    character: fc.constantFrom('', '', '', 'é'),
    brand: fc.constantFrom(
      '',
      '',
      'Google Chrome 69',
      'Google Chrome 130',
      'HeadlessChrome 130',
      'Thumbnailer 1',
    ),
    referrer: fc.constantFrom(
      '',
      'https://example.org/a',
      'https://x.semalt.com/',
      'a or b',
      'https://ok.test/',
    ),
    request: fc.constantFrom('', '', '', 'prefetch', 'ui-cors'),
    ip: fc.constantFrom('8.8.8.8', '10.0.0.1', '10.1.0.1', 'none'),
    hasLists: fc.boolean(),
    isFiltered: fc.constantFrom(true, true, true, false),
    kind: fc.constantFrom(...ALL_KINDS),
  });
  type Part = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

  const LISTS = { block: addressSet(['10.0.0.0/8']), allow: addressSet(['10.1.0.0/16']) };
  const sites = { with: siteWith('d', 'example.org', [], LISTS), without: SITE };

  function agentOf({ system: os, browser: { name, major, rv }, ...rest }: Part): string {
    const engine = rv === 'same' ? `; rv:${major}.0` : rv === 'none' ? '' : `; rv:${rv}`;
    const tokens: Record<string, string> = {
      Chrome: `Chrome/${major}.0.0.0`,
      Firefox: `Firefox/${major}.0`,
      Opera: `Chrome/130.0.0.0 OPR/${major}.0`,
      Edge: `Chrome/130.0.0.0 Edg/${major}.0`,
      '': 'Unheard/1.0',
    };
    const comment = name === 'Firefox' ? `${os}${engine}` : os;
    const words = [tokens[name], rest.word, rest.attack, rest.character].filter(Boolean).join(' ');
    return `Mozilla/5.0 (${comment}) ${words} `.padEnd(rest.length, 'x');
  }

  /** The rules one after the other, from the parts. */
  function modelReason(of: Part): string {
    const { browser: own, kind } = of;
    const hasPage = kind !== HitKind.KeepAlive;
    const oldest: Record<string, number> = { Chrome: 70, Firefox: 68, Opera: 65, Edge: 88 };
    const [, brandName = '', brandMajor = ''] = /^(.*) (\d+)$/.exec(of.brand) ?? [];
    const isHinted = hasPage && brandName !== '';
    const name = isHinted ? brandName.replace('Google ', '') : own.name;
    const major = isHinted ? Number(brandMajor) : own.major;
    const isFrozen = own.rv === '109.0' && own.major >= 110 && own.major <= 119;
    const sameRv = own.rv === 'same' || own.rv === `${own.major}.0`;
    const hasChrome = own.name !== 'Firefox' && own.name !== '';
    const isBlocked = of.ip === '10.0.0.1' || of.ip === 'none';
    const rules: [string, boolean][] = [
      [of.request, of.request !== ''],
      ['ua-chars', of.length === 501 || of.character !== ''],
      ['referrer', hasPage && (of.referrer === 'a or b' || of.referrer.includes('semalt'))],
      ['browser', major < (oldest[name] ?? 0)],
      ['ua-rv-mismatch', own.name === 'Firefox' && !sameRv && !isFrozen],
      ['ch-browser', isHinted && (name === 'HeadlessChrome' || name === 'Thumbnailer')],
      ['ua-keyword', of.word !== ''],
      ['ua-regex', of.attack !== '' || (hasChrome && of.system.includes('Ubuntu'))],
      ['ip', of.hasLists && isBlocked],
    ];
    if (!of.isFiltered) return '';
    return rules.find(([, matches]) => matches)?.[0] ?? '';
  }

  test('are dropped for the first reason of a naive model (I-10 to I-27)', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(part, (of) => {
        const brand = of.brand.replace(/^(.*) (\d+)$/, '"$1";v="$2", "Chromium";v="130"');
        const sent: Sent = {
          user_agent: agentOf(of),
          ...(of.brand === '' ? {} : { sec_ch_ua: brand }),
          ...{ referrer: of.referrer, ip: of.ip, kind: of.kind },
          disable_bot_filter: !of.isFiltered,
          site: of.hasLists ? sites.with : sites.without,
          requestVerdict: of.request === '' ? 0 : dropReason(of.request as 'prefetch'),
        };
        const expected = modelReason(of);
        seen.add(expected);
        expect(reasonOf(sent)).toBe(expected);
      }),
      tries(40_000),
    );
    // Nothing was proved of a reason that never came.
    expect(seen.size).toBe(11);
  });
});
