/**
 * The table of metrics as text for Prometheus (exposition format 0.0.4).
 *
 * Control plane. `_total` follows the name of a counter; a histogram is its buckets, each with all that
 * is in those below it, their sum and their number. Timers count in microseconds and are shown in
 * seconds. The number is that of the buckets as they were read, so it never contradicts them.
 */

import { BUCKET_BOUNDS, BUCKET_COUNT } from '../../base/metrics/buckets.ts';
import type { MetricRow, MetricsTable, Series } from '../../base/metrics/table.ts';
import { TIMER_UNITS_PER_MS } from '../../base/metrics/writers.ts';
import { SECOND_MS } from '../../model/limits.ts';

/** In front of every name. */
export const METRIC_PREFIX = 'footfall_';
const TIMER_UNITS_PER_SECOND = TIMER_UNITS_PER_MS * SECOND_MS;

/** What the text is, for the header Content-Type. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Label = readonly [string, string];

/** @param threadKinds names of the kinds of threads. */
export function metricsText<Rows extends Readonly<Record<string, MetricRow>>>(
  table: MetricsTable<Rows>,
  threadKinds: readonly string[],
): string {
  const lines: string[] = [];
  for (const [key, row] of Object.entries(table.rows)) {
    const isAmount = row.kind === 'histogram' || row.kind === 'timer';
    const name = shownName(row);
    lines.push(`# HELP ${name} ${escapeHelp(row.help)}`);
    lines.push(`# TYPE ${name} ${isAmount ? 'histogram' : row.kind}`);
    for (const series of table.read(key)) {
      const labels = labelsOf(series, threadKinds);
      if (isAmount) addHistogram(lines, { name, labels, row, cells: series.cells });
      else lines.push(`${name}${inBraces(labels)} ${series.cells[0]}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** What Prometheus calls a metric. */
export function shownName({ kind, name }: Pick<MetricRow, 'kind' | 'name'>): string {
  return METRIC_PREFIX + name + (kind === 'counter' ? '_total' : '');
}

interface ShownHistogram {
  readonly name: string;
  readonly labels: readonly Label[];
  readonly row: MetricRow;
  readonly cells: readonly number[];
}

function addHistogram(lines: string[], { name, labels, row, cells }: ShownHistogram): void {
  const unit = row.kind === 'timer' ? TIMER_UNITS_PER_SECOND : 1;
  let count = 0;
  for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) {
    count += cells[bucket]!;
    const bound = BUCKET_BOUNDS[bucket];
    const le = bound === undefined ? '+Inf' : String(bound / unit);
    lines.push(`${name}_bucket${inBraces([...labels, ['le', le]])} ${count}`);
  }
  lines.push(`${name}_sum${inBraces(labels)} ${cells[BUCKET_COUNT]! / unit}`);
  lines.push(`${name}_count${inBraces(labels)} ${count}`);
}

function labelsOf({ labels, thread }: Series, threadKinds: readonly string[]): readonly Label[] {
  if (thread === null) return labels;
  return [['thread', `${threadKinds[thread.kind]}-${thread.index}`], ...labels];
}

function inBraces(labels: readonly Label[]): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([name, value]) => `${name}="${escapeValue(value)}"`).join(',')}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
