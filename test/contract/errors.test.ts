// Goal: the table of errors, the code that uses it and README's table of errors say the same.
// Method: compare all three both ways; a code nobody makes or nobody explains is a failure.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errors, type OperatingError } from '../../src/model/errors.ts';
import { sourceFiles } from './sources.ts';

type AnyMaker = (detail: unknown) => OperatingError;

/** Answers every property with a text, so that any row's text can be made. */
const anyDetail = new Proxy({}, { get: () => 'x' });

const codes = Object.keys(errors).toSorted();
const product = sourceFiles(['src', 'workers']).filter(
  (file) => file.path !== 'src/model/errors.ts',
);

/** README's rows: `| CODE | 400 | what to do |`. */
function documentedErrors(): Map<string, number> {
  const readme = readFileSync('README.md', 'utf8');
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)];
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

test('README explains every error, and none that does not exist', () => {
  expect([...documentedErrors().keys()].toSorted()).toEqual(codes);
});

test.each(codes)('README gives %s the status it is answered with', (code) => {
  expect(documentedErrors().get(code)).toBe(exampleError(code).status);
});

test.each(codes)('%s has a text in words and a status of A-10', (code) => {
  const error = exampleError(code);
  expect([400, 401, 403, 404, 405, 413, 429, 500, 503]).toContain(error.status);
  expect(error.message.split(' ').length).toBeGreaterThan(3);
  expect(error.status === 503 ? error.retryAfterSeconds > 0 : true).toBe(true);
});
