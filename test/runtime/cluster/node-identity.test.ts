// Goal: a start knows which nodes before it, on its own data directory, cannot be alive any more.
// Method: the functions on a temporary directory, as starts call them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settleIdentity, takeIdentity } from '../../../src/runtime/cluster/node-identity.ts';

test('starts that never joined are remembered until one has', () => {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-identity-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const first = takeIdentity(directory);
  expect(first.previous).toEqual([]);
  const second = takeIdentity(directory);
  const third = takeIdentity(directory);
  expect(third.previous).toEqual([first.self, second.self]);
  settleIdentity(directory, third);
  expect(takeIdentity(directory).previous).toEqual([third.self]);
});
