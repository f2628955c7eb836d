/**
 * Writes the pages that list what a table of the built service has: `npm run generate:pages`, and with
 * `--check` it only looks. A test holds them equal.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { LOG_EVENTS } from '../../dist/src/model/log-events.js';
import { METRIC_ROWS } from '../../dist/src/model/metric-rows.js';
import { METRIC_PREFIX, shownName } from '../../dist/src/runtime/telemetry/metrics-text.js';

const FOLDER = new URL('../../src/docs/operating/', import.meta.url);

const made = (table) => `Made by \`npm run generate:pages\` from \`${table}\`.`;
/** A cell of a table has no line and no column of its own. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function logEvents() {
  const rows = Object.entries(LOG_EVENTS).map(([name, { level, text, help, fields }]) => {
    const told = Object.entries(fields).map(([field, meaning]) => `\`${field}\`: ${meaning}`);
    const cells = [`\`${name}\``, level, text, help, told.join('; ')];
    return `| ${cells.map(cell).join(' | ')} |`;
  });
  return `# Events of the log

[Operating](../operating.md). ${made('src/model/log-events.ts')}

Every line of the log is about one of these events and has its name as \`event\` (P-32). Names and fields stay what they are:
match them, not the texts. Every line has \`level\` (30 info, 40 warn, 50 error), \`time\`, \`pid\`, \`thread\`, \`event\` and \`msg\`,
the text; \`err\` has \`type\`, \`message\`, \`stack\` and, of the service's own errors, \`code\`.
\`FOOTFALL_LOG_FORMAT\` and \`FOOTFALL_LOG_LEVEL\` say how they are written, and from which level on.

| event | level | text | what it means | fields |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** More of them are on pages of their own, or in the code. */
const SHOWN_VALUES = 8;

function labelText([name, values]) {
  const shown = values.slice(0, SHOWN_VALUES).join(', ');
  return `\`${name}\`: ${shown}${values.length > SHOWN_VALUES ? ` … (${values.length})` : ''}`;
}

function metrics() {
  const rows = Object.values(METRIC_ROWS).map((row) => {
    const { kind, help, labels = {}, isPerThread } = row;
    const told = Object.entries(labels).map(labelText);
    if (isPerThread) told.unshift('`thread`');
    const shown = kind === 'timer' ? 'histogram' : kind;
    const cells = [`\`${shownName(row)}\``, shown, help, told.join('; ')];
    return `| ${cells.map(cell).join(' | ')} |`;
  });
  return `# Metrics

[Watching](watching.md). ${made('src/model/metric-rows.ts')}

What \`GET /metrics\` tells (P-30). All names begin with \`${METRIC_PREFIX}\`. A histogram has \`_bucket\`, \`_sum\` and \`_count\`.
Counters begin at 0 with the process; what is called *ledger* is exact over restarts. No label takes a
value that a client sends, so there are as many series as this page says, of threads as many as run.

| name | kind | what it tells | labels |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** File to what makes its text. */
const FILES = { 'log-events.md': logEvents, 'metrics.md': metrics };

for (const [file, make] of Object.entries(FILES)) {
  const path = new URL(file, FOLDER);
  const text = make();
  let before = '';
  try {
    before = readFileSync(path, 'utf8');
  } catch {
    // It is not there yet.
  }
  if (before === text) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${file} is not what its table says: run \`npm run generate:pages\`\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    process.stdout.write(`${file}: written\n`);
  }
}
