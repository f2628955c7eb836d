/**
 * Goal: programs have the names of the kept-up list, quickly, whatever the user agent is (P-31).
 * Method: the list's own samples, a naive search through its patterns, and rows.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { ProgramNames } from '../../../src/ingest/agent/program-names.ts';
import { MORE_PROGRAMS } from '../../../src/ingest/data/programs.ts';
import { Pipeline } from '../../../src/ingest/pipeline.ts';

interface Listed {
  pattern: string;
  instances?: string[];
}

const names = new ProgramNames();
const path = createRequire(import.meta.url).resolve('crawler-user-agents');
const listed = JSON.parse(readFileSync(path, 'utf8')) as Listed[];
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

test.each([
  [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Googlebot',
    'search',
  ],
  ['Googlebot-Image/1.0', 'Googlebot-Image', 'search'],
  ['Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', 'GPTBot', 'ai'],
  ['Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)', 'ClaudeBot', 'ai'],
  ['facebookexternalhit/1.1', 'facebookexternalhit', 'preview'],
  [
    'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
    'UptimeRobot',
    'monitor',
  ],
  ['curl/8.5.0', 'curl', 'library'],
  ['Wget/1.21.4', 'Wget', 'library'],
  ['python-requests/2.31.0', 'python-requests', 'library'],
  ['Java/17.0.1', 'Java', 'library'],
  ['PostmanRuntime/7.37.3', 'Postman', 'library'],
  ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'AhrefsBot', 'other'],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'YandexBot', 'search'],
  // Anchored in the list: only where a user agent begins.
  ['not curl/8.5.0', '', 'other'],
  [PERSON, '', 'other'],
  ['', '', 'other'],
  ['xy', '', 'other'],
])('%s is %j, of kind %s', (agent, name, kind) => {
  expect([names.find(agent), names.kindOf(names.find(agent))]).toEqual([name, kind]);
});

describe('every sample of the list', () => {
  test('has a name, but for browsers in apps that the list takes for programs', () => {
    const samples = listed.flatMap(({ instances = [] }) => instances);
    const unnamed = samples.filter((agent) => names.find(agent) === '');
    expect(unnamed.length).toBe(5);
    for (const agent of unnamed) expect(agent).toMatch(/wv\)|Electron|Fluid/);
  });

  test('is named when, and only when, a pattern matches it', () => {
    const patterns = listed.map(({ pattern }) => new RegExp(pattern));
    const samples = listed.flatMap(({ instances = [] }) => instances.slice(0, 1));
    // In other places and cut short, too: there other patterns match, or none.
    const texts = samples.flatMap((agent) => [
      agent,
      ` ${agent}`,
      agent.slice(0, -4),
      agent.slice(3),
    ]);
    for (const text of texts) {
      const matches = patterns.some((pattern) => pattern.test(text.slice(0, 500)));
      const isOurs = MORE_PROGRAMS.some((program) => text.includes(program.text));
      if (isOurs || /AP3A|MetaIAB|Code\/1|Trae\/|Fluid/.test(text)) continue;
      expect(`${names.find(text) !== ''} ${text}`).toBe(`${matches} ${text}`);
    }
  });
});

test('a name is a word or a few, not what the list searches for', () => {
  const found = new Set(
    listed.flatMap(({ instances = [] }) => instances.map((a) => names.find(a))),
  );
  expect(found.size).toBeGreaterThan(1_400);
  for (const name of found) expect(name).not.toMatch(/[\\^$*[\]|]|\/$|^\s|\s$/);
});

test('the pipeline asks once per user agent, and finds the same', () => {
  const nowhere = { country: '', region: '', city: '' };
  const pipeline = new Pipeline({ locate: () => nowhere, visitorKey: new Uint8Array(32) });
  for (let time = 0; time < 3; time++) {
    expect(pipeline.botOf('Googlebot-Image/1.0')).toBe('Googlebot-Image');
    expect(pipeline.botOf(PERSON)).toBe('');
  }
  expect(pipeline.kindOfBot('Googlebot-Image')).toBe('search');
});

test('the longest user agents, each a new one, take microseconds', () => {
  // What the index stops at most often: signs that nearly match, over and over.
  const filling = 'HeadlessChrom Googlebo GPTBo crawle '.repeat(300);
  const startMs = performance.now();
  for (let agent = 0; agent < 2_000; agent++) names.find(`${agent} ${filling}`);
  // A hundred times what it takes, for slow machines: searching for each pattern takes longer still.
  expect(performance.now() - startMs).toBeLessThan(2_000);
});
