// Goal: `npm ci` works on a fresh machine: the lock file is whole, for other platforms too.
// Method: every optional package that a package of the lock file names is itself in the lock file;
// npm refuses a lock file without them (`npm run lock` adds them).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

test('the lock file holds the packages of all platforms', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, owner]) =>
    Object.keys(owner.optionalDependencies ?? {}).filter(
      (name) =>
        lock.packages[`node_modules/${name}`] === undefined &&
        lock.packages[`${path}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

test('every package of package.json is locked at its version', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  const loose = wanted.filter(([name, version]) => {
    const locked = lock.packages[`node_modules/${name}`]?.version;
    return locked === undefined || !version.endsWith(locked);
  });
  expect(loose).toEqual([]);
});
