/**
 * Values that nobody should send: what a fuzzed request puts where a good one has a good value.
 */
import type { Stream } from '../torture/random.ts';

/** Stands in an object for JSON that no value of the language would be written as. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const NUMBERS = [
  ...['0', '-0', '-1', '1.5', '1e400', '-1e400', '1e-400', '1E+2', '4294967295', '4294967296'],
  ...['9007199254740991', '9007199254740993', '18446744073709551616', '123456789012345678901'],
  ...['0.1', '0.30000000000000004', '2147483648', '-2147483649', '1e308', '5e-324'],
];
const BROKEN = [
  'NaN',
  'undefined',
  "'a'",
  '01',
  '.5',
  '1.',
  '+1',
  '0x10',
  '{',
  ']',
  '"',
  '"\\x"',
  '',
];
const TEXTS = [
  ...['', ' ', '\u0000', '\u0001', '\ufeff', '\u2028', '\u202e', '😀', 'ä'.repeat(100), '日本語'],
  ...['null', 'true', '-', '%', '%00', '%zz', '..', '../../../etc/passwd', '/etc/shadow', 'C:\\'],
  ...["' or 1=1 --", '<script>alert(1)</script>', '{{7*7}}', '$(id)', '\\', '\\u0000'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a\r\nb: c', 'a\nb', '\t'],
  ...['https://', 'https://[::1', 'http://a.b:99999/', 'javascript:alert(1)', '//x', 'ftp://a/'],
  ...['999.999.999.999', '::', '::ffff:1.2.3.4', '127.0.0.1', '1.2.3.4.5', 'fe80::1%eth0'],
  ...['0000-01-01', '0001-01-01', '1969-12-31', '1970-01-01', '9999-12-31', '2026-02-30'],
  ...['2026-13-01', '10000-01-01', '24:00', '23:60', '-00:01', '2026-11-20T25:00:00Z'],
  ...['Europe/Berlin', 'Europe/Atlantis', 'UTC+25', 'Etc/GMT+12', 'posixrules'],
];
/** As expressions: slow ones, broken ones, odd ones. */
const PATTERNS = [
  ...['(a+)+$', '(.*)*', '[', '(', '*', '\\', 'a{1000}', '(?:a{100}){100}', '(?=a)', '\\1'],
  ...['^/', '$^', '(?i)A', '[^]', '\\p{L}', '\\x{110000}', 'a|b|c', '(?P<n>a)', '.*'.repeat(50)],
];
/** As filters: lists, negations, searches. */
const FILTERS = ['!', '~', '^', '!null', 'null', '~a', '^a', '!~a', ',', 'a,b', '!,', '~~', '!!a'];

/** A text that has no business where it is put. */
export function oddText(random: Stream): string {
  return random.weighted<() => string>([
    [6, () => random.pick(TEXTS)],
    [2, () => random.pick(PATTERNS)],
    [2, () => random.pick(FILTERS)],
    [1, () => random.pick(NUMBERS)],
    [1, () => random.pick(['a', 'ä', '😀', '\u0000', '[', '%41']).repeat(longLength(random))],
    [2, () => units(random, random.whole(1, 40))],
  ])();
}

/** Most of them short of a limit of some kind, some beyond all. */
function longLength(random: Stream): number {
  return random.pick([50, 100, 101, 200, 201, 500, 512, 2_000, 2_001, 8_191, 8_192, 8_193, 20_000]);
}

/** Any code units, lone surrogates among them. */
function units(random: Stream, count: number): string {
  const codes = Array.from({ length: count }, () => random.whole(0, 0xffff));
  return String.fromCharCode(...codes);
}

/** Anything that JSON can say, and some that it cannot. */
export function oddValue(random: Stream): unknown {
  return random.weighted<() => unknown>([
    [6, () => oddText(random)],
    [4, () => new RawJson(random.pick(NUMBERS))],
    [1, () => new RawJson(random.pick(BROKEN))],
    [1, () => random.pick([null, true, false, [], {}, [[]], [null]])],
    [1, () => nested(random)],
    [1, () => manyPairs(random)],
  ])();
}

function nested(random: Stream): RawJson {
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  const depth = random.pick([2, 50, 99, 100, 101, 1_000, 20_000]);
  return new RawJson(`${open.repeat(depth)}1${close.repeat(random.chance(0.9) ? depth : 0)}`);
}

function manyPairs(random: Stream): Record<string, unknown> {
  const count = random.pick([1, 19, 20, 21, 40, 500]);
  const value = random.chance(0.5) ? 'v' : new RawJson(random.pick(NUMBERS));
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${oddText(random).slice(0, 120)}${index}`,
      value,
    ]),
  );
}

/** JSON with what `RawJson` stands for in its place. */
export function jsonOf(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(
      ([key, held]) => `${JSON.stringify(key)}:${jsonOf(held)}`,
    );
    return `{${pairs.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
