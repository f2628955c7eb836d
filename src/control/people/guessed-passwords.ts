/**
 * The passwords that attackers try first (M-80): the list of zxcvbn, 49,233 of them by frequency.
 *
 * Control plane. Those too short to be allowed are left out, which leaves some 1,600. Loaded when the
 * first password is set, which takes 30 ms; most threads never do.
 */
import { createRequire } from 'node:module';
import { codePointCount } from '../../base/validate.ts';
import { PASSWORD_LENGTH_MIN } from '../../model/limits.ts';

type Words = typeof import('@zxcvbn-ts/language-common');

let common: ReadonlySet<string> | null = null;

/** Whether everybody would guess it; upper and lower case make no difference. */
export function isCommonPassword(password: string): boolean {
  common ??= load();
  return common.has(password.toLowerCase());
}

function load(): ReadonlySet<string> {
  const words = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as Words;
  const passwords = words.dictionary['passwords-common'];
  return new Set(passwords.filter((word) => codePointCount(word) >= PASSWORD_LENGTH_MIN));
}
