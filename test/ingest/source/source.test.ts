/**
 * Goal: the tables of sources say one thing about each source (I-92, I-98).
 * Method: the word lists as texts, then their reading through the public functions, which are
 * compared with a search through all rows.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANDROID_APPS } from '../../../src/ingest/data/android-apps.ts';
import { SOURCES } from '../../../src/ingest/data/referrers.ts';
import { SOURCE_ICONS } from '../../../src/ingest/data/source-icons.ts';
import { androidAppName, sourceCategory, sourceName } from '../../../src/ingest/source/source.ts';
import { sourceIcon, sourceIconImage } from '../../../src/ingest/source/source-icon.ts';
import { tries } from '../../support/runs.ts';

const rows = Object.entries(SOURCES).flatMap(([category, text]) =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', words = ''] = line.trim().split(': ');
      return { category, name, words: words.split(' ') };
    }),
);

/** As the rule says it: host and path, else the host, else the host under every country, else itself. */
function naiveName(host: string, path: string): string {
  const named = (word: string) => rows.find(({ words }) => words.includes(word))?.name;
  const exact = (path === '' ? undefined : named(host + path)) ?? named(host);
  if (exact !== undefined) return exact;
  const [, family = '', second = ''] = /^([^.]+)(?:\.([^.]+))?\.[^.]+$/.exec(host) ?? [];
  return (second.length <= 3 ? named(`${family}.*`) : undefined) ?? host;
}

describe('the table of sources', () => {
  test('gives every host and word one name, and every name one category', () => {
    const words = rows.flatMap((row) => row.words);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
    const categories = new Map<string, Set<string>>();
    for (const { name, category } of rows) {
      categories.set(name, (categories.get(name) ?? new Set()).add(category));
    }
    expect([...categories].filter(([, known]) => known.size > 1)).toEqual([]);
    expect(categories.size).toBeGreaterThan(250);
  });

  test('is read whole: every host has its name, every name its category', () => {
    for (const { name, category, words } of rows) {
      expect([name, sourceCategory(name)]).toEqual([name, category]);
      for (const word of words) {
        expect([word, sourceCategory(word.replace('.*', '.de'))]).toEqual([word, category]);
        if (!word.includes('.')) continue;
        const [host = '', ...path] = word.replace('.*', '.co.uk').split('/');
        const end = path.length === 0 ? '' : `/${path.join('/')}`;
        expect([word, sourceName(host, end)]).toEqual([word, name]);
      }
    }
  });

  test.each([
    ['bing.com', '/chat', 'Copilot'],
    ['bing.com', '/search', 'Bing'],
    ['github.com', '/copilot', 'GitHub Copilot'],
    ['github.com', '/a/b', 'GitHub'],
    ['amazon.com.br', '', 'Amazon'],
    ['aws.amazon.com', '', 'aws.amazon.com'],
  ])('%s with path %j is %s: host and path go before the host (I-91)', (host, path, name) => {
    expect(sourceName(host, path)).toBe(name);
  });

  test('says for any host what a search through all rows says (I-91, I-92)', () => {
    const hosts = rows.flatMap(({ words }) => words.filter((word) => word.includes('.')));
    const known = fc.constantFrom(...hosts).map((word) => {
      const [host = '', ...rest] = word.split('/');
      return { host, path: rest.length === 0 ? '' : `/${rest.join('/')}` };
    });
    const ending = fc.constantFrom('de', 'com', 'co.uk', 'com.br', 'blog.de', 'com.evil.example');
    const label = fc.constantFrom('', 'm.', 'x', 'mail.', 'not', 'a.b.');
    const asked = fc.record({ known, ending, label, path: fc.constantFrom('', '/chat', '/x/i') });
    fc.assert(
      fc.property(asked, ({ known: { host, path: own }, ending: end, label: before, path }) => {
        const given = `${before}${host.replace('.*', `.${end}`)}`;
        for (const shown of [own, path]) {
          expect([given, shown, sourceName(given, shown)]).toEqual([
            ...[given, shown, naiveName(given, shown)],
          ]);
        }
      }),
      tries(8_000),
    );
  });

  test('has icons for names of its own only, and each is a picture', () => {
    const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
    const names = new Set(rows.map(({ name }) => plain(name)));
    const lines = SOURCE_ICONS.trim().split('\n');
    expect(lines.length).toBeGreaterThan(100);
    for (const line of lines) {
      const [name = '', colour, outline] = /^(\S+) ([\dA-F]{6}) (M.*|m.*)$/
        .exec(line.trim())!
        .slice(1);
      expect([name, names.has(name)]).toEqual([name, true]);
      const image = sourceIconImage(`${name}.svg`);
      expect(image).toContain(`fill="#${colour}"><path d="${outline}"/></svg>`);
      // Nothing that could be a script, an address or the end of an attribute.
      expect(outline).toMatch(/^[\d\sa-zA-Z.,-]+$/);
    }
    expect(sourceIcon('Hacker News')).toBe('/icons/hackernews.svg');
    expect([sourceIcon('LinkedIn'), sourceIcon(''), sourceIcon('constructor')]).toEqual([
      '',
      '',
      '',
    ]);
    expect(['reddit', 'reddit.png', '.svg', '../x.svg'].map(sourceIconImage)).toEqual([
      ...[null, null, null, null],
    ]);
  });

  test('an Android app has the name of its site where there is one', () => {
    const names = new Set(rows.map((row) => row.name));
    const apps = ANDROID_APPS.trim().split('\n');
    for (const app of apps) {
      const [id = '', name = ''] = app.trim().split(': ');
      expect([id, androidAppName(id), names.has(name)]).toEqual([id, name, true]);
    }
    expect(androidAppName('org.example.app')).toBe('org.example.app');
  });
});
