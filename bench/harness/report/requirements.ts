/**
 * The table of what must be reached: one line per requirement, filled in from the figures of a run.
 *
 * Control plane, pure. A figure names the line it answers; where several do, such as the statistics,
 * the worst of them is shown for each bound, and the line is met only if every one of them is. A
 * line without a figure says so: what was not measured is neither met nor missed.
 */
import { type Figure, measuredOf, type RequirementId, reaches, type Target } from './figures.ts';
import { boundText, precise, table } from './text.ts';

/** One line: what must be reached, and what it would be good to reach. */
interface Requirement {
  id: RequirementId;
  what: string;
  unit: string;
  musts: readonly Target[];
  aims: readonly Target[];
}

/** A line as a run has filled it in. */
export interface RequirementResult {
  id: RequirementId;
  what: string;
  must: string;
  aim: string;
  /** The worst of the figures, in the line's unit, for every number that a bound is about. */
  measured: string;
  /** Null where nothing was measured. */
  isMet: boolean | null;
  /** Null where nothing was measured or there is no aim. */
  isAimMet: boolean | null;
  /** Figures that answer the line, and those that miss what it demands. */
  figures: number;
  missed: string[];
}

const atMost = (of: Target['of'], bound: number): Target => ({ of, atMost: bound });
const atLeast = (of: Target['of'], bound: number): Target => ({ of, atLeast: bound });

/** The lines, in their order. */
const REQUIREMENTS: readonly Requirement[] = [
  {
    ...{ id: 'single-cpu', what: 'CPU per single hit, durable, against the baseline server' },
    ...{ unit: '×', musts: [atMost('ratio', 1.9)], aims: [atMost('ratio', 1.6)] },
  },
  {
    ...{ id: 'page-cpu', what: 'CPU per hit that a page sends, against one that a program sends' },
    ...{ unit: '×', musts: [atMost('ratio', 1.2)], aims: [atMost('ratio', 1)] },
  },
  {
    ...{ id: 'batch-cpu', what: 'CPU per hit in batches of 100, durable, against the baseline' },
    ...{ unit: '×', musts: [atMost('ratio', 3.5)], aims: [atMost('ratio', 2.5)] },
  },
  {
    ...{ id: 'batch-rate', what: 'Throughput of batches, durable, load generator included' },
    ...{ unit: 'hits/s', musts: [atLeast('value', 200_000)], aims: [atLeast('value', 400_000)] },
  },
  {
    ...{ id: 'single-p99', what: 'p99 of a single hit at half of the maximum rate' },
    ...{ unit: 'ms', musts: [atMost('value', 5)], aims: [atMost('value', 2)] },
  },
  {
    ...{ id: 'active-p99', what: 'Active visitors, 100,000 active, half of the maximum rate' },
    ...{ unit: 'ms', musts: [atMost('p99', 5)], aims: [atMost('p99', 1)] },
  },
  {
    ...{ id: 'statistic', what: 'Every unfiltered statistic, 90 days, 10 million views' },
    unit: 'ms',
    musts: [atMost('value', 5), atMost('p99', 10)],
    aims: [atMost('value', 3), atLeast('advantage', 50)],
  },
  {
    ...{ id: 'statistic-one-filter', what: 'Every statistic with one filter' },
    ...{ unit: 'ms', musts: [atMost('value', 30)], aims: [atLeast('advantage', 3)] },
  },
  {
    ...{ id: 'statistic-new-filter', what: 'The same under a filter that nobody asked before' },
    ...{ unit: 'ms', musts: [atMost('value', 40)], aims: [atMost('value', 30)] },
  },
  {
    ...{ id: 'statistic-three-filters', what: 'Every statistic with three filters and a pattern' },
    ...{ unit: 'ms', musts: [atMost('value', 150)], aims: [atLeast('advantage', 3)] },
  },
  {
    ...{ id: 'growth', what: "The actor's CPU per hit: a day of 10 million against 10 thousand" },
    ...{ unit: '×', musts: [atMost('ratio', 1.3)], aims: [atMost('ratio', 1.1)] },
  },
  {
    ...{ id: 'domains', what: 'The same: 10,000 domains against 1' },
    ...{ unit: '×', musts: [atMost('ratio', 2)], aims: [atMost('ratio', 1.3)] },
  },
  {
    ...{ id: 'sessions', what: 'The same: sessions of 87 page views against 4' },
    ...{ unit: '×', musts: [atMost('ratio', 1.15)], aims: [atMost('ratio', 1.05)] },
  },
  {
    id: 'memory',
    what: 'Memory of an open day, against 120 bytes per session and 24 per view',
    ...{ unit: '×', musts: [atMost('ratio', 1)], aims: [] },
  },
  {
    ...{ id: 'disk', what: 'Disk per page view at rest, everything included, 10 million views' },
    ...{ unit: 'bytes', musts: [atMost('value', 20)], aims: [atMost('value', 15)] },
  },
  {
    ...{ id: 'disk-small', what: 'The same, 1 million views' },
    ...{ unit: 'bytes', musts: [atMost('value', 26)], aims: [atMost('value', 15)] },
  },
  {
    ...{ id: 'restart', what: 'Ready after SIGKILL, 5 million views in the open day' },
    ...{ unit: 's', musts: [atMost('value', 3)], aims: [atMost('value', 1)] },
  },
  {
    ...{ id: 'idle-memory', what: 'Idle with 1,000 domains: memory' },
    ...{ unit: 'MB', musts: [atMost('value', 250)], aims: [] },
  },
  {
    ...{ id: 'idle-cpu', what: 'Idle with 1,000 domains: CPU' },
    ...{ unit: '%', musts: [atMost('value', 0.5)], aims: [] },
  },
  {
    ...{ id: 'manage', what: 'Management over HTTP, median' },
    ...{ unit: 'ms', musts: [atMost('value', 5)], aims: [] },
  },
  {
    ...{ id: 'manage-list', what: '10,000 domains in one account: the list of them' },
    ...{ unit: 'ms', musts: [atMost('value', 100)], aims: [] },
  },
  {
    ...{ id: 'manage-memory', what: '10,000 domains in one account: memory for them' },
    ...{ unit: 'MB', musts: [atMost('value', 100)], aims: [] },
  },
  {
    ...{ id: 'registry-read', what: 'A registry of 100,000 records, when a thread starts' },
    ...{ unit: 's', musts: [atMost('value', 1)], aims: [] },
  },
];

/** Every line, judged by the figures that name it. */
export function judge(figures: readonly Figure[]): RequirementResult[] {
  return REQUIREMENTS.map((line) => {
    const own = figures.filter(({ requirement }) => requirement === line.id);
    const bounds = [...line.musts, ...line.aims];
    const missed = own.filter((figure) => !line.musts.every((bound) => reaches(figure, bound)));
    const hasAim = line.aims.length > 0 && own.some((figure) => isMeasured(figure, line.aims));
    const isAimMet = own.every((figure) => line.aims.every((bound) => reaches(figure, bound)));
    return {
      ...{ id: line.id, what: line.what },
      must: line.musts.map((bound) => boundText(bound, line.unit)).join(', '),
      aim: line.aims.map((bound) => boundText(bound, line.unit)).join(', '),
      measured: measuredText(own, bounds, line.unit),
      isMet: own.length === 0 ? null : missed.length === 0,
      isAimMet: hasAim ? isAimMet && missed.length === 0 : null,
      figures: own.length,
      missed: missed.map(({ name }) => name),
    };
  });
}

/** The table, as Markdown. */
export function requirementsTable(figures: readonly Figure[]): string {
  const rows = judge(figures).map(({ what, must, aim, measured, isMet, isAimMet, ...rest }) => [
    ...[what, must, measured, verdict(isMet, rest)],
    ...[aim, isAimMet === null ? '' : isAimMet ? 'met' : '**missed**'],
  ]);
  return table(['what', 'must', 'measured', '', 'aim', ''], rows);
}

function verdict(isMet: boolean | null, { figures, missed }: Partial<RequirementResult>): string {
  if (isMet === null) return 'not measured';
  if (isMet) return 'met';
  const isOne = figures === 1;
  return isOne ? '**missed**' : `**missed** by ${missed?.length} of ${figures}`;
}

function isMeasured(figure: Figure, bounds: readonly Target[]): boolean {
  return bounds.every(({ of }) => !Number.isNaN(measuredOf(figure, of)));
}

/** The worst figure for each number that the bounds are about, and which it is if there are many. */
function measuredText(figures: readonly Figure[], bounds: readonly Target[], unit: string): string {
  const parts: string[] = [];
  const seen = new Set<Target['of']>();
  for (const { of, atLeast: least } of bounds) {
    if (seen.has(of)) continue;
    seen.add(of);
    const measured = figures
      .map((figure) => ({ name: figure.name, value: measuredOf(figure, of) }))
      .filter(({ value }) => !Number.isNaN(value))
      .sort((left, right) =>
        least === undefined ? right.value - left.value : left.value - right.value,
      );
    const [worst] = measured;
    if (worst === undefined) continue;
    const isTimes = of === 'ratio' || of === 'advantage';
    const label = of === 'p99' ? 'p99 ' : '';
    const name = measured.length > 1 ? ` (${worst.name})` : '';
    parts.push(`${label}${precise(worst.value)} ${isTimes ? '×' : unit}${name}`);
  }
  return parts.length === 0 ? '–' : parts.join(', ');
}
