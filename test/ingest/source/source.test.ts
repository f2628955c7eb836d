/**
 * Goal: the tables of sources say one thing about each source (I-92, I-98).
 * Method: the word lists as texts, then their reading through the public functions.
 */
import { describe, expect, test } from 'vitest';
import { ANDROID_APPS } from '../../../src/ingest/data/android-apps.ts';
import { SOURCES } from '../../../src/ingest/data/referrers.ts';
import { androidAppName, sourceCategory, sourceName } from '../../../src/ingest/source/source.ts';

const rows = Object.entries(SOURCES).flatMap(([category, text]) =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', words = ''] = line.trim().split(': ');
      return { category, name, words: words.split(' ') };
    }),
);

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
