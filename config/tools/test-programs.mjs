/**
 * Makes sure that the tests find the programs they drive: a NATS server, a browser, what makes
 * certificates, promtool: Debian's packages, installed where that is possible.
 *
 * Run by `npm test`. Where one cannot be installed it says in one line what to do, and ends with 1.
 */
import { spawnSync } from 'node:child_process';

const PROGRAMS = [
  {
    command: 'nats-server',
    packages: ['nats-server'],
    elsewhere: 'others: https://nats.io/download',
  },
  {
    command: 'openssl',
    // Older ones refuse `--version`.
    asks: 'version',
    packages: ['openssl'],
    elsewhere: 'others: https://openssl.org',
  },
  // Without a font a page has no letters.
  {
    command: 'chromium',
    packages: ['chromium', 'fonts-dejavu-core'],
    elsewhere: 'others: a Chromium at /usr/bin/chromium',
  },
  {
    command: 'promtool',
    packages: ['prometheus'],
    elsewhere: 'others: https://prometheus.io/download',
    daemon: 'prometheus',
  },
];

const isThere = ({ command, asks = '--version' }) => spawnSync(command, [asks]).status === 0;

function install(packages) {
  if (process.getuid?.() !== 0) return;
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const get = (...parts) => spawnSync('apt-get', parts, options).status === 0;
  const wanted = ['install', '-y', '--no-install-recommends', ...packages];
  // The tests start what they need themselves: a server that comes with a package stays asleep.
  options.env.RUNLEVEL = '1';
  // The lists of a new machine may be empty or old.
  if (!get(...wanted)) {
    get('update');
    get(...wanted);
  }
}

/** Where the system's manager of services has started it all the same. */
const end = (daemon) => spawnSync('systemctl', ['disable', '--now', daemon], { stdio: 'ignore' });

const missing = PROGRAMS.filter((program) => !isThere(program));
if (missing.length > 0) install(missing.flatMap(({ packages }) => packages));
for (const { daemon } of missing) if (daemon !== undefined) end(daemon);
for (const program of missing.filter((one) => !isThere(one))) {
  const { command, packages, elsewhere } = program;
  process.stderr.write(
    `The tests need ${command}: install it (Debian and Ubuntu: apt-get install ` +
      `${packages.join(' ')}; ${elsewhere}) and run them again.\n`,
  );
  process.exitCode = 1;
}
