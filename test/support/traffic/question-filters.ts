/**
 * Random filters of statistics questions: every parameter of F-10 to F-27 with its operators.
 */
import fc from 'fast-check';
import { EVENT_NAMES, PATHS } from './scenario.ts';

/** A parameter and its values. */
export type FilterValues = readonly [name: string, values: readonly string[]];

/** Terms of one parameter: values as they are, negated, contained, not contained (F-20). */
function terms(values: readonly string[], operators: readonly string[]): fc.Arbitrary<string[]> {
  const one = fc
    .tuple(fc.constantFrom('', '', ...operators), fc.constantFrom(...values))
    .map(([operator, value]) => operator + value);
  // An operator with nothing after it is ignored (F-26), an empty value is absent (F-7).
  const bare = fc.constantFrom('', ...operators);
  const any = fc.oneof({ weight: 25, arbitrary: one }, bare);
  return fc.array(any, { minLength: 1, maxLength: 3 });
}

const ALL = ['!', '~', '^'];

/** A whole value, `null` and its negation; `~null` means nothing the semantics defines. */
function textTerms(values: readonly string[]): fc.Arbitrary<string[]> {
  const nulls = fc.constantFrom('null', '!null', 'NULL');
  return fc.oneof(
    { weight: 5, arbitrary: terms(values, ALL) },
    { weight: 1, arbitrary: nulls.map((value) => [value]) },
    {
      weight: 1,
      arbitrary: fc.tuple(nulls, terms(values, ALL)).map(([value, more]) => [value, ...more]),
    },
  );
}

const CODES = fc.oneof(
  terms(['de', 'gb', 'DE', 'fr', 'en', 'jp', 'us', 'deu'], ['!']),
  terms(['de,gb', 'fr', 'en,DE', 'jp'], ['~', '^']),
  fc.constantFrom<string[]>(['null'], ['!null'], ['null', 'de'], ['!']),
);

function filter(name: string, values: fc.Arbitrary<string[]>): fc.Arbitrary<FilterValues> {
  return values.map((list) => [name, list] as const);
}

/** Two paths of the table and parts of paths. */
const PATH_VALUES = [...PATHS.slice(0, 8), 'a', 'A', '/'];
const PAIR_TERMS = fc.oneof(
  { weight: 4, arbitrary: terms(['1', '2', 'x', 'five', '-2.5'], ALL) },
  fc.constantFrom<string[]>(['null'], ['!null'], ['null', '1'], ['!NULL', '^2']),
);
/** Patterns: the ends, any case, classes, alternatives, nothing that can match (F-17). */
const PATTERNS = [
  ...['^/a', '(?i)^/[a-b]$', 'a|b', '/$', '^/[^/]+$', '', '^', '.', 'ü$', '^$'],
  ...['(?i)Ü', '^/(a/?)?$', '[^/]{2,}', '/.*/'],
];

/** The filters of this issue, page and session level, and those on events. */
const FILTER = fc.oneof(
  { weight: 3, arbitrary: filter('path', textTerms(PATH_VALUES)) },
  filter('entry_path', textTerms(PATH_VALUES)),
  filter('exit_path', textTerms(PATH_VALUES)),
  { weight: 3, arbitrary: filter('event', textTerms([...EVENT_NAMES, 'o'])) },
  filter('country', CODES),
  filter('language', CODES),
  filter('browser', textTerms(['Chrome', 'Firefox', 'Safari', 'chrome', 'e'])),
  filter('os', textTerms(['Windows', 'Linux', 'iOS', 'Chrome OS', 'Mac', 'o'])),
  filter('referrer_name', textTerms(['Google', 'boring.old', 'blog.dev', 'nl', 'o'])),
  filter('platform', terms(['desktop', 'mobile', 'unknown', 'other'], ['!'])),
);

/** Filters of which there are more than of the others above, and fewer of each. */
const FURTHER_FILTER = fc.oneof(
  filter('referrer', textTerms(['https://blog.dev', 'Google', 'boring.old', 'o'])),
  filter('os_version', textTerms(['10', '18.1', '1'])),
  filter('browser_version', textTerms(['138.0', '137.0', '13'])),
  filter('screen_class', textTerms(['S', 'XXL', 'x'])),
  filter('utm_source', textTerms(['nl', 'n'])),
  filter('utm_campaign', textTerms(['x', 'X'])),
  {
    weight: 3,
    arbitrary: filter('pattern', terms(PATTERNS, ['!'])),
  },
  filter('region', textTerms(['England', 'Tokyo', 'Land Berlin', 'on'])),
  filter('city', textTerms(['London', 'Tokyo', 'San Francisco (CA)', 'lon', '(', '%'])),
  filter('utm_medium', textTerms(['email', 'M'])),
  filter('channel', textTerms(['Direct', 'Organic Search', 'a'])),
  filter('utm_term', textTerms(['t'])),
  filter('utm_content', textTerms(['c'])),
  filter('device', textTerms(['Pixel 8', 'iPhone', 'SM-S918B', 'i', 'K'])),
  filter('hostname', textTerms(['example.org', 'o'])),
  filter('event_meta_key', terms(['k', 'K', 'l'], ['!', '~', '^'])),
  filter('meta_k', PAIR_TERMS),
  filter('meta_l', PAIR_TERMS),
  filter('tag', terms(['k', 'K', 'l'], ['!', '~', '^'])),
  filter('tag_k', PAIR_TERMS),
);

/** Up to three filters, often none; of two of one name both lists count as one (F-10). */
export function filters(): fc.Arbitrary<readonly FilterValues[]> {
  const any = fc.oneof({ weight: 2, arbitrary: FILTER }, FURTHER_FILTER);
  // With `path`, `pattern` is ignored (F-16).
  const both = fc.tuple(
    filter('path', textTerms(PATH_VALUES)),
    filter('pattern', terms(PATTERNS, ['!'])),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 10, arbitrary: fc.array(any, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: both },
  );
}
