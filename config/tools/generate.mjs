/**
 * Writes the code that has to name every field: `npm run generate`, and with `--check` it only looks.
 *
 * Reading or writing a property by a variable name costs ten times more than by a name that stands
 * in the code, so the few places on the path of a hit that touch every field are written out from
 * the tables. A test holds the files equal to what is made here.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const ROOT = new URL('../..', import.meta.url).pathname;
/** The tables, and what they import. */
const TABLES = ['src/model/text-kinds.ts', 'src/edge/body/hit-fields.ts'];
const IMPORTED = ['src/base/assert.ts', 'src/model/dimensions.ts'];

/** Loads the tables as they stand now: the build may not pass before the files here are made. */
async function loadTables() {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-generate-'));
  try {
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    for (const source of [...TABLES, ...IMPORTED]) {
      const target = join(directory, source.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      const { outputText } = ts.transpileModule(readFileSync(join(ROOT, source), 'utf8'), {
        compilerOptions: {
          target: ts.ScriptTarget.ES2023,
          module: ts.ModuleKind.ESNext,
          rewriteRelativeImportExtensions: true,
        },
      });
      writeFileSync(target, outputText);
    }
    const urls = TABLES.map((table) => pathToFileURL(join(directory, table.replace(/ts$/, 'js'))));
    return Object.assign({}, ...(await Promise.all(urls.map((url) => import(url.href)))));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const made = (table) => `Made by \`npm run generate\` from \`${table}\`; a test holds it to that.`;

const hitTexts = ({ HIT_TEXTS }) => `/**
 * The texts of a hit into its record, field by field. Data plane.
 *
 * ${made('model/text-kinds.ts')}
 */

import type { Hit } from '../../model/hit.ts';

/** Takes the texts of a row by their numbers in a record. */
interface Row {
  put(at: number, text: number, value: string): void;
}

/** Puts every text of a hit into the row that begins at \`at\`. */
export function putTexts(row: Row, hit: Hit, at: number): void {
${HIT_TEXTS.map((name, number) => `  row.put(at, ${number}, hit.${name});`).join('\n')}
}
`;

const blankHit = ({ TEXT_DIMENSIONS }) => `/**
 * How a hit is made: always the same fields in the same order, so that all are of one hidden class.
 *
 * Data plane. ${made('model/text-kinds.ts')}
 */

import type { Hit } from './hit.ts';

/** A hit with nothing known but its kind and time; the one place where hits are made. */
export function createHit(kind: number, timeMs: number): Hit {
  return {
    kind,
    timeMs,
    visitorLow: 0,
    visitorHigh: 0,
    previousLow: 0,
    previousHigh: 0,
    platform: 0,
    path: '',
    title: '',
${TEXT_DIMENSIONS.map((name) => `    ${name}: '',`).join('\n')}
    pairs: null,
    eventName: '',
    eventDurationSeconds: 0,
    nonInteractive: false,
    webhooks: '',
    sentTags: '',
  };
}
`;

const blankFields = ({ FIELDS }) => `/**
 * A hit as it is sent, made and filled field by field. Data plane.
 *
 * ${made('edge/body/hit-fields.ts')}
 */

import { assert } from '../../base/assert.ts';
import type { RawHit } from '../../ingest/raw-hit.ts';

/** A hit whose fields are not checked yet. */
export type BlankHit = { [Name in keyof RawHit]-?: unknown };

/** Always the same fields in the same order: one hidden class. */
export function blankHit(): BlankHit {
  return {
${FIELDS.map(({ name }) => `    ${name}: undefined,`).join('\n')}
  };
}

/** Sets a field by its place in the table. */
export function put(hit: BlankHit, field: number, value: unknown): void {
  switch (field) {
${FIELDS.map(({ name }, at) => `    case ${at}:\n      hit.${name} = value;\n      break;`).join('\n')}
    default:
      assert(false, 'a known field has a number');
  }
}
`;

/** File to what makes its text. */
const FILES = {
  'src/edge/body/blank-fields.ts': blankFields,
  'src/bus/record/hit-texts.ts': hitTexts,
  'src/model/blank-hit.ts': blankHit,
};

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const tables = await loadTables();
const isCheck = process.argv.includes('--check');
for (const [file, make] of Object.entries(FILES)) {
  const path = join(ROOT, file);
  const text = make(tables);
  if (textOf(path) === text) continue;
  if (isCheck) {
    process.stderr.write(`${file} is not what the tables say: run \`npm run generate\`\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    process.stdout.write(`${file}: written\n`);
  }
}
