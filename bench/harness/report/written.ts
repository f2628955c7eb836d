/**
 * What a run leaves in the repository: the table of requirements and the whole report in
 * `bench/README.md`, the figures as JSON, and the chart that README shows. Control plane.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSvg } from './chart.ts';
import { ROOT } from './machine.ts';
import { type Results, toJson, toMarkdown } from './report.ts';

const README = join(ROOT, 'bench/README.md');
const BEGIN = '<!-- results: written by `npm run bench -- --full --write` -->';
const END = '<!-- end of results -->';

/**
 * Writes the results of a run over those of the run before.
 *
 * @throws when the README has no place for them.
 */
export function writeResults(results: Results): void {
  const readme = readFileSync(README, 'utf8');
  writeFileSync(README, withResults(readme, toMarkdown(results)));
  writeFileSync(join(ROOT, 'bench/results.json'), toJson(results));
  for (const look of ['light', 'dark'] as const) {
    const svg = toSvg(results.figures, look);
    if (svg !== null) writeFileSync(join(ROOT, `bench/results-${look}.svg`), svg);
  }
}

/** A text with the results between its two marks, whatever stood there. Pure. */
export function withResults(readme: string, results: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('bench/README.md has no place for the results');
  return `${readme.slice(0, begin)}${BEGIN}\n\n${results}\n${readme.slice(end)}`;
}
