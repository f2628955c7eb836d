/** The report as lines for a terminal. Control plane, pure. */
import { bestStep, type LoadReport, type Step } from '../load-report.ts';
import { grouped, ms, percent } from './numbers.ts';

/** The whole report; the last lines say what it comes to. */
export function toText(report: LoadReport): string {
  const { target, load, machine, steps, queries } = report;
  const sent = load.batch === 1 ? 'single hits' : `batches of ${load.batch}`;
  const lines = [
    `${target.product} at ${target.url}, site ${target.hostname}: ${sent}, ` +
      `${load.connections} connections, mix ${load.mix}, seed ${load.seed}`,
    `load from ${machine.cores} × ${machine.cpu}, Node ${machine.node}, ${report.date}`,
    '',
    ...aligned([HEAD, ...steps.map(rowOf)]),
  ];
  if (queries.length > 0) {
    const rows = queries.map(({ name, latency, failed }) => [
      ...[name, grouped(latency.count), ms(latency.p50), ms(latency.p90), ms(latency.p99)],
      ...[ms(latency.p999), ms(latency.max), grouped(failed)],
    ]);
    const head = ['statistic', 'asked', 'p50', 'p90', 'p99', 'p99.9', 'max', 'failed'];
    lines.push('', ...aligned([head, ...rows]));
  }
  return [...lines, '', ...conclusions(report)].join('\n');
}

const HEAD = [
  ...['hits/s', 'accepted/s', 'p50', 'p90', 'p99', 'p99.9', 'max', 'refused', 'unanswered'],
  ...['not sent', 'sent late p99', 'own CPU'],
];

function rowOf(step: Step): string[] {
  const { latency, hits } = step;
  return [
    ...[grouped(step.rate), grouped(step.hitsPerSecond), ms(latency.p50), ms(latency.p90)],
    ...[ms(latency.p99), ms(latency.p999), ms(latency.max), grouped(hits.refused)],
    ...[grouped(hits.unanswered), grouped(hits.notSent), ms(step.sentLateP99)],
    percent(step.ownCpuShare) + (step.isOwnLimit ? ' (late)' : ''),
  ];
}

/** What it comes to, one sentence each. */
export function conclusions(report: LoadReport): string[] {
  const { steps, check, load } = report;
  const lines: string[] = [];
  const refused = steps.find(({ firstRefusal }) => firstRefusal !== null);
  if (refused?.firstRefusal != null) {
    const by = Object.entries(refused.refusals).map(
      ([status, count]) => `${grouped(count)} × ${status}`,
    );
    const said = refused.firstRefusal.replace(/\s+/g, ' ').slice(0, 200);
    lines.push(`refused requests: ${by.join(', ')}; the first: ${said}`);
  }
  const lost = steps.find(({ losses }) => Object.keys(losses).length > 0);
  if (lost !== undefined) {
    const by = Object.entries(lost.losses).map(
      ([reason, count]) => `${grouped(count)} × ${reason}`,
    );
    lines.push(`requests without an answer: ${by.join(', ')}`);
  }
  if (steps.some(({ isOwnLimit }) => isOwnLimit)) {
    lines.push(
      'where it says (late) the load program itself could not keep up: latencies there are its own, too',
    );
  }
  const best = bestStep(report);
  if (load.limitMs !== null) {
    lines.push(
      best === null
        ? `no rate kept a p99 of ${load.limitMs} ms`
        : `${grouped(best.rate)} hits/s kept a p99 of ${load.limitMs} ms (${ms(best.latency.p99)})`,
    );
  }
  if (check !== null) lines.push(checkLine(check));
  if (report.wasStopped) lines.push('it was stopped before its end');
  return lines;
}

function checkLine(check: NonNullable<LoadReport['check']>): string {
  const { acknowledged, unanswered, counted, dropped, duplicates, lost, surplus } = check;
  const without = unanswered === 0 ? '' : `, ${grouped(unanswered)} without an answer`;
  const reasons = Object.entries(dropped).map(([reason, count]) => `${grouped(count)} ${reason}`);
  const of = reasons.length === 0 ? '' : ` (of which dropped: ${reasons.join(', ')})`;
  const what = `${grouped(acknowledged)} acknowledged${without}; ${grouped(counted)} counted${of}`;
  if (check.isRight) return `${what}: every acknowledged hit counts once`;
  const faults = [
    lost > 0 ? `${grouped(lost)} ARE MISSING` : '',
    surplus > 0
      ? `${grouped(surplus)} more than were sent: somebody else sends to this site, too`
      : '',
    duplicates > 0 ? `${grouped(duplicates)} duplicates` : '',
  ];
  return `${what}: ${faults.filter((fault) => fault !== '').join(', ')}`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]!.length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
