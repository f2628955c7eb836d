/**
 * Completes package-lock.json with the optional packages of other platforms that `npm install` left out.
 *
 * npm drops an optional package that it cannot fetch from the registry at hand, and then `npm ci`
 * refuses the lock file everywhere. The entries need no more than version and platform, which
 * their names tell: on another platform npm skips them, on their own it fetches them.
 * Run it after every change of dependencies: `npm run lock`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = { ...lock.packages };

function platformEntry(name, version, owner) {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-');
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  if (os.length !== 1 || cpu.length !== 1) return null;
  const entry = { version, cpu };
  if (owner.dev) entry.dev = true;
  if (words.some((word) => word.startsWith('musl'))) entry.libc = ['musl'];
  if (words.some((word) => word.startsWith('gnu'))) entry.libc = ['glibc'];
  return { ...entry, optional: true, os };
}

let added = 0;
for (const [path, owner] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const own = `${path}/node_modules/${name}`;
    if (packages[`node_modules/${name}`] !== undefined || packages[own] !== undefined) continue;
    const entry = platformEntry(name, version, owner);
    if (entry === null) continue;
    packages[`node_modules/${name}`] = entry;
    added++;
  }
}

const sorted = Object.keys(packages).sort((left, right) => left.localeCompare(right, 'en'));
lock.packages = Object.fromEntries(sorted.map((path) => [path, packages[path]]));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`package-lock.json: ${added} packages of other platforms added\n`);
