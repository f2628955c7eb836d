// Goal: too few open files (EMFILE) is one line that names the limit and what to set, whatever it is.
// Method: the built program under `ulimit -n`, from nothing up to what it needs.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isOpenFileFault } from '../../src/base/open-files.ts';
import { failedStart } from '../../src/runtime/link/threads.ts';
import { cleanEnvironment, ENTRY_POINT } from '../support/service.ts';

/** Runs `footfall …words` where so many files may be open. */
function footfallWithin(limit: number, words: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-files-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const env = cleanEnvironment({ FOOTFALL_DATA_DIR: directory });
  const script = `ulimit -n ${limit}; exec "$0" "$@"`;
  const args = ['-c', script, process.execPath, ENTRY_POINT, ...words];
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile('bash', args, { env, timeout: 20_000 }, (_, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr });
    });
    if (words[0] === 'serve') child.stdout?.once('data', () => child.kill('SIGTERM'));
  });
}

test.each([24, 32, 48, 64, 100, 128, 200, 256])(
  'serve with %d open files says what to set',
  async (limit) => {
    const { status, stdout, stderr } = await footfallWithin(limit, ['serve', '--port', '0']);
    expect(stderr).toMatch(
      new RegExp(
        `^footfall: this process may have ${limit} files open and needs \\d+, .*ulimit -n.*\\n$`,
      ),
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  },
);

test('with as many as it says that it needs the service starts', async () => {
  const { stderr } = await footfallWithin(200, ['serve', '--port', '0']);
  const needed = Number(/needs (\d+)/.exec(stderr)?.[1]);
  const started = await footfallWithin(needed, ['serve', '--port', '0', '--json']);
  expect(started.stdout).toContain('listening on');
});

test('other commands work with few', async () => {
  const account = ['account', 'create', '--email', 'ada@example.org'];
  expect(await footfallWithin(128, account)).toMatchObject({ status: 0 });
});

test('a thread that cannot open a file says the same, however deep the error lies', () => {
  const system = Object.assign(new Error('Too many open files'), { code: 'EMFILE' });
  const wrapped = new Error('the state cannot be opened', { cause: system });
  expect(isOpenFileFault(wrapped)).toBe(true);
  expect(failedStart(wrapped)).toMatchObject({ failed: { code: 'OPEN_FILES_TOO_FEW' } });
  expect(failedStart(new Error('other'))).toMatchObject({ failed: expect.stringMatching('other') });
});
