// Goal: an environment that is new takes no memory that one which was there does not take.
// Method: a process of its own makes some; what the allocator learns, it learns for good.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cleanEnvironment, PROJECT_ROOT } from '../support/service.ts';

const COUNT = 60;
/** LMDB's list of freed pages alone has a megabyte, which is not to be touched. */
const KILOBYTES_MAX = 600;

const MAKES = `
  import { readFileSync } from 'node:fs';
  const { StateEnvironment } = await import(process.argv[1]);
  const own = () => Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  const make = (name) => {
    const environment = new StateEnvironment(process.argv[2] + '/' + name);
    environment.write(() => environment.put(['a'], new Uint8Array(100)));
    return environment;
  };
  const kept = [make('first')];
  const before = own();
  for (let index = 0; index < ${COUNT}; index++) kept.push(make('made ' + index));
  process.stdout.write(String((own() - before) / ${COUNT}));
  process.exit(0);
`;

test('a new environment keeps no megabyte', { timeout: 60_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'footfall-test-'));
  try {
    const program = join(PROJECT_ROOT, 'dist/src/store/state-environment.js');
    const words = ['--input-type=module', '-e', MAKES, program, root];
    const made = await promisify(execFile)(process.execPath, words, { env: cleanEnvironment() });
    expect(Number(made.stdout)).toBeGreaterThan(0);
    expect(Number(made.stdout)).toBeLessThan(KILOBYTES_MAX);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
