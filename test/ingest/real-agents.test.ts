/**
 * Goal: people are counted and programs are not (I-15 to I-23): of real user agents at most one of a
 * hundred people is dropped, and at most two of a hundred programs are counted.
 * Method: `real-agents.txt`, which names the public list each group is from and says of each user agent
 * what becomes of it; and every sample of the package `crawler-user-agents`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { parsePageUrl } from '../../src/ingest/page/page-url.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import { Pipeline } from '../../src/ingest/pipeline.ts';
import { DROP_REASONS } from '../../src/model/drop-reasons.ts';
import { HitKind } from '../../src/model/hit.ts';

const STORED = 'stored';
/** Not the filter's doing: the rule I-19 says how old a browser may be. */
const TOO_OLD = 'browser';

interface RealAgent {
  readonly group: string;
  readonly fate: string;
  readonly agent: string;
}

const rows = readTable(readFileSync(new URL('real-agents.txt', import.meta.url), 'utf8'));
const people = rows.filter(({ group }) => group.startsWith('People: '));
const bots = rows.filter(({ group }) => group.startsWith('Bots: '));

const pipeline = new Pipeline({
  locate: () => ({ country: '', region: '', city: '' }),
  visitorKey: new Uint8Array(32),
});
const site = siteWith('d', 'example.org');
const page = parsePageUrl('https://example.org/');

/** Lines of fate and user agent; a heading before each group. */
function readTable(text: string): RealAgent[] {
  let group = '';
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) group = line.slice(3);
    const [fate = '', agent = ''] = line.split('\t');
    return agent === '' ? [] : [{ group, fate, agent }];
  });
}

function fateOf(user_agent: string): string {
  const raw = { url: 'https://example.org/', ip: '8.8.8.8', user_agent };
  const input = { kind: HitKind.PageView, raw, page, site, timeMs: 0, requestVerdict: 0 };
  const result = pipeline.run(input);
  return typeof result === 'number' ? String(DROP_REASONS[result]) : STORED;
}

describe('of real user agents', () => {
  test('there are hundreds, of every kind, each once', () => {
    expect(people.length).toBeGreaterThan(250);
    expect(bots.length).toBeGreaterThan(250);
    expect(new Set(rows.map(({ group }) => group)).size).toBeGreaterThan(20);
    expect(new Set(rows.map(({ agent }) => agent)).size).toBe(rows.length);
    for (const { group } of rows) expect(group).toMatch(/^(People|Bots): .+ \(.+\)$/);
  });

  test.each([...new Set(rows.map(({ group }) => group))])(
    '%s become what the rules say (I-15 to I-23)',
    (group) => {
      const own = rows.filter((row) => row.group === group);
      const fates = own.map(({ agent }) => `${fateOf(agent)}\t${agent}`);
      expect(fates).toEqual(own.map(({ fate, agent }) => `${fate}\t${agent}`));
    },
  );

  test('at most 1 % of people are dropped by more than the age of their browser', () => {
    const misjudged = people.filter(({ agent }) => ![STORED, TOO_OLD].includes(fateOf(agent)));
    // A phone whose maker is called Cubot: the rule names the word (I-22).
    expect(misjudged.map(({ agent }) => /CUBOT/.test(agent))).toEqual([true]);
    expect(misjudged.length / people.length).toBeLessThan(0.01);
    // Those are none that could be anybody's today.
    const old = people.filter(({ agent }) => fateOf(agent) === TOO_OLD);
    expect(old.filter(({ group }) => /desktop|phones \(top/.test(group))).toEqual([]);
  });

  test('at least 98 % of programs are dropped', () => {
    const misjudged = bots.filter(({ agent }) => fateOf(agent) === STORED);
    expect(misjudged.length / bots.length).toBeLessThan(0.02);
  });

  test('of all samples of crawler-user-agents at least 99.5 % are dropped (I-22)', () => {
    const path = createRequire(import.meta.url).resolve('crawler-user-agents');
    const listed = JSON.parse(readFileSync(path, 'utf8')) as { instances?: string[] }[];
    const samples = listed.flatMap(({ instances = [] }) => instances);
    expect(samples.length).toBeGreaterThan(2_000);
    const stored = samples.filter((agent) => fateOf(agent) === STORED);
    expect(stored.length / samples.length).toBeLessThan(0.005);
  });
});
