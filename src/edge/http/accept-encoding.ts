/** The codings that a client takes answers in: the header Accept-Encoding (RFC 9110, 12.5.3). */

/** How bytes may be compressed. */
export type Coding = 'br' | 'gzip';

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;
/** Where a client has no preference, the smaller comes first. */
const CODINGS: readonly (readonly [coding: Coding, alias: string])[] = [
  ['br', 'br'],
  ['gzip', 'x-gzip'],
];

// A client sends the same header again and again.
let lastHeader = '';
let lastAnswer: readonly Coding[] = [];

/**
 * What may be sent, the best first.
 *
 * @param header as sent; '' without one: such a client is answered as it is.
 * @returns none also when the client says it prefers `identity`.
 */
export function acceptedCodings(header: string): readonly Coding[] {
  if (header === lastHeader) return lastAnswer;
  const weights = new Map(header.split(',').map(weightOf));
  const weightOfCoding = ([coding, alias]: (typeof CODINGS)[number]): number =>
    weights.get(coding) ?? weights.get(alias) ?? weights.get('*') ?? 0;
  const least = weights.get('identity') ?? 0;
  lastHeader = header;
  lastAnswer = CODINGS.map((names) => ({ coding: names[0], weight: weightOfCoding(names) }))
    .filter(({ weight }) => weight > 0 && weight >= least)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ coding }) => coding);
  return lastAnswer;
}

/** A coding and its weight: 1 when none is said, 0 when it cannot be read. */
function weightOf(entry: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const [parameter] = parameters;
  const weight = parameter === undefined ? 1 : Number(WEIGHT.exec(parameter)?.[1] ?? 0);
  return [coding.toLowerCase(), weight];
}
