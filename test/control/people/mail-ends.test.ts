// Goal: what a link in a mail ends is what it was made for, and nobody makes or changes one without the
// key; what has the form of another credential is none (O-21).
// Method: every byte of a token changed by itself, other keys, other spellings, access tokens.
import { expect, test } from 'vitest';
import { readToken, signToken } from '../../../src/control/access-token.ts';
import {
  type MailEnd,
  mailEndAddress,
  readMailEnd,
  signMailEnd,
} from '../../../src/control/people/mail-ends.ts';
import { NOTICE_KINDS } from '../../../src/control/resources/preference.ts';

const KEY = new Uint8Array(32).fill(7);
const [DOMAIN, PERSON, REPORT] = ['d', 'p', 'r'].map((letter) => letter.repeat(20)) as [
  string,
  string,
  string,
];
const ENDS: readonly MailEnd[] = [
  { kind: 'report', reportId: REPORT },
  ...NOTICE_KINDS.map((kind) => ({ kind, domainId: DOMAIN, userId: PERSON })),
];

test.each(ENDS)('O-21: $kind is read as it was signed, and always has the same address', (end) => {
  const token = signMailEnd(end, KEY);
  expect(readMailEnd(token, KEY)).toEqual(end);
  expect(signMailEnd(end, KEY)).toBe(token);
  const address = new URL(mailEndAddress('https://stats.example.org', end, KEY));
  expect(address.pathname).toBe('/api/v1/unsubscribe');
  expect(address.searchParams.get('token')).toBe(token);
});

test('O-21: ends of different things are different', () => {
  expect(new Set(ENDS.map((end) => signMailEnd(end, KEY))).size).toBe(ENDS.length);
});

test('O-21: no byte of it can be changed, no other key signs, and no other spelling counts', () => {
  const token = signMailEnd({ kind: 'spike', domainId: DOMAIN, userId: PERSON }, KEY);
  const bytes = Buffer.from(token, 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = Number(changed[index]) ^ 1;
    expect(readMailEnd(changed.toString('base64url'), KEY)).toBeNull();
  }
  expect(readMailEnd(token, new Uint8Array(32).fill(8))).toBeNull();
  for (const other of [
    '',
    token.slice(0, -1),
    `${token}A`,
    `${token.slice(0, -1)}=`,
    ` ${token}`,
  ]) {
    expect(readMailEnd(other, KEY)).toBeNull();
  }
});

test('O-21, A-16: it is no access token, and an access token ends nothing', () => {
  const end = signMailEnd({ kind: 'goal', domainId: DOMAIN, userId: PERSON }, KEY);
  expect(readToken(end, KEY)).toBeNull();
  const access = signToken({ of: 'client', id: DOMAIN, expiresMs: 1 }, KEY);
  expect(readMailEnd(access, KEY)).toBeNull();
});
