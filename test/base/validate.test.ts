// Goal: a compiled schema says yes to what fits and tells what to change of the rest.
// Method: rows over one small schema; code points against the language's own iteration.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePointCount, compileValidator } from '../../src/base/validate.ts';
import { tries } from '../support/runs.ts';

const validate = compileValidator({
  required: ['name'],
  fields: {
    name: { type: 'string', textLengthMax: 3, notBlank: true },
    width: { type: ['integer', 'null'] },
    share: { type: ['number', 'null'], minimum: 0, maximum: 10 },
    flag: { type: ['boolean', 'null'] },
    more: { type: ['object', 'null'] },
  },
});

test.each([
  { name: 'ab' },
  { name: 'abc' },
  { name: '😀😀😀' },
  { name: 'a', width: null, share: null, flag: null, more: null },
  { name: 'a', width: -3, share: 0, flag: false, more: {} },
  { name: 'a', width: 2.0, share: 10, more: { any: ['thing'] }, unknown: 1 },
])('%j fits', (value) => {
  expect(validate(value)).toBeNull();
});

test.each([
  [null, '', 'must be an object'],
  [[], '', 'must be an object'],
  ['text', '', 'must be an object'],
  [{}, 'name', 'is required'],
  [{ name: null }, 'name', 'must be a string'],
  [{ name: '' }, 'name', 'must not be blank'],
  [{ name: '\t ' }, 'name', 'must not be blank'],
  [{ name: 'abcd' }, 'name', 'must have at most 3 characters'],
  [{ name: '😀😀😀😀' }, 'name', 'must have at most 3 characters'],
  [{ name: 'a', width: 0.5 }, 'width', 'must be an integer'],
  [{ name: 'a', share: '1' }, 'share', 'must be a number'],
  [{ name: 'a', share: -0.1 }, 'share', 'must be at least 0'],
  [{ name: 'a', share: 10.1 }, 'share', 'must be at most 10'],
  [{ name: 'a', flag: 1 }, 'flag', 'must be true or false'],
  [{ name: 'a', more: [] }, 'more', 'must be an object'],
])('%j is told: %s %s', (value, name, message) => {
  expect(validate(value)).toEqual([{ name, message }]);
});

test('every field that is wrong is named once', () => {
  const found = validate({ width: 'x', share: 'x', flag: 'x', more: 'x' }) ?? [];
  expect(found.map(({ name }) => name).toSorted()).toEqual([
    'flag',
    'more',
    'name',
    'share',
    'width',
  ]);
});

test('code points are counted as the language iterates them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00') }),
      (text) => codePointCount(text) === Array.from(text).length,
    ),
    tries(),
  );
});
