// Goal: `npm ci` works on a fresh machine: the lock file is whole, for other platforms too. The same
// holds for what only the benchmarks need (`bench/package-lock.json`).
// Method: every optional package that a package of the lock file names is itself in the lock file;
// npm refuses a lock file without them (`npm run lock` adds them).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

describe.each(['', 'bench/'])('the lock file %spackage-lock.json', (folder) => {
  const { packages } = JSON.parse(readFileSync(`${folder}package-lock.json`, 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };

  test('holds the packages of all platforms', () => {
    const missing = Object.entries(packages).flatMap(([path, owner]) =>
      Object.keys(owner.optionalDependencies ?? {}).filter(
        (name) =>
          packages[`node_modules/${name}`] === undefined &&
          packages[`${path}/node_modules/${name}`] === undefined,
      ),
    );
    expect(missing).toEqual([]);
  });

  test('names no registry: it is valid wherever one is', () => {
    expect(Object.values(packages).filter((locked) => locked.resolved !== undefined)).toEqual([]);
  });

  test('locks every package of package.json at its version', () => {
    const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as Partial<
      Record<'dependencies' | 'devDependencies', Record<string, string>>
    >;
    const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    const loose = wanted.filter(([name, version]) => {
      const locked = packages[`node_modules/${name}`]?.version;
      return locked === undefined || !version.endsWith(locked);
    });
    expect(loose).toEqual([]);
  });
});
