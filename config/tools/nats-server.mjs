/**
 * Makes sure that the tests find a NATS server: Debian's package, installed where that is possible.
 *
 * Run by `npm test`. Where it cannot be installed it says in one line what to do, and ends with 1.
 */
import { spawnSync } from 'node:child_process';

const isThere = () => spawnSync('nats-server', ['--version']).status === 0;

function install() {
  if (process.getuid?.() !== 0) return;
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const get = (...parts) => spawnSync('apt-get', parts, options).status === 0;
  // The lists of a new machine may be empty or old.
  if (!get('install', '-y', 'nats-server')) {
    get('update');
    get('install', '-y', 'nats-server');
  }
}

if (!isThere()) install();
if (!isThere()) {
  process.stderr.write(
    'The tests need nats-server: install it (Debian and Ubuntu: apt-get install nats-server; ' +
      'others: https://nats.io/download) and run them again.\n',
  );
  process.exitCode = 1;
}
