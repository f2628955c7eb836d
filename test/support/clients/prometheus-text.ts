/**
 * A strict reader of the Prometheus text format 0.0.4, for tests: what is not as the format says throws.
 *
 * Written from the format's description, not from the service.
 */

/** One series: its labels in the order written, and its value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples under one name, as HELP and TYPE introduce them. */
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/g;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

function fail(line: string, reason: string): never {
  throw new Error(`${reason}: ${line}`);
}

function numberOf(text: string, line: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  const value = Number(text);
  return Number.isNaN(value) ? fail(line, 'no number') : value;
}

function sampleOf(line: string): Sample {
  const found = SAMPLE.exec(line) ?? fail(line, 'no sample');
  const labels: Record<string, string> = {};
  for (const [, name, value] of (found[2] ?? '').matchAll(LABEL)) {
    if (name! in labels) fail(line, 'a label twice');
    labels[name!] = value!.replace(/\\(.)/g, (_, of) => (of === 'n' ? '\n' : of));
  }
  return { name: found[1]!, labels, value: numberOf(found[3]!, line) };
}

/** Reads a text. @throws Error with the line that is wrong. */
export function readPrometheusText(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) fail(text.slice(-40), 'the last line does not end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: [string, string] = ['', ''];
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment?.[1] === 'HELP') help = [comment[2]!, comment[3]!];
    else if (comment !== null) {
      const [, , name, type] = comment as unknown as [string, string, string, string];
      if (!NAME.test(name) || families.has(name)) fail(line, 'a name twice, or none');
      if (help[0] !== name || !(type in SUFFIXES)) fail(line, 'no help before, or no type');
      if ((type === 'counter') !== name.endsWith('_total')) fail(line, '_total is of counters');
      families.set(name, { type, help: help[1], samples: [] });
      current = name;
    } else {
      const sample = sampleOf(line);
      const family = families.get(current) ?? fail(line, 'of no family');
      const suffixes = SUFFIXES[family.type]!.map((suffix) => current + suffix);
      if (!suffixes.includes(sample.name)) fail(line, `not of ${current}`);
      const key = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(key)) fail(line, 'a series twice');
      seen.add(key);
      family.samples.push(sample);
    }
  }
  for (const [name, family] of families)
    if (family.type === 'histogram') checkBuckets(name, family);
  return families;
}

/** Buckets rise to +Inf, which is the number of all. */
function checkBuckets(name: string, { samples }: Family): void {
  let last = { bound: Number.NEGATIVE_INFINITY, count: 0 };
  for (const { name: of, labels, value } of samples) {
    if (of === `${name}_bucket`) {
      const bound = numberOf(labels.le ?? '', `${name} without le`);
      if (bound <= last.bound || value < last.count) fail(`${name} le=${labels.le}`, 'falls');
      last = { bound, count: value };
    } else if (of === `${name}_count`) {
      if (last.bound !== Number.POSITIVE_INFINITY) fail(name, 'no bucket without bound');
      if (last.count !== value) fail(name, 'the buckets are not all');
      last = { bound: Number.NEGATIVE_INFINITY, count: 0 };
    }
  }
}

/** The sum of a family's samples of that name whose labels have these values. */
export function sampleSum(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
  if (family === undefined) throw new Error(`${name} is not there`);
  return family.samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, of]) => sample.labels[key] === of))
    .reduce((sum, { value }) => sum + value, 0);
}
