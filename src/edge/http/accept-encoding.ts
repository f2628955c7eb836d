/** Whether a client takes an answer compressed: the header Accept-Encoding (RFC 9110, 12.5.3). */

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

// A client sends the same header again and again.
let lastHeader = '';
let lastAnswer = false;

/**
 * Whether gzip is wanted.
 *
 * @param header as sent; '' without one: such a client is answered as it is.
 * @returns false also when the client says it prefers `identity`.
 */
export function acceptsGzip(header: string): boolean {
  if (header === lastHeader) return lastAnswer;
  const weights = new Map(header.split(',').map(weightOf));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  lastHeader = header;
  lastAnswer = gzip > 0 && gzip >= (weights.get('identity') ?? 0);
  return lastAnswer;
}

/** A coding and its weight: 1 when none is said, 0 when it cannot be read. */
function weightOf(entry: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const [parameter] = parameters;
  const weight = parameter === undefined ? 1 : Number(WEIGHT.exec(parameter)?.[1] ?? 0);
  return [coding.toLowerCase(), weight];
}
