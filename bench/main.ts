/**
 * `node dist/bench/main.js [--smoke] [--full] [--write] [--json FILE] [--seconds N] [part of a name …]`
 *
 * Control plane. Finds every `*.bench.js` beside it, lets them register, runs those whose name
 * contains one of the parts, and prints one Markdown report; with `--write` it goes into the repository,
 * too. Exit status 1 when something failed; a missed target is no failure.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { LOAD_PROGRAM } from './harness/load/load.ts';
import { chosenMacros, type MacroContext } from './harness/macro.ts';
import { hasProcessFigures } from './harness/process-cpu.ts';
import type { Figure } from './harness/report/figures.ts';
import { describeMachine } from './harness/report/machine.ts';
import { toJson, toMarkdown } from './harness/report/report.ts';
import { writeResults } from './harness/report/written.ts';
import { type MicroResult, runMicro } from './harness/suite.ts';

const SEED = 42;
/** Seconds of each stretch of load, and stretches per side. */
const EXTENT = {
  smoke: { seconds: 1, rounds: 1 },
  normal: { seconds: 4, rounds: 3 },
  full: { seconds: 8, rounds: 5 },
} as const;

interface Options {
  parts: string[];
  isSmoke: boolean;
  isFull: boolean;
  jsonPath: string | null;
  isWritten: boolean;
  seconds: number;
  rounds: number;
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      smoke: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      json: { type: 'string' },
      seconds: { type: 'string' },
    },
  });
  const extent = EXTENT[values.smoke ? 'smoke' : values.full ? 'full' : 'normal'];
  const seconds = values.seconds === undefined ? extent.seconds : Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1) throw new Error('--seconds must be 1 or more');
  return {
    parts: positionals,
    isSmoke: values.smoke,
    isFull: values.full && !values.smoke,
    jsonPath: values.json ?? null,
    isWritten: values.write,
    seconds,
    rounds: extent.rounds,
  };
}

/** Importing a benchmark registers it. */
async function importBenchmarks(): Promise<void> {
  const folder = import.meta.dirname;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.bench\.[jt]s$/.test(name)).sort()) {
    await import(pathToFileURL(join(folder, file)).href);
  }
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function main(): Promise<void> {
  const options = readOptions();
  await importBenchmarks();
  const machine = await describeMachine(LOAD_PROGRAM);
  const micro: MicroResult[] = [];
  runMicro({
    parts: options.parts,
    seed: SEED,
    isSmoke: options.isSmoke,
    each: (result) => {
      micro.push(result);
      const cost = options.isSmoke ? 'ok' : `${result.nsPerElement.toFixed(1)} ns`;
      tell(`${result.benchmark}: ${result.name} ${cost} ${result.hash}`);
    },
  });
  const figures: Figure[] = [];
  const macros = hasProcessFigures ? chosenMacros(options.parts) : [];
  if (!hasProcessFigures) tell('macro benchmarks need Linux: they read processor time from /proc');
  for (const { name, run } of macros) {
    const { isSmoke, isFull, seconds, rounds } = options;
    const context: MacroContext = { seed: SEED, isSmoke, isFull, seconds, rounds, tell };
    tell(`${name}:`);
    // A smoke run is too small to answer a requirement.
    for (const figure of await run(context)) {
      const { requirement: _, ...rest } = figure;
      figures.push(isSmoke ? rest : figure);
    }
  }
  if (micro.length + figures.length === 0)
    throw new Error(`no benchmark matches '${options.parts.join(' ')}'`);
  // Where the report goes is nobody's business who reads it.
  const { jsonPath, isWritten, ...measured } = options;
  const results = { machine, options: { ...measured, seed: SEED }, figures, micro };
  process.stdout.write(toMarkdown(results));
  if (jsonPath !== null) writeFileSync(jsonPath, toJson(results));
  if (isWritten) writeResults(results);
}

try {
  await main();
} catch (error) {
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
