// Goal: operators see what was dropped, whatever log level they have set.
// Method: a child process counts, ends and is read; the log is the built one.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dropReason } from '../../../src/model/drop-reasons.ts';

const built = (path: string): string =>
  JSON.stringify(join(import.meta.dirname, '../../../dist/src', path));

function written(level: string): string {
  const script = `
    import { openLog } from ${built('model/log.js')};
    import { DropCounts } from ${built('runtime/telemetry/drop-counts.js')};
    const log = openLog({ level: '${level}', format: 'json', thread: 'edge-0' });
    const counts = new DropCounts(log);
    log.tell('node.stopped');
    counts.count(${dropReason('ua-keyword')}, 2);
    counts.count(${dropReason('hostname')}, 1);
    counts.count(${dropReason('ua-keyword')}, 3);
    counts.stop();
  `;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    .stderr;
}

test.each([
  ['trace', 2],
  ['info', 2],
  ['warn', 1],
  ['error', 1],
  ['fatal', 1],
])('at the level %s dropped hits are counted in a line of their own (A-8)', (level, lines) => {
  const texts = written(level).trimEnd().split('\n');
  expect(texts).toHaveLength(lines);
  expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject({
    thread: 'edge-0',
    event: 'hits.dropped',
    dropped: { 'ua-keyword': 5, hostname: 1 },
    msg: 'hits dropped by rule',
  });
});

test('silent is silent', () => {
  expect(written('silent')).toBe('');
});
