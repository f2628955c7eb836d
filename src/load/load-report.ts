/**
 * What a run of the load program has found: plain data, from which the table, the JSON and the page are
 * made. Control plane, pure.
 */

import type { Counted } from './footfall-site.ts';
import type { Percentiles } from './send/latencies.ts';
import type { Fates, Second, StreamResult } from './send/stream.ts';

/** Shares at which the curve of latencies is told: ever closer to all. */
const CURVE_SHARES = [
  ...[0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.98],
  ...[0.99, 0.995, 0.9975, 0.999, 0.9995, 0.9999, 0.99999, 1],
];
/** Above that the load program has no more to give, and its own waiting is in what it measures. */
export const OWN_CPU_SHARE_MAX = 0.9;
/** Later than that by itself, it measures itself. */
const OWN_LATE_MS_MAX = 5;

/** One stretch at one rate. */
export interface Step {
  /** Hits a second: asked for, and accepted. */
  readonly rate: number;
  readonly hitsPerSecond: number;
  readonly seconds: number;
  /** In hits. */
  readonly hits: Readonly<Fates> & { readonly notSent: number };
  /** Of requests, from the moment due, ms. */
  readonly latency: Percentiles;
  readonly curve: readonly (readonly [share: number, ms: number])[];
  readonly perSecond: readonly Second[];
  /** p99 of how late the load program sent what it could have sent, ms. */
  readonly sentLateP99: number;
  /** Share of a core that the load program took. */
  readonly ownCpuShare: number;
  /** The load program was the limit: what it measured is not the target's. */
  readonly isOwnLimit: boolean;
  readonly refusals: Readonly<Record<string, number>>;
  readonly losses: Readonly<Record<string, number>>;
  readonly firstRefusal: string | null;
  /** Whether it stayed below the limit without a failure; null where no limit was asked for. */
  readonly isWithin: boolean | null;
}

/** A statistic asked beside the hits. */
export interface QueryLine {
  readonly name: string;
  readonly latency: Percentiles;
  readonly failed: number;
}

/** Whether what was acknowledged is what was counted (P-31). */
export interface Check {
  readonly acknowledged: number;
  /** Hits of requests that nobody answered: each may count or not. */
  readonly unanswered: number;
  readonly counted: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly duplicates: number;
  readonly lost: number;
  readonly surplus: number;
  readonly isRight: boolean;
}

/** All of it. */
export interface LoadReport {
  readonly version: string;
  readonly date: string;
  readonly target: { readonly product: string; readonly url: string; readonly hostname: string };
  readonly load: {
    readonly mix: string;
    readonly seed: number;
    readonly batch: number;
    readonly connections: number;
    readonly warmUpSeconds: number;
    readonly limitMs: number | null;
  };
  readonly machine: { readonly node: string; readonly cpu: string; readonly cores: number };
  readonly steps: readonly Step[];
  readonly queries: readonly QueryLine[];
  readonly check: Check | null;
  readonly wasStopped: boolean;
}

/** A stretch as a step of the report. @param of.batch hits of one request. */
export function stepOf(
  result: StreamResult,
  of: { rate: number; batch: number; limitMs: number | null },
): Step {
  const { measured, latencies, notSent, seconds, ownCpuShare, sentLate } = result;
  const { batch } = of;
  const latency = latencies.percentiles;
  const failed = measured.refused + measured.unanswered + notSent;
  return {
    rate: of.rate,
    hitsPerSecond: seconds === 0 ? Number.NaN : (measured.accepted * batch) / seconds,
    seconds,
    hits: {
      sent: measured.sent * batch,
      accepted: measured.accepted * batch,
      refused: measured.refused * batch,
      unanswered: measured.unanswered * batch,
      notSent: notSent * batch,
    },
    latency,
    curve: CURVE_SHARES.map((share) => [share, latencies.at(share)] as const),
    perSecond: result.perSecond,
    sentLateP99: sentLate.p99,
    ownCpuShare,
    isOwnLimit: ownCpuShare > OWN_CPU_SHARE_MAX || sentLate.p99 > OWN_LATE_MS_MAX,
    refusals: Object.fromEntries(result.statuses),
    losses: Object.fromEntries(result.losses),
    firstRefusal: result.firstRefusal,
    isWithin: of.limitMs === null ? null : latency.p99 <= of.limitMs && failed === 0,
  };
}

/** What was sent against what was counted; `fates` are of everything, in hits. */
export function checkOf(fates: Readonly<Fates>, before: Counted, after: Counted): Check {
  const counted = after.received - before.received;
  const dropped = Object.fromEntries(
    Object.entries(after.dropped)
      .map(([reason, count]) => [reason, count - (before.dropped[reason] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
  const duplicates = after.duplicates - before.duplicates;
  const lost = Math.max(0, fates.accepted - counted);
  const surplus = Math.max(0, counted - fates.accepted - fates.unanswered);
  return {
    acknowledged: fates.accepted,
    unanswered: fates.unanswered,
    ...{ counted, dropped, duplicates, lost, surplus },
    isRight: lost === 0 && surplus === 0 && duplicates === 0,
  };
}

/** The fastest step that kept the limit; null where there was none, or no limit. */
export function bestStep({ steps }: Pick<LoadReport, 'steps'>): Step | null {
  const within = steps.filter(({ isWithin }) => isWithin === true);
  return within.reduce<Step | null>(
    (best, step) => (best === null || step.rate > best.rate ? step : best),
    null,
  );
}

/** Whether every hit was accepted and counted once; a limit that was looked for may be exceeded. */
export function isClean(report: LoadReport): boolean {
  if (report.check?.isRight === false) return false;
  if (report.queries.some(({ failed }) => failed > 0)) return false;
  if (report.load.limitMs !== null) return bestStep(report) !== null;
  return report.steps.every(
    ({ hits }) => hits.accepted > 0 && hits.refused + hits.unanswered + hits.notSent === 0,
  );
}
