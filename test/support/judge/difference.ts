/**
 * Compares an answer with what the oracle says: exact, but for rates, which may differ by 1e-9.
 */

const RATE_ERROR_MAX = 1e-9;

/**
 * The first place where two JSON values differ, for people.
 *
 * @param path where these values stand, '' at the top.
 * @returns '' when they agree.
 */
export function difference(actual: unknown, expected: unknown, path = ''): string {
  if (typeof actual === 'number' && typeof expected === 'number') {
    const isClose =
      Number.isInteger(actual) && Number.isInteger(expected)
        ? actual === expected
        : Math.abs(actual - expected) <= RATE_ERROR_MAX;
    return isClose ? '' : said(actual, expected, path);
  }
  if (!isObject(actual) || !isObject(expected)) {
    return actual === expected ? '' : said(actual, expected, path);
  }
  if (Array.isArray(actual) !== Array.isArray(expected)) return said(actual, expected, path);
  const keys = [...new Set([...Object.keys(actual), ...Object.keys(expected)])];
  for (const key of keys) {
    const found = difference(actual[key], expected[key], `${path}.${key}`);
    if (found !== '') return found;
  }
  return '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function said(actual: unknown, expected: unknown, path: string): string {
  const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
  return `${path}: the service says ${shown(actual)}, the oracle says ${shown(expected)}`;
}
