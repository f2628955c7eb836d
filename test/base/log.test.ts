// Goal: log lines go to standard error, whole, in the asked form, and only the asked ones.
// Method: a child process with the built module writes and ends at once.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = join(import.meta.dirname, '../../dist/src/base/log.js');

function written(level: string, format: string): { stdout: string; stderr: string } {
  const script = `
    import { EventLog } from ${JSON.stringify(module)};
    const rows = {
      'area.hello': { level: 'info', text: 'hello', fields: { hits: 'how many' } },
      'area.trouble': { level: 'error', text: 'trouble', fields: {} },
    };
    const log = new EventLog(rows, { level: '${level}', format: '${format}', thread: 'edge' });
    log.tell('area.hello', { hits: 3 });
    log.tell('area.trouble');
    process.exit(0);
  `;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}

test('json is one object a line with time, level, thread, event and fields (P-32)', () => {
  const { stdout, stderr } = written('info', 'json');
  expect(stdout).toBe('');
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    ...{ level: 30, thread: 'edge', event: 'area.hello', hits: 3, msg: 'hello' },
  });
  expect(lines[0].time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test('pretty is for people', () => {
  const { stdout, stderr } = written('info', 'pretty');
  expect(stdout).toBe('');
  expect(stderr).toMatch(/INFO.*hello/);
  expect(() => JSON.parse(stderr.split('\n')[0] ?? '')).toThrow();
});

test('lines below the level are not written, and silent writes none', () => {
  expect(written('error', 'json').stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(written('silent', 'json').stderr).toBe('');
});
