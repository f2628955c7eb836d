/**
 * The report: Markdown tables for people, one JSON object for programs. Control plane, pure.
 */

import type { MicroResult } from '../suite.ts';
import { advantageOf, type Figure, isMet, reaches } from './figures.ts';
import type { Machine } from './machine.ts';
import { judge, requirementsTable } from './requirements.ts';
import type { Spread } from './samples.ts';
import { boundText, grouped, precise, table } from './text.ts';

/** Everything a run has measured. */
export interface Results {
  machine: Machine;
  options: Record<string, unknown>;
  figures: Figure[];
  micro: MicroResult[];
}

/** The results as one JSON text; each figure says whether its target is met. */
export function toJson({ machine, options, figures, micro }: Results): string {
  const judged = figures.map((figure) => ({ ...figure, isMet: isMet(figure) }));
  const results = { machine, options, requirements: judge(figures), figures: judged, micro };
  return `${JSON.stringify(results, null, 2)}\n`;
}

/** The results as Markdown. */
export function toMarkdown({ machine, figures, micro }: Results): string {
  const groups = [...new Set(figures.map((figure) => figure.group))];
  const parts = [
    describe(machine),
    ...(isJudged(figures) ? [`### Requirements\n\n${requirementsTable(figures)}`] : []),
    ...groups.map((group) =>
      macroTable(
        group,
        figures.filter((figure) => figure.group === group),
      ),
    ),
  ];
  if (micro.length > 0) parts.push(microTable(micro));
  return `${parts.join('\n\n')}\n`;
}

function isJudged(figures: readonly Figure[]): boolean {
  return figures.some(({ requirement }) => requirement !== undefined);
}

/** Date, commit, machine and versions, as lines of text. */
export function describe(machine: Machine): string {
  return [
    `Measured ${machine.date}, commit ${machine.commit}.`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system};`,
    `Node ${machine.node}, uWebSockets.js ${machine.uWebSockets}, lmdb ${machine.lmdb};`,
    `load from ${machine.load}, load average before ${machine.loadBefore}.`,
  ].join('\n');
}

function macroTable(group: string, figures: readonly Figure[]): string {
  const hasBaseline = figures.some(({ baseline }) => baseline !== undefined);
  const hasP99 = figures.some(({ p99 }) => p99 !== undefined);
  const rival = figures.find((figure) => figure.rival !== undefined)?.rival?.name;
  const hasGoals = figures.some(({ goals }) => goals !== undefined);
  const head = ['what', hasP99 ? 'p50' : 'Footfall'];
  if (hasP99) head.push('p99');
  if (hasBaseline) head.push('baseline', 'ratio');
  if (rival !== undefined) head.push(rival, 'faster by');
  head.push('target');
  if (hasGoals) head.push('goal');
  const rows = figures.map((figure) => {
    const { name, value, baseline, ratio, p99 } = figure;
    const unit = figure.unit === '' ? '' : ` ${figure.unit}`;
    const cells = [name, `${hasP99 ? precise(value.median) : spread(value)}${unit}`];
    if (hasP99) cells.push(p99 === undefined ? '' : `${precise(p99)}${unit}`);
    if (hasBaseline) {
      cells.push(baseline === undefined ? '' : `${spread(baseline)}${unit}`);
      cells.push(ratio === undefined ? '' : `${spread(ratio)} ×`);
    }
    if (rival !== undefined) {
      const theirs =
        figure.rival === undefined ? '–' : `${precise(figure.rival.value.median)}${unit}`;
      cells.push(theirs, `${precise(advantageOf(figure))} ×`);
    }
    cells.push(verdict(figure));
    if (hasGoals) cells.push(goalsVerdict(figure));
    return cells;
  });
  return `### ${group}\n\n${table(head, rows)}`;
}

function microTable(results: readonly MicroResult[]): string {
  const rows = results.map((result) => [
    result.benchmark,
    result.name,
    grouped(result.elements),
    Number.isNaN(result.nsPerElement) ? '–' : precise(result.nsPerElement),
    Number.isNaN(result.errorPercent) ? '–' : `±${result.errorPercent.toFixed(1)} %`,
    result.hash,
  ]);
  const head = ['function', 'case', 'elements', 'ns per element', 'error', 'hash'];
  return `### Functions\n\n${table(head, rows)}`;
}

function verdict(figure: Figure): string {
  const { target } = figure;
  if (target === undefined) return '';
  const bound = boundText(target, figure.unit).replace('p99 ', '').trim();
  return `${bound}: ${isMet(figure) === true ? 'met' : '**missed**'}`;
}

function goalsVerdict(figure: Figure): string {
  const missed = (figure.goals ?? []).filter((goal) => !reaches(figure, goal));
  if (missed.length === 0) return figure.goals === undefined ? '' : 'met';
  return `**missed:** ${missed.map((goal) => boundText(goal, figure.unit)).join(', ')}`;
}

function spread({ median, min, max }: Spread): string {
  return min === max ? precise(median) : `${precise(median)} (${precise(min)}–${precise(max)})`;
}
