/** The npm package of this build, made and unpacked as npm does it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanEnvironment, PROJECT_ROOT } from './service.ts';

/** What is in a package, as `npm pack --json` tells it. */
export interface Packed {
  readonly filename: string;
  /** Bytes, compressed. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/**
 * Packs the build that is there; the tests' own build is not made again.
 *
 * @param folder that the tarball is written to; null: only tells what would be in it.
 */
export function packBuild(folder: string | null): Packed {
  const options = { cwd: PROJECT_ROOT, env: cleanEnvironment(), maxBuffer: 2 ** 24 };
  execFileSync(process.execPath, ['config/tools/prepare-package.mjs'], options);
  const where = folder === null ? ['--dry-run'] : ['--pack-destination', folder];
  const words = ['pack', '--json', '--ignore-scripts', ...where];
  const [packed] = JSON.parse(execFileSync('npm', words, { ...options, stdio: 'pipe' }).toString());
  return packed as Packed;
}

/**
 * Unpacks a tarball where `npm install` would have it, beside the packages that it asks for, no others.
 *
 * @returns the program's file.
 */
export function unpackBeside(tarball: string, folder: string): string {
  const home = join(folder, 'node_modules', 'footfall');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components=1']);
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    readonly bin: { readonly footfall: string };
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(PROJECT_ROOT, 'node_modules', name), link);
  }
  return join(home, manifest.bin.footfall);
}
