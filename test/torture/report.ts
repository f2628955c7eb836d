/**
 * What a run came to: as text for people and as an object for machines.
 */
import { FAULT_KINDS } from './faults/faults.ts';
import type { Ledger } from './load/ledger.ts';
import type { RunOptions } from './rounds.ts';

/** What the cluster tells at the end. */
export interface Aftermath {
  /** Runs that ended without having been told to. */
  ownEnds: readonly string[];
  /** Stops that were not over in time. */
  hangs: number;
  seconds: number;
  /** Kinds of faults that cannot be had here, and why. */
  skipped: readonly string[];
  /** Why the run ended before its last round, '' when it did not. */
  failure: string;
}

/** p50, p99 and the largest of some milliseconds. */
export interface Spread {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** Of an empty list all are 0. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Whether everything was as the model says. */
export function isGood({ counts }: Ledger, { failure }: Aftermath): boolean {
  return (
    failure === '' && counts.different + counts.lost + counts.doubled === 0 && counts.rounds > 0
  );
}

/** The report as an object. */
export function reportOf(options: RunOptions, ledger: Ledger, aftermath: Aftermath) {
  const faults = FAULT_KINDS.filter((kind) => ledger.faults.has(kind)).map((kind) => {
    const outage = ledger.outages.get(kind);
    return {
      kind,
      count: ledger.faults.get(kind) ?? 0,
      ingestionMs: spreadOf(outage?.ingestion ?? []),
      statisticsMs: spreadOf(outage?.statistics ?? []),
    };
  });
  return {
    isGood: isGood(ledger, aftermath),
    options,
    ...aftermath,
    counts: ledger.counts,
    faults,
    recoveryMs: spreadOf(ledger.recoveriesMs),
    slow: ledger.slow,
    differences: ledger.differences,
  };
}

/** The report for people. */
export function printReport(report: ReturnType<typeof reportOf>): string {
  const { counts, options, recoveryMs } = report;
  const lines = [
    `${counts.rounds} rounds in ${report.seconds.toFixed(0)} s, seed ${options.seed}, ` +
      `${options.nodes} nodes, ${options.clients} clients, ` +
      `${options.natsServers === 1 ? 'one NATS server' : `${options.natsServers} NATS servers`}` +
      `${options.spool ? ', spool' : ''}`,
    '',
    ...table([
      ['requests sent', counts.attempts],
      ['hits acknowledged', counts.acknowledged],
      ['requests refused (503)', counts.refused],
      ['requests that reached nobody', counts.unreachable],
      ['requests without an answer', counts.unknown],
      ['  answered when sent again', counts.resolved],
      ['  without a key, found counted', counts.doubtCounted],
      ['  without a key, found not counted', counts.doubtNotCounted],
      ['acknowledged requests sent again', counts.repeated],
      ['hits lost', counts.lost],
      ['hits counted twice', counts.doubled],
      ['answers compared with the model', counts.compared],
      ['ledgers compared with what was sent', counts.ledgers],
      ['totals checked in the middle of faults', counts.probed],
      ['requests to webhooks', counts.deliveries],
      ['  told again', counts.deliveriesRepeated],
      ['  refused by the receiver', counts.deliveriesRefused],
      ['entries compared with what was told', counts.entries],
      ['differences', counts.different],
    ]),
    '',
    'longest time without an answer, by kind of fault, in ms',
    ...faultTable(report),
    '',
    `ready again after the last fault of a round: ${spreadText(recoveryMs)}`,
    ...report.slow.map((line) => `  ${line}`),
    `nodes or servers that ended by themselves: ${report.ownEnds.length}` +
      `; stops that took too long: ${report.hangs}`,
    ...countedLines(report.ownEnds),
    ...report.skipped,
  ];
  return `${[...lines, ...verdict(report)].join('\n')}\n`;
}

function table(rows: readonly (readonly [string, number])[]): string[] {
  const widest = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(widest)}  ${String(value).padStart(9)}`);
}

function faultTable({ faults }: ReturnType<typeof reportOf>): string[] {
  const head = ['', 'faults', 'hits p50', 'p99', 'max', 'statistics p50', 'p99', 'max'];
  const rows = faults.map(({ kind, count, ingestionMs, statisticsMs }) => {
    const [hits, answers] = [ingestionMs, statisticsMs];
    return [kind, count, hits.p50, hits.p99, hits.max, answers.p50, answers.p99, answers.max];
  });
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

/** Equal lines once, with how often they came. */
function countedLines(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => `  ${count} × ${line}`);
}

function spreadText({ p50, p99, max }: Spread): string {
  return `p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`;
}

function verdict(report: ReturnType<typeof reportOf>): string[] {
  const { counts, differences, options } = report;
  if (report.isGood) {
    return [`${counts.lost} lost, ${counts.doubled} doubled, every answer equals the model's`];
  }
  const shown = differences.map(({ round, text }) => `  round ${round}: ${text}`);
  const first = differences[0]?.round ?? options.firstRound + counts.rounds;
  return [
    ...(report.failure === '' ? [] : [`FAILED: ${report.failure}`]),
    `FAILED: ${counts.different} differences, ${counts.lost} lost, ${counts.doubled} doubled`,
    ...shown,
    `to repeat: footfall torture ${wordsOf(options)} --first-round ${first} --rounds 1`,
  ];
}

/** The options that make a run what it is. */
function wordsOf(options: RunOptions): string {
  const { seed, nodes, clients, seconds, natsServers, spool, faults } = options;
  const isAll = faults.length === FAULT_KINDS.length;
  return [
    `--seed ${seed} --nodes ${nodes} --clients ${clients} --seconds ${seconds}`,
    ...(natsServers === 1 ? [] : [`--nats-servers ${natsServers}`]),
    ...(spool ? ['--spool'] : []),
    ...(isAll ? [] : [`--faults ${faults.join(',') || 'none'}`]),
  ].join(' ');
}
