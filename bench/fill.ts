/**
 * `node dist/bench/fill.js DIRECTORY [--views 10000000] [--days 90] [--seed 42] [--last-day DATE]`,
 * `--wide` for texts of which half were never seen before.
 *
 * Control plane. Fills a new data directory with visits to one domain, ready for
 * `footfall serve --data-dir DIRECTORY`, and prints what is in it and who may ask as one JSON object.
 */
import { parseArgs } from 'node:util';
import { DAY_MS } from '../src/model/limits.ts';
import { fillDirectory } from './harness/data/filled-directory.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    views: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '90' },
    seed: { type: 'string', default: '42' },
    'last-day': { type: 'string' },
    wide: { type: 'boolean', default: false },
  },
});
const [dataDir] = positionals;
if (dataDir === undefined) throw new Error('which directory? node dist/bench/fill.js DIRECTORY');
const given = values['last-day'];
const lastMs = given === undefined ? Date.now() - DAY_MS : Date.parse(`${given}T00:00:00Z`);
const startMs = performance.now();
const filled = await fillDirectory(dataDir, {
  seed: Number(values.seed),
  views: Number(values.views),
  days: Number(values.days),
  lastDay: Math.floor(lastMs / DAY_MS),
  isWide: values.wide,
});
const seconds = Math.round((performance.now() - startMs) / 100) / 10;
process.stdout.write(`${JSON.stringify({ dataDir, ...filled, seconds }, null, 2)}\n`);
