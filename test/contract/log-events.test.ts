// Goal: the events of the log (P-32) are those of the table: none is told nowhere, none is missing on
// the page. Method: names are looked up in the sources; the tool that writes the pages looks whether it
// would write others.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { LOG_EVENTS } from '../../src/model/log-events.ts';
import { codeLines, sourceFiles } from './sources.ts';

const NAMES = Object.keys(LOG_EVENTS);

test('the pages that are made of tables are as the tables are', () => {
  const tool = ['config/tools/generate-pages.mjs', '--check'];
  expect(execFileSync('node', tool, { encoding: 'utf8' })).toBe('');
});

test('every event is named area.what, and told somewhere (P-32)', () => {
  expect(NAMES.filter((name) => !/^[a-z-]+\.[a-z-]+$/.test(name))).toEqual([]);
  const code = sourceFiles(['src', 'workers'])
    .filter(({ path }) => path !== 'src/model/log-events.ts')
    .map((file) => codeLines(file).join('\n'))
    .join('\n');
  expect(NAMES.filter((name) => !code.includes(`'${name}'`))).toEqual([]);
});
