// Goal: codes are those of RFC 6238, for as long as clocks differ, each once; recovery codes are strong.
// Method: the vectors of the RFC; moments around the borders of steps; many generated codes.
import { describe, expect, test } from 'vitest';
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryHash,
  stepOfCode,
  totpCode,
  totpUri,
} from '../../../src/control/people/totp.ts';

/** The RFC's secret `12345678901234567890` in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const STEP_MS = 30_000;
const NOW_MS = 1_111_111_110_000;
const STEP = NOW_MS / STEP_MS;

test.each([
  // RFC 6238, appendix B: the last six of its eight digits.
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %d is %s (M-80)', (seconds, code) => {
  expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code);
});

describe('a code counts', () => {
  const at = (ms: number, code: string, lastStep = 0) =>
    stepOfCode(code, { secret: SECRET, lastStep }, ms);

  test.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('of the step %d from now: %s (M-80)', (distance, isTaken) => {
    const code = totpCode(SECRET, STEP + distance);
    expect(at(NOW_MS, code)).toBe(isTaken ? STEP + distance : null);
    expect(at(NOW_MS + STEP_MS - 1, code)).toBe(isTaken ? STEP + distance : null);
  });

  test('once: neither its step nor an earlier one again (M-80)', () => {
    const code = totpCode(SECRET, STEP);
    expect(at(NOW_MS, code, STEP - 1)).toBe(STEP);
    expect(at(NOW_MS, code, STEP)).toBe(null);
    expect(at(NOW_MS, totpCode(SECRET, STEP - 1), STEP)).toBe(null);
    expect(at(NOW_MS, totpCode(SECRET, STEP + 1), STEP)).toBe(STEP + 1);
  });

  test.each([
    ['with a space, as apps show it', '050 471', true],
    ['with another digit', '050472', false],
    ['without its zero', '50471', false],
    ['with one digit more', '0504711', false],
    ['as nothing', '', false],
    ['in other letters', '٠٥٠٤٧١', false],
  ])('%s: %s', (_, code, isTaken) => {
    expect(at(1_111_111_111_000, code) !== null).toBe(isTaken);
  });
});

test('a secret has 160 bits in base32, and another one each time', () => {
  const secrets = new Set(Array.from({ length: 100 }, newTotpSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

test('base32 there and back: the code of a known secret of every length of bits', () => {
  // RFC 4226, appendix D: the counter's first values.
  const codes = ['755224', '287082', '359152', '969429', '338314'];
  expect(codes.map((_, counter) => totpCode(SECRET, counter))).toEqual(codes);
});

test('the address of the QR code says what an app needs, whatever the e-mail is', () => {
  const url = new URL(totpUri(SECRET, 'ada+x&y=?@example.org'));
  expect(url.protocol + url.host).toBe('otpauth:totp');
  expect(decodeURIComponent(url.pathname)).toBe('/Footfall:ada+x&y=?@example.org');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ secret: SECRET, issuer: 'Footfall', algorithm: 'SHA1', digits: '6', period: '30' },
  });
});

test('ten recovery codes of 80 bits, taken however they are typed (M-80)', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
    expect(recoveryHash(typed)).toBe(recoveryHash(code));
  }
  expect(new Set(codes.map(recoveryHash)).size).toBe(10);
});
