/**
 * Goal: page addresses are taken apart as I-4, I-6, I-8 and I-96 say.
 * Method: rows, boundaries in threes, and a readable twin over WHATWG URL on random addresses.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPageQuery } from '../../../src/ingest/page/page-query.ts';
import { normalizeHostname, parsePageUrl } from '../../../src/ingest/page/page-url.ts';

describe('the hostname of a hit', () => {
  test.each([
    ['https://example.com/', 'example.com'],
    ['https://www.example.com/', 'example.com'],
    ['https://www.sub.example.com/', 'www.sub.example.com'],
    ['https://www.com/', 'www.com'],
    ['https://wwwx.example.com/', 'wwwx.example.com'],
    ['HTTPS://WWW.Example.COM/', 'example.com'],
    ['http://example.com:8080/', 'example.com'],
    ['http://example.com:/', 'example.com'],
    ['http://example.com:65535/', 'example.com'],
    ['http://user:secret@example.com/', 'example.com'],
    ['http://localhost', 'localhost'],
    ['http://my_host.example.com', 'my_host.example.com'],
    ['http://127.0.0.1:80/', '127.0.0.1'],
    ['http://[2001:DB8::1]:80/', '[2001:db8::1]'],
    ['https://Bücher.example/', 'xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['  https://example.com/a\n', 'example.com'],
  ])('of %s is %s (I-4)', (url, hostname) => {
    expect(parsePageUrl(url)?.hostname).toBe(hostname);
  });

  test.each([
    ['WWW.Example.com:443', 'example.com'],
    ['www.a.example.com', 'www.a.example.com'],
    ['*.example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    [' example.com ', 'example.com'],
  ])('as typed, %s, is normalised to %s (I-4)', (typed, hostname) => {
    expect(normalizeHostname(typed)).toBe(hostname);
  });
});

describe('an address that is no absolute http or https address', () => {
  test.each([
    '',
    '/path',
    'example.com/path',
    '//example.com/',
    'ftp://example.com/',
    'httpx://example.com/',
    'http:example.com',
    'http:/example.com',
    'https://',
    'https:///path',
    'https://?a=b',
    'https://:80/',
    'http://example.com:65536/',
    'http://example.com:8o/',
    'http://exa mple.com/',
    'http://exa\tmple.com/',
    'http://example.com\\a/',
    'http://1.2.3.256/',
    'http://[::1/',
    'http://ex%00ample.com/',
    'javascript:alert(1)',
  ])('such as %j is refused (I-8)', (url) => {
    expect(parsePageUrl(url)).toBeNull();
  });

  test.each([
    [252, true],
    [253, true],
    [254, false],
  ])('a host of %i characters is accepted: %s', (length, isAccepted) => {
    const host = `${'a'.repeat(length - 4)}.com`;
    expect(parsePageUrl(`https://${host}/`) !== null).toBe(isAccepted);
  });
});

describe('the path of a hit', () => {
  test.each([
    ['https://example.com', '/'],
    ['https://example.com/', '/'],
    ['https://example.com?x=/y', '/'],
    ['https://example.com#/y', '/'],
    ['https://example.com/a', '/a'],
    ['https://example.com/a/', '/a/'],
    ['https://example.com/A/b', '/A/b'],
    ['https://example.com/a?b#c', '/a'],
    ['https://example.com/a#c?b', '/a'],
    ['https://example.com/a/../b/./c', '/a/../b/./c'],
    ['https://example.com//a', '//a'],
    ['https://example.com/a%20b', '/a b'],
    ['https://example.com/%C3%BC', '/ü'],
    ['https://example.com/ü', '/ü'],
    ['https://example.com/a+b', '/a+b'],
    ['https://example.com/%E4', '/%E4'],
    ['https://example.com/100%/a%20b', '/100%/a%20b'],
    ['https://example.com/a%3Fb', '/a?b'],
  ])('of %s is %s (I-6)', (url, path) => {
    expect(parsePageUrl(url)?.path).toBe(path);
  });

  test.each([
    [1_999, 1_999],
    [2_000, 2_000],
    [2_001, 2_000],
  ])('of %i code points is kept to %i, pairs whole (I-6)', (length, kept) => {
    for (const letter of ['x', '😀']) {
      const path = parsePageUrl(`https://example.com/${letter.repeat(length - 1)}`)?.path ?? '';
      expect(path).toBe(`/${letter.repeat(kept - 1)}`);
    }
  });
});

describe('the query of a page address', () => {
  test.each([
    ['utm_source=a', { utmSource: 'a' }],
    ['x=1&utm_medium=b&y', { utmMedium: 'b' }],
    ['utm_campaign=spring+sale%21', { utmCampaign: 'spring sale!' }],
    ['utm_content=a%2Bb', { utmContent: 'a+b' }],
    ['utm%5Fterm=t', { utmTerm: 't' }],
    ['utm_term=100%', { utmTerm: '100%' }],
    ['ref=a&ref=b', { ref: 'a' }],
    ['ref=&ref=b', { ref: '' }],
    ['ref', { ref: '' }],
    ['REF=a', {}],
    ['referer=a=b', { referer: 'a=b' }],
    ['&&referrer=c&', { referrer: 'c' }],
    ['source=s&gclid=g&msclkid=m', { source: 's', gclid: 'g', msclkid: 'm' }],
    ['__proto__=a&constructor=b', {}],
    ['', {}],
  ])('%s is read, the first of a name wins (I-96)', (search, expected) => {
    const given = Object.entries(readPageQuery(search)).filter(([, value]) => value !== null);
    expect(Object.fromEntries(given)).toEqual(expected);
  });
});

describe('the hand-written scan', () => {
  /** The readable twin: right by the words of the rules, for addresses of the usual form. */
  function twin(url: string) {
    const parsed = new URL(url);
    const rest = url.slice(url.indexOf('://') + 3);
    const path = /^[^/?#]*([^?#]*)/.exec(rest)?.[1] || '/';
    let decoded = path;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      // Kept as sent.
    }
    const labels = parsed.hostname.split('.');
    const isPlainWww = labels.length === 3 && labels[0] === 'www';
    return {
      hostname: isPlainWww ? labels.slice(1).join('.') : parsed.hostname,
      path: [...decoded].slice(0, 2_000).join(''),
      utmSource: parsed.searchParams.get('utm_source'),
      ref: parsed.searchParams.get('ref'),
    };
  }

  const label = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,8}$/);
  const host = fc.tuple(
    fc.constantFrom('', 'www.', 'WWW.', 'a.'),
    fc.array(label, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', ':', ':80', ':443', ':8080'),
  );
  const path = fc.array(
    fc.constantFrom('/', 'a', 'B', '%20', '%C3%BC', '%', 'ü', '😀', '.', '..', '-', '+', ';', '@'),
    { maxLength: 12 },
  );
  const pair = fc.tuple(
    fc.constantFrom('utm_source', 'ref', 'x', 'utm%5Fsource'),
    fc.constantFrom('', 'a', 'a+b', '%C3%BC', 'https%3A%2F%2Fb.com', '='),
  );
  const address = fc
    .record({
      scheme: fc.constantFrom('http', 'https', 'HTTP'),
      host,
      path,
      pairs: fc.array(pair, { maxLength: 4 }),
      fragment: fc.constantFrom('', '#', '#a?ref=b'),
    })
    .map((parts) => {
      const [prefix, labels, port] = parts.host;
      const query = parts.pairs.map(([name, value]) => `${name}=${value}`).join('&');
      const tail = parts.path.length === 0 ? '' : `/${parts.path.join('')}`;
      const search = query === '' ? '' : `?${query}`;
      return `${parts.scheme}://${prefix}${labels.join('.')}${port}${tail}${search}${parts.fragment}`;
    });

  test('agrees with its readable twin on random addresses', () => {
    fc.assert(
      fc.property(address, (url) => {
        const page = parsePageUrl(url);
        const query = readPageQuery(page?.search ?? '');
        expect({
          hostname: page?.hostname,
          path: page?.path,
          utmSource: query.utmSource,
          ref: query.ref,
        }).toEqual(twin(url));
      }),
      { numRuns: 1_000 },
    );
  });

  test('refuses or accepts any text at all without failing, as WHATWG does for its hosts', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((rest) => `https://${rest}`),
    );
    fc.assert(
      fc.property(text, (url) => {
        const page = parsePageUrl(url);
        if (page !== null) expect(page.path.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
