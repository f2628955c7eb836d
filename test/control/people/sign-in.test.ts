// Goal: what was compared a moment ago decides nothing once it has changed.
// Method: the pure functions over a real registry, with the hash of the moment before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../../src/control/accounts.ts';
import { passwordSet, personOf, signedIn } from '../../../src/control/people/sign-in.ts';
import { Registry } from '../../../src/control/registry/registry.ts';

const EMAIL = 'ada@example.org';
const BY = { kind: 'cli', id: '' } as const;
let directory: string;
let registry: Registry;
let userId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-people-'));
  registry = Registry.open(directory, 0);
  userId = (await createAccount(registry, { email: EMAIL }, 0)).user.id;
});
afterEach(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

const at = () => ({ userId, view: registry.view, nowMs: 0 });
const set = (hash: string) =>
  registry.change({ nowMs: 0, by: BY }, () => passwordSet(at(), hash, ''));

test('a password that was changed while it was compared opens nothing (M-80)', async () => {
  await set('the hash');
  expect(personOf(EMAIL, registry.view)?.hash).toBe('the hash');
  expect(signedIn(at(), { hash: 'the hash', code: '' }).changes).toHaveLength(1);
  await set('another hash');
  expect(() => signedIn(at(), { hash: 'the hash', code: '' })).toThrow('do not match an account');
});

test('who has no password is let in by none (M-80)', () => {
  expect(personOf(EMAIL, registry.view)?.hash).toBe(null);
  expect(() => signedIn(at(), { hash: null, code: '' })).toThrow('do not match an account');
});
