// Goal: the unit that the package ships is one that systemd understands, and takes from the service
// what it does not need (P-40).
// Method: systemd judges it by itself, where its tools are; the lines that a start needs are read.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const UNIT = 'config/systemd/footfall.service';
/** Of 100, less is better; 100 is a service without any protection. */
const EXPOSURE_MAX = 20;

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;

function analyze(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words);
  return { status, said: `${stdout}${stderr}` };
}

test.runIf(isThere)('P-40: systemd finds nothing wrong with the unit', () => {
  expect(analyze('verify', UNIT)).toEqual({ status: 0, said: '' });
});

test.runIf(isThere)('P-40: what the service could do to its machine is little', () => {
  const { status, said } = analyze(
    'security',
    '--offline=true',
    `--threshold=${EXPOSURE_MAX}`,
    UNIT,
  );
  expect(status, said).toBe(0);
});

test('P-40: it runs as nobody in particular, is given time to end, and reads its settings', () => {
  const lines = readFileSync(UNIT, 'utf8').split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'DynamicUser=yes',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'ExecReload=/bin/kill -HUP $MAINPID',
      'EnvironmentFile=-/etc/footfall/environment',
      'Restart=on-failure',
    ]),
  );
  const seconds = /^TimeoutStopSec=(\d+)s$/m.exec(lines.join('\n'))?.[1];
  // A stop takes 10 s at most; then systemd would kill it.
  expect(Number(seconds)).toBeGreaterThan(10);
});
