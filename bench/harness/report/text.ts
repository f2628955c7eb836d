/** How the report writes numbers, bounds and tables. Control plane, pure. */
import type { Target } from './figures.ts';

/** A bound as people write it: `≤ 5 ms`, `p99 ≤ 10 ms`, `≥ 50 ×`. */
export function boundText({ of, atMost, atLeast }: Target, unit: string): string {
  const sign = atMost === undefined ? `≥ ${grouped(atLeast ?? 0)}` : `≤ ${grouped(atMost)}`;
  if (of === 'ratio' || of === 'advantage') return `${sign} ×`;
  return `${of === 'p99' ? 'p99 ' : ''}${sign} ${unit}`.trim();
}

/** Three digits that matter, thousands grouped: more would be noise. NaN is a dash. */
export function precise(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 1_000) return grouped(Number(value.toPrecision(3)));
  return String(Number(value.toPrecision(3)));
}

/** Thousands grouped by commas. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
