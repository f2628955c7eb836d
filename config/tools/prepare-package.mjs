/**
 * Adds to `dist` what only the npm package needs: the types of `footfall/client`, and the licences of
 * the programs that the dashboard is made of, as text. Run by `npm pack`, behind the build.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENT = 'dist/src/client';
const LINE = '-'.repeat(80);

const compiler = ['node_modules/typescript/bin/tsc', '-p', 'config/tools/tsconfig.client.json'];
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (status !== 0) process.exit(1);
for (const name of readdirSync(CLIENT, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = join(CLIENT, name);
  // The compiler changes the ends of names in programs only.
  const types = readFileSync(file, 'utf8').replaceAll(/( from '\.[^']*)\.ts'/g, "$1.js'");
  writeFileSync(file, types);
}

const packages = JSON.parse(readFileSync('dist/dashboard/packages.json', 'utf8'));
const texts = packages.map(
  ({ name, version, licence, url, text }) =>
    `${LINE}\n${name} ${version}, ${licence}\n${url}\n\n${text.trim()}\n`,
);
const head =
  'Footfall is under the Apache License 2.0 (LICENSE). Parts of these packages are in the files of its\n' +
  'dashboard; every other package that it uses is installed beside it, with its own licence.\n';
writeFileSync('dist/THIRD-PARTY.txt', [head, ...texts].join('\n'));
