/**
 * What happens to a domain of which its Owner and Admins are told: a spike, no traffic, a goal that
 * is reached (O-40 to O-42). When each is told, and what is changed with it. Pure.
 *
 * Control plane. What remembers that it was told is changed together with the mails, so that of
 * several nodes that find the same at the same time one tells it, whatever their clocks say, and a
 * kill between makes neither two nor none. Where nobody is left to be told nothing is remembered.
 */
import { DAY_MS } from '../../model/limits.ts';
import { SPIKE_SILENCE_MS } from '../../model/outgoing-limits.ts';
import type { LastHit } from '../../model/usage.ts';
import { changed, created, deleted, draftNew } from '../descriptor/draft.ts';
import type { Change, Look } from '../descriptor/resource.ts';
import { type Domain, domain } from '../resources/domain.ts';
import { type Goal, goal } from '../resources/goal.ts';
import { type Notice, notice, noticeOf } from '../resources/notice.ts';
import { type NoticeContext, noticesWanted } from './mails.ts';
import { recipientsOf } from './notices.ts';

/** 9 of 1,000 visitors are 0.9 %, though as doubles they are a little less. */
const SLACK = 1 - 1e-12;

/** Something with its visitors. */
interface Counted {
  readonly name: string;
  readonly count: number;
}

/** Who is active on a domain at a moment. */
export interface SpikeFound {
  readonly visitors: number;
  readonly atMs: number;
  /** Of that moment, most visitors first. */
  readonly pages: readonly Counted[];
  readonly referrers: readonly Counted[];
}

/** From how many active visitors on a domain has a spike; null: nobody wants to know. */
export function spikeThresholdOf({ trafficSpike, trafficSpikeThreshold }: Domain): number | null {
  return trafficSpike === true && trafficSpikeThreshold > 0 ? trafficSpikeThreshold : null;
}

/** Whether a spike of a domain would be told now: somebody wants it, and it is not silent. */
export function isSpikeTold(site: Domain, { view, nowMs }: NoticeContext): boolean {
  if (spikeThresholdOf(site) === null) return false;
  const toldMs = noticeOf(view, site.id)?.spikeToldMs ?? null;
  // A clock that was far ahead when it was told, and is right again, silences nobody for years.
  const isSilent = toldMs !== null && Math.abs(nowMs - toldMs) < SPIKE_SILENCE_MS;
  return !isSilent && recipientsOf(view, site, 'spike').length > 0;
}

/**
 * Tells a spike; nothing where it is none by the threshold of now, was told, or cannot be told now.
 */
export function tellSpike(domainId: string, found: SpikeFound, context: NoticeContext): Change[] {
  const { view, nowMs } = context;
  const site = view.find(domain, domainId);
  const threshold = site === null ? null : spikeThresholdOf(site);
  if (site === null || threshold === null || found.visitors < threshold) return [];
  if (!isSpikeTold(site, context)) return [];
  const mails = noticesWanted({ kind: 'spike', site, about: { ...found, threshold } }, context);
  return mails === null ? [] : [...mails, remembered(domainId, { spikeToldMs: nowMs }, context)];
}

/** After how many days without a hit a domain is warned of; null: nobody wants to know. */
export function warningDaysOf({ trafficWarning, trafficWarningThreshold }: Domain): number | null {
  return trafficWarning === true && trafficWarningThreshold > 0 ? trafficWarningThreshold : null;
}

/**
 * Whether no hit came for so long that it is told, and was not told yet. A domain that never had
 * one is silent since it was made.
 */
export function isWarningTold(
  site: Domain,
  lastHit: LastHit,
  { view, nowMs }: NoticeContext,
): boolean {
  const days = warningDaysOf(site);
  if (days === null || lastHit === 'unknown') return false;
  const sinceMs = lastHit === 'never' ? site.createdMs : lastHit;
  const warnedOfMs = noticeOf(view, site.id)?.warnedOfMs ?? null;
  const isTold = warnedOfMs !== null && hitOf(lastHit) <= warnedOfMs;
  if (isTold || nowMs - sinceMs < days * DAY_MS) return false;
  return recipientsOf(view, site, 'warning').length > 0;
}

/** Tells that nothing comes; nothing where that is not so by the settings of now, or was told. */
export function tellWarning(domainId: string, lastHit: LastHit, context: NoticeContext): Change[] {
  const { view, nowMs } = context;
  const site = view.find(domain, domainId);
  if (site === null || lastHit === 'unknown' || !isWarningTold(site, lastHit, context)) return [];
  const lastHitMs = lastHit === 'never' ? null : lastHit;
  const days = Math.floor((nowMs - (lastHitMs ?? site.createdMs)) / DAY_MS);
  const mails = noticesWanted({ kind: 'warning', site, about: { days, lastHitMs } }, context);
  if (mails === null) return [];
  return [...mails, remembered(domainId, { warnedOfMs: hitOf(lastHit) }, context)];
}

/** What a goal has come to since its progress began. */
export interface GoalProgress {
  /** What it was counted of: another goal by now if this is another instant. */
  readonly sinceMs: number;
  readonly visitors: number;
  /** A fraction, as the API answers it. */
  readonly conversionRate: number;
  readonly metricTotal: number;
  readonly metricAverage: number;
}

/** A target of a goal that is set, as the mail has it; rates are in percent. */
interface GoalTarget {
  readonly of: 'visitors' | 'rate' | 'total' | 'average';
  readonly metric: string;
  readonly reached: number;
  readonly target: number;
}

/** From when the progress of a goal is counted (M-60). */
export function progressSinceMs({ progressSinceMs: sinceMs, createdMs }: Goal): number {
  return sinceMs ?? createdMs;
}

/**
 * Whether something happens when a goal is reached: it has a target, and somebody to be told or a
 * flag.
 */
export function isGoalWatched(one: Goal, site: Domain, view: Look): boolean {
  const { visitorGoal, crGoal, customMetricTotalGoal, customMetricAvgGoal } = one;
  const targets = [visitorGoal, crGoal, customMetricTotalGoal, customMetricAvgGoal];
  if (targets.every((target) => target === null)) return false;
  return one.deleteReached || (one.emailReached && recipientsOf(view, site, 'goal').length > 0);
}

/** Whether all targets that are set are reached; without any there is nothing to reach. */
export function isGoalReached(one: Goal, progress: GoalProgress): boolean {
  const targets = targetsOf(one, progress);
  return targets.length > 0 && targets.every(({ reached, target }) => reached >= target * SLACK);
}

/**
 * Tells that a goal is reached and clears its flag, or deletes it, or both; nothing where the goal
 * is another one by now, or cannot be told now.
 */
export function tellGoal(goalId: string, progress: GoalProgress, context: NoticeContext): Change[] {
  const { view, nowMs } = context;
  const one = view.find(goal, goalId);
  const site = one === null ? null : view.find(domain, one.domainId);
  if (one === null || site === null || progressSinceMs(one) !== progress.sinceMs) return [];
  if (!isGoalWatched(one, site, view) || !isGoalReached(one, progress)) return [];
  const { name, deleteReached: isDeleted, emailReached } = one;
  const targets = targetsOf(one, progress);
  const about = { goal: name, sinceMs: progress.sinceMs, isDeleted, targets };
  const mails = emailReached ? noticesWanted({ kind: 'goal', site, about }, context) : [];
  if (mails === null) return [];
  const after = { ...one, emailReached: false, modifiedMs: nowMs };
  return [...mails, isDeleted ? deleted(goal, goalId) : changed(goal, after)];
}

function targetsOf(one: Goal, progress: GoalProgress): GoalTarget[] {
  const { visitors, conversionRate, metricTotal, metricAverage } = progress;
  const metric = one.customMetricKey ?? '';
  const rows: [of: GoalTarget['of'], target: number | null, reached: number][] = [
    ['visitors', one.visitorGoal, visitors],
    ['rate', one.crGoal, conversionRate * 100],
    ['total', one.customMetricTotalGoal, metricTotal],
    ['average', one.customMetricAvgGoal, metricAverage],
  ];
  return rows.flatMap(([of, target, reached]) => {
    const isOfMetric = of === 'total' || of === 'average';
    return target === null ? [] : [{ of, metric: isOfMetric ? metric : '', reached, target }];
  });
}

/** 0 is before any hit. */
function hitOf(lastHit: number | 'never'): number {
  return lastHit === 'never' ? 0 : lastHit;
}

function remembered(
  domainId: string,
  told: Partial<Pick<Notice, 'spikeToldMs' | 'warnedOfMs'>>,
  { view, nowMs }: NoticeContext,
): Change {
  const before = noticeOf(view, domainId);
  if (before !== null) return changed(notice, { ...before, ...told, modifiedMs: nowMs });
  const sent = { domain_id: domainId };
  const { record } = draftNew(notice, { sent, userId: '', view, nowMs });
  return created(notice, { ...record, ...told });
}
