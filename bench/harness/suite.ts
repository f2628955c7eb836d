/**
 * Micro benchmarks: functions measured by benchmark.js, side by side.
 *
 * Control plane around a data-plane measurement. Each benchmark has a smoke and a full size and one
 * seed. Before anything is measured every case is run twice and must return the same: a benchmark
 * that changes what it measures measures something else each time. The only importer of benchmark.js.
 */
import Benchmark from 'benchmark';
import { assert } from '../../src/base/assert.ts';
import { isChosen } from './chosen.ts';

/** One way of doing the thing. */
export interface Case {
  /** Elements that one run works through: figures are per element. */
  elements: number;
  /** Does it once and returns what came out, as a number or text; it must not depend on runs before. */
  run: () => number | string;
}

/** What the making of a benchmark is given. */
export interface Workload {
  seed: number;
  size: (sizes: { smoke: number; full: number }) => number;
}

type Cases = Record<string, Case>;

/** One line of the report. */
export interface MicroResult {
  benchmark: string;
  name: string;
  elements: number;
  /** NaN in a smoke run, which measures nothing. */
  nsPerElement: number;
  /** Relative margin of error, 95 %, in percent. */
  errorPercent: number;
  /** Of the result; the same on every machine for the same size. */
  hash: string;
}

const SECONDS_MAX = 1.5;
const SAMPLES_MIN = 5;

const registered: { name: string; make: (workload: Workload) => Cases }[] = [];

/** Registers a benchmark: `folder/file: what`, the folder being that of the source. */
export function benchmark(name: string, make: (workload: Workload) => Cases): void {
  registered.push({ name, make });
}

/**
 * Runs the registered benchmarks that are chosen, in order of name.
 *
 * @param options.isSmoke small sizes, nothing measured, repeatability checked.
 * @param options.each called with each result as it comes.
 */
export function runMicro(options: {
  parts: readonly string[];
  seed: number;
  isSmoke: boolean;
  each: (result: MicroResult) => void;
}): void {
  const { parts, seed, isSmoke, each } = options;
  const chosen = registered
    .filter(({ name }) => isChosen(name, parts))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { name, make } of chosen) {
    const cases = make({ seed, size: ({ smoke, full }) => (isSmoke ? smoke : full) });
    for (const [caseName, subject] of Object.entries(cases)) {
      const hash = hashOf(subject.run());
      assert(hash === hashOf(subject.run()), `'${name}: ${caseName}' returns the same twice`);
      const measured = isSmoke
        ? { nsPerRun: Number.NaN, errorPercent: Number.NaN }
        : measure(subject);
      each({
        benchmark: name,
        name: caseName,
        elements: subject.elements,
        nsPerElement: measured.nsPerRun / subject.elements,
        errorPercent: measured.errorPercent,
        hash,
      });
    }
  }
}

/** Keeps the results of the measured runs alive, so that the compiler may not drop the work. */
let sink: number | string = 0;

function measure(subject: Case): { nsPerRun: number; errorPercent: number } {
  const measured = new Benchmark({
    maxTime: SECONDS_MAX,
    minSamples: SAMPLES_MIN,
    fn: () => {
      sink = subject.run();
    },
  });
  measured.run({ async: false });
  if (measured.error !== undefined) throw measured.error;
  assert(sink !== undefined, 'a run returns its result');
  return { nsPerRun: measured.stats.mean * 1e9, errorPercent: measured.stats.rme };
}

/** FNV-1a, 32 bits, of the result's text: eight hexadecimal digits. */
function hashOf(result: number | string): string {
  const text = String(result);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
