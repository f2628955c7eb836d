/**
 * Goal: devices, languages and screens come out as I-80..I-86 and W-42 say.
 * Method: real user agents and headers as rows.
 */
import { describe, expect, test } from 'vitest';
import { parseAgent, platformOf } from '../../../src/ingest/agent/agent.ts';
import { ClientHints, parseBrands } from '../../../src/ingest/agent/client-hints.ts';
import { languageOf } from '../../../src/ingest/agent/language.ts';
import { screenClassOf } from '../../../src/ingest/agent/screen.ts';
import { ISO_639_1_CODES } from '../../../src/ingest/data/languages.ts';
import type { RawHit } from '../../../src/ingest/raw-hit.ts';
import { createHit } from '../../../src/model/blank-hit.ts';
import { Platform } from '../../../src/model/dimensions.ts';

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IOS_KIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';
const CHROME_ON_WINDOWS = `${WINDOWS} ${KIT} Chrome/121.0.0.0 Safari/537.36`;

describe('a user agent', () => {
  test.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
      ['Linux', '', 'Firefox', '128.0'],
    ],
    [CHROME_ON_WINDOWS, ['Windows', '10', 'Chrome', '121.0']],
    [
      `${WINDOWS} ${KIT} Chrome/121.0.0.0 Safari/537.36 Edg/121.5.1`,
      ['Windows', '10', 'Edge', '121.5'],
    ],
    [
      `${WINDOWS} ${KIT} Chrome/64.0 Safari/537.36 Edge/17.17134`,
      ['Windows', '10', 'Edge', '17.17134'],
    ],
    [
      `${WINDOWS} ${KIT} Chrome/121.0.0.0 Safari/537.36 OPR/107.0.0.0`,
      ['Windows', '10', 'Opera', '107.0'],
    ],
    [
      'Opera/9.80 (Windows NT 6.1; U; en) Presto/2.10 Version/12.16',
      ['Windows', '7', 'Opera', '12.16'],
    ],
    [
      'Mozilla/5.0 (Windows NT 6.2; rv:115.0) Gecko/20100101 Firefox/115.0',
      ['Windows', '8', 'Firefox', '115.0'],
    ],
    [
      'Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko',
      ['Windows', '8', 'IE', '11.0'],
    ],
    [
      'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.0; Trident/6.0)',
      ['Windows', '', 'IE', '10.0'],
    ],
    [`${MAC} ${IOS_KIT} Version/17.4.1 Safari/605.1.15`, ['Mac', '10.15', 'Safari', '17.4']],
    [`${MAC} ${KIT} Chrome/121.0.0.0 Safari/537.36`, ['Mac', '10.15', 'Chrome', '121.0']],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:128.0) Gecko/20100101 Firefox/128.0',
      ['Mac', '10.15', 'Firefox', '128.0'],
    ],
    [
      `${IPHONE} ${IOS_KIT} Version/18.1 Mobile/15E148 Safari/604.1`,
      ['iOS', '18.1', 'Safari', '18.1'],
    ],
    [
      `${IPHONE} ${IOS_KIT} CriOS/130.0.6723.90 Mobile/15E148 Safari/604.1`,
      ['iOS', '18.1', 'Chrome', '130.0'],
    ],
    [
      `${IPHONE} ${IOS_KIT} FxiOS/132.0 Mobile/15E148 Safari/605.1.15`,
      ['iOS', '18.1', 'Firefox', '132.0'],
    ],
    [
      `${IPHONE} ${IOS_KIT} Version/18.0 EdgiOS/130.0 Mobile Safari/604.1`,
      ['iOS', '18.1', 'Edge', '130.0'],
    ],
    [
      `${IPHONE} ${IOS_KIT} Version/18.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
      ['iOS', '18.1', 'DuckDuckGo', '7'],
    ],
    [`${IPHONE} ${IOS_KIT} Mobile/15E148`, ['iOS', '18.1', '', '']],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605 Version/17.4 Safari/604',
      ['iOS', '17.4', 'Safari', '17.4'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${KIT} Chrome/121.0.0.0 Mobile Safari/537.36`,
      ['Android', '14', 'Chrome', '121.0'],
    ],
    [
      'Mozilla/5.0 (Android 8.1.0; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0',
      ['Android', '8.1', 'Firefox', '128.0'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${KIT} Chrome/121.0 Mobile Safari/537.36 EdgA/121.0`,
      ['Android', '10', 'Edge', '121.0'],
    ],
    [
      `Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft) ${KIT} Chrome/52.0 Mobile Safari/537.36 Edge/15.1`,
      ['Windows Mobile', '10.0', 'Edge', '15.1'],
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/121.0.0.0 Safari/537.36`,
      ['Chrome OS', '', 'Chrome', '121.0'],
    ],
    [
      `Mozilla/5.0 (X11; Ubuntu; Linux x86_64) ${KIT} Chromium/90.0 Chrome/90.1 Safari/537.36`,
      ['Linux', '', 'Chrome', '90.0'],
    ],
    [`${MAC} ${KIT} Chrome/121.0.0.0 Safari/537.36 Arc/1.29`, ['Mac', '10.15', 'Arc', '1.29']],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${IOS_KIT} Version/16.0 Safari/605.1.15`,
      ['Linux', '', '', ''],
    ],
    [`${WINDOWS} ${KIT} HeadlessChrome/121.0.0.0 Safari/537.36`, ['Windows', '10', '', '']],
    ['something else entirely', ['', '', '', '']],
  ])('%s is read as %j (I-82, I-83, I-84)', (userAgent, expected) => {
    const { os, osVersion, browser, browserVersion } = parseAgent(userAgent);
    expect([os, osVersion, browser, browserVersion]).toEqual(expected);
  });

  test.each([
    [19, 19],
    [20, 20],
    [21, 20],
  ])('a version of %i characters is kept to %i (I-7)', (length, kept) => {
    const userAgent = `${WINDOWS} Firefox/${'1'.repeat(length)}`;
    expect(parseAgent(userAgent).browserVersion).toBe('1'.repeat(kept));
  });

  test.each([
    ['Windows', Platform.Desktop],
    ['Mac', Platform.Desktop],
    ['Linux', Platform.Desktop],
    ['Android', Platform.Mobile],
    ['iOS', Platform.Mobile],
    ['Windows Mobile', Platform.Mobile],
    ['Chrome OS', Platform.Unknown],
    ['', Platform.Unknown],
  ])('on %s is of platform %i (I-81)', (os, platform) => {
    expect(platformOf(os)).toBe(platform);
  });
});

describe('client hints', () => {
  const CHROME = '"Google Chrome";v="121", "Not A(Brand";v="99", "Chromium";v="121"';

  test.each([
    [CHROME, 'Chrome', '121'],
    ['"Chromium";v="121", "Microsoft Edge";v="121.0.1"', 'Edge', '121.0.1'],
    ['"Opera";v="107", "Chromium";v="121", "Not;A=Brand";v="8"', 'Opera', '107'],
    ['"Arc";v="1", "Chromium";v="121"', 'Arc', '1'],
    ['"Brave";v="121", "Chromium";v="121", "Not A(Brand";v="99"', 'Brave', '121'],
    ['"One";v="1", "Two";v="2", "Not.Two";v="3"', 'Two', '2'],
    ['"Not \\"A;Brand";v="99", "Vivaldi";v="6"', 'Vivaldi', '6'],
    ['"Chromium";v="121", "Not A(Brand";v="99"', '', ''],
    [
      '"An Extremely Long Browser";v="123456789012345678901"',
      'An Extremely Long Browser',
      '123456789012345678901',
    ],
    ['nonsense', '', ''],
  ])('%s name the browser %s %s (I-85)', (header, browser, version) => {
    expect(parseBrands(header)).toEqual({ browser, version });
  });

  test.each([
    [{ sec_ch_ua: CHROME }, ['Windows', '10', 'Chrome', '121', Platform.Desktop]],
    [{ sec_ch_ua: '"Chromium";v="99"' }, ['Windows', '10', 'Chrome', '121.0', Platform.Desktop]],
    [
      { sec_ch_ua_platform: '"Windows"', sec_ch_ua_platform_version: '"12.0.0"' },
      ['Windows', '10', 'Chrome', '121.0', Platform.Desktop],
    ],
    [
      { sec_ch_ua_platform: '"Windows"', sec_ch_ua_platform_version: '"13.0.0"' },
      ['Windows', '11', 'Chrome', '121.0', Platform.Desktop],
    ],
    [
      { sec_ch_ua_platform: 'Windows', sec_ch_ua_platform_version: '14' },
      ['Windows', '11', 'Chrome', '121.0', Platform.Desktop],
    ],
    [
      { sec_ch_ua_platform: '"Windows"', sec_ch_ua_platform_version: '"1.0.0"' },
      ['Windows', '10', 'Chrome', '121.0', Platform.Desktop],
    ],
    [{ sec_ch_ua_platform: '"Windows"' }, ['Windows', '10', 'Chrome', '121.0', Platform.Desktop]],
    [
      { sec_ch_ua_platform: '"macOS"', sec_ch_ua_platform_version: '"14.5.0"' },
      ['Mac', '14.5.0', 'Chrome', '121.0', Platform.Desktop],
    ],
    [{ sec_ch_ua_platform: '"macOS"' }, ['Mac', '', 'Chrome', '121.0', Platform.Desktop]],
    [
      { sec_ch_ua_platform: '"Android"', sec_ch_ua_platform_version: '"14"' },
      ['Android', '14', 'Chrome', '121.0', Platform.Mobile],
    ],
    [
      { sec_ch_ua_platform: '"Linux"', sec_ch_ua_platform_version: '"6.5"' },
      ['Linux', '', 'Chrome', '121.0', Platform.Desktop],
    ],
    [
      { sec_ch_ua_platform: '"Chromium OS"' },
      ['Chrome OS', '', 'Chrome', '121.0', Platform.Unknown],
    ],
    [{ sec_ch_ua_platform: '"Fuchsia"' }, ['', '', 'Chrome', '121.0', Platform.Unknown]],
    [{ sec_ch_ua_platform: '"Unknown"' }, ['Windows', '10', 'Chrome', '121.0', Platform.Desktop]],
    [{ sec_ch_ua_platform: '""' }, ['Windows', '10', 'Chrome', '121.0', Platform.Desktop]],
    [{ sec_ch_ua_platform: null }, ['Windows', '10', 'Chrome', '121.0', Platform.Desktop]],
    [{ sec_ch_ua_mobile: '?1' }, ['Windows', '10', 'Chrome', '121.0', Platform.Mobile]],
    [
      { sec_ch_ua_mobile: '?0', sec_ch_ua_platform: '"Android"' },
      ['Android', '', 'Chrome', '121.0', Platform.Desktop],
    ],
    [{ sec_ch_ua_mobile: 'yes' }, ['Windows', '10', 'Chrome', '121.0', Platform.Desktop]],
  ] as [Partial<RawHit>, unknown[]][])(
    '%j beside Chrome 121 on Windows 10 give %j (I-81, I-85)',
    (fields, expected) => {
      const hit = createHit(0, 0);
      const raw: RawHit = { ip: '', user_agent: CHROME_ON_WINDOWS, ...fields };
      new ClientHints().apply(hit, raw, parseAgent(CHROME_ON_WINDOWS));
      const { os, osVersion, browser, browserVersion, platform } = hit;
      expect([os, osVersion, browser, browserVersion, platform]).toEqual(expected);
    },
  );
});

describe('the language of a visitor', () => {
  test.each([
    ['fr-CH, fr;q=0.9', 'fr'],
    ['de', 'de'],
    ['DE-de', 'de'],
    [' en ', 'en'],
    ['en;q=0.8', 'en'],
    ['en,de', 'en'],
    ['zh-Hans-CN', 'zh'],
    ['zu', 'zu'],
    ['*', ''],
    ['', ''],
    ['d', ''],
    ['deu', ''],
    ['en_US', ''],
    ['xx', ''],
    ['éa', ''],
    [',en', ''],
    [null, ''],
    [undefined, ''],
  ])('sending %j is %j (I-86, W-42)', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });

  test('is one of the 183 codes of ISO 639-1, each found by itself', () => {
    expect(new Set(ISO_639_1_CODES).size).toBe(183);
    expect(ISO_639_1_CODES.map(languageOf)).toEqual(ISO_639_1_CODES);
  });
});

describe('the screen class', () => {
  test.each([
    [1_920, 'XXL'],
    [1_441, 'XXL'],
    [1_440, 'XXL'],
    [1_439, 'XL'],
    [1_024, 'XL'],
    [1_023, 'L'],
    [800, 'L'],
    [799, 'M'],
    [600, 'M'],
    [599, 'S'],
    [390, 'S'],
    [1, 'S'],
    [0, ''],
    [-1, ''],
    [null, ''],
  ])('of a width of %j is %j (I-80, W-42)', (screen_width, screenClass) => {
    const raw = { ip: '', user_agent: '', screen_width, screen_height: 5_000 };
    expect(screenClassOf(raw)).toBe(screenClass);
  });

  test.each([
    [{ sec_ch_width: '1440' }, 'XXL'],
    [{ sec_ch_width: '"800"' }, 'L'],
    [{ sec_ch_viewport_width: '600' }, 'M'],
    [{ sec_ch_width: '800', sec_ch_viewport_width: '600' }, 'L'],
    [{ sec_ch_width: '0', sec_ch_viewport_width: '600' }, 'M'],
    [{ sec_ch_width: 'wide', sec_ch_viewport_width: '' }, ''],
    [{ screen_width: 0, sec_ch_width: '1024' }, 'XL'],
    [{ screen_width: 599, sec_ch_width: '1024' }, 'S'],
  ])('of %j is %j (I-80)', (fields, screenClass) => {
    expect(screenClassOf({ ip: '', user_agent: '', ...fields })).toBe(screenClass);
  });
});
