/**
 * Joins the modules of the service into few files, behind the compiler: the program and the entries of its
 * threads, with parts that several of them share. Packages stay where they are installed.
 *
 * Each thread loads what it needs by itself, and some 850 small modules cost a start more than all that it
 * then does. Measured: 2.25 s of processor time to a service that listens, 1.62 joined.
 *
 * What is the same already is left alone: services may be running from it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const PARTS = 'dist/parts';

const { outputFiles } = await build({
  entryPoints: ['src/main.ts', ...readdirSync('workers').map((name) => `workers/${name}`)],
  outbase: '.',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  legalComments: 'none',
  write: false,
  logLevel: 'error',
});
mkdirSync(PARTS, { recursive: true });
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
}
const made = new Set(outputFiles.map(({ path }) => path));
for (const name of readdirSync(PARTS)) {
  const path = resolve(join(PARTS, name));
  if (!made.has(path)) rmSync(path);
}
