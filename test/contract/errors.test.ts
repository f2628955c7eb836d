// Goal: the table of errors, the code that uses it and the page of errors say the same.
// Method: compare all three both ways; a code nobody makes or nobody explains is a failure. What a
// client reads is made of details that name files, hosts and the system's words.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errors, OperatingError, restoreError, sendError } from '../../src/model/errors.ts';
import { sourceFiles } from './sources.ts';

type AnyMaker = (detail: unknown) => OperatingError;

/** Answers every property with a text, so that any row's text can be made. */
const anyDetail = new Proxy({}, { get: () => 'x' });

/** What the system says, as a detail of an error. */
const POISON = "ENOSPC: no space left on device, write '/srv/footfall/log/7' at 10.0.0.7:4222";
const poisoned = new Proxy({}, { get: () => POISON });

/** Rows that repeat what the client itself has sent, and nothing else. */
const REPEATS_REQUEST = new Set([
  ...['VALIDATION_FAILED', 'BODY_NOT_JSON', 'BODY_ENCODED', 'PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'],
  ...['RECORD_NOT_FOUND', 'DOMAIN_UNMATCHED', 'USER_NOT_FOUND'],
  ...['IDENTIFICATION_CODE_UNKNOWN'],
  ...['SCOPE_MISSING'],
  // The names of the caller's own objects.
  ...['USER_OWNS'],
]);
/** Rows whose details are numbers, or words that stand in the sources where they are made. */
const OWN_WORDS = new Set([
  ...['BODY_TOO_LARGE', 'BODY_LATE', 'BATCH_TOO_LONG', 'REGISTRY_RECORD_TOO_LARGE'],
  ...['REGISTRY_BUSY', 'QUERY_BUDGET_EXCEEDED', 'OVERLOADED', 'NOT_READY'],
  ...['REQUEST_AMBIGUOUS', 'ROLE_MISSING', 'RECORDS_TOO_MANY', 'RATE_LIMITED'],
  ...['SIGN_IN_CODE_MISSING', 'SIGN_IN_CODE_WRONG'],
]);

const codes = Object.keys(errors).toSorted();
const product = sourceFiles(['src', 'workers']).filter(
  (file) => file.path !== 'src/model/errors.ts',
);

/** The page's rows: `| CODE | 400 | what to do |`. */
function documentedErrors(): Map<string, number> {
  const page = readFileSync('src/docs/operating/errors.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)];
  return new Map(rows.map((row) => [row[1] ?? '', Number(row[2])]));
}

/** One row of the table as a client would get it. */
function exampleError(code: string): OperatingError {
  return (errors as unknown as Record<string, AnyMaker>)[code]!(anyDetail);
}

test('every error of the table is made somewhere', () => {
  const unused = codes.filter(
    (code) => !product.some((file) => file.text.includes(`errors.${code}(`)),
  );
  expect(unused).toEqual([]);
});

test('no code is used that the table does not have', () => {
  const used = new Set(
    product.flatMap((file) =>
      [...file.text.matchAll(/\berrors\.([A-Z][A-Z_]+)\b/g)].map((match) => match[1] ?? ''),
    ),
  );
  expect([...used].filter((code) => !codes.includes(code))).toEqual([]);
});

test('the page explains every error, and none that does not exist', () => {
  expect([...documentedErrors().keys()].toSorted()).toEqual(codes);
});

test.each(codes)('the page gives %s the status it is answered with', (code) => {
  expect(documentedErrors().get(code)).toBe(exampleError(code).status);
});

test.each(codes)('%s has a text in words and a status of A-10', (code) => {
  const error = exampleError(code);
  expect([400, 401, 403, 404, 405, 408, 413, 415, 429, 500, 503]).toContain(error.status);
  expect(error.message.split(' ').length).toBeGreaterThan(3);
  expect(error.status === 503 ? error.retryAfterSeconds > 0 : true).toBe(true);
});

test.each(codes.filter((code) => !REPEATS_REQUEST.has(code) && !OWN_WORDS.has(code)))(
  'a client that is answered %s reads nothing of the machine',
  (code) => {
    const error = (errors as unknown as Record<string, AnyMaker>)[code]!(poisoned);
    const sent = restoreError(structuredClone(sendError(error)));
    for (const { told, validation } of [error, sent]) {
      expect(told).not.toMatch(/ENOSPC|\/srv|10\.0\.0\.7|device/);
      expect(told.split(' ').length).toBeGreaterThan(3);
      expect(validation).toEqual({});
    }
    // The operator reads it all.
    expect(sent.message).toBe(error.message);
  },
);

test('who makes an error of our own words does not put the system’s into it', () => {
  const makers = new RegExp(`errors\\.(?:${[...OWN_WORDS].join('|')})\\([^;]*`, 'g');
  const found = product.flatMap(({ path, text }) =>
    [...text.matchAll(makers)]
      .filter(([made]) => /\.(?:message|stack|code)\b|cause|String\(/.test(made))
      .map(([made]) => `${path}: ${made}`),
  );
  expect(found).toEqual([]);
});

test('what is said to be of our own words or the client’s is in the table', () => {
  const stated = [...REPEATS_REQUEST, ...OWN_WORDS];
  expect(stated.filter((code) => !codes.includes(code))).toEqual([]);
  for (const code of stated) expect(exampleError(code)).toBeInstanceOf(OperatingError);
});
