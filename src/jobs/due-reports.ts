/**
 * Writes reports down whose time has come (O-30): the mail, and the next time, in one record of the
 * registry. So there is one mail for one moment, whatever is killed whenever, on however many nodes.
 *
 * Control plane. A turn without anything due compares three numbers. What finds no room among the mails
 * that wait stays due.
 */
import { changed } from '../control/descriptor/draft.ts';
import type { Change } from '../control/descriptor/resource.ts';
import { reportWanted } from '../control/people/mails.ts';
import type { RegistryView } from '../control/registry/view.ts';
import { type ReportStep, reportStep } from '../control/report-times.ts';
import { domain } from '../control/resources/domain.ts';
import { type Report, report } from '../control/resources/report.ts';
import { asDomainId } from '../model/ids.ts';
import { REPORT_COUNT_PER_RECORD } from '../model/outgoing-limits.ts';
import type { JobContext, JobTurn } from './job.ts';

const NODE = { kind: 'node', id: '' } as const;

/** The job of the reports. */
export function dueReports(context: Pick<JobContext, 'registry' | 'owns' | 'nowMs'>): JobTurn {
  const { registry, owns, nowMs } = context;
  /** What the last look saw, when it was, and when it found the next to be due. */
  const last = { revision: '', atMs: 0, dueMs: 0 };
  return async () => {
    const { view } = registry;
    const atMs = nowMs();
    const revision = `${view.revision(report)} ${view.revision(domain)}`;
    // A clock that was set back may show that another one was wrong.
    const isSame = revision === last.revision && atMs >= last.atMs;
    if (isSame && atMs < last.dueMs) return;
    let found: Look;
    do {
      found = look(view, owns, atMs);
      const due = found.due.slice(0, REPORT_COUNT_PER_RECORD);
      if (due.length === 0) break;
      const stamp = { nowMs: atMs, by: NODE };
      const changes = await registry.change(stamp, (now) =>
        due.flatMap(({ id }) => changesOf(id, now, atMs)),
      );
      // There is no room, or another node was first.
      if (changes.length === 0) break;
    } while (found.due.length > 0);
    Object.assign(last, { revision, atMs, dueMs: found.nextMs });
  };
}

interface Look {
  readonly due: readonly Report[];
  /** When the next one that is still to come is due; of those that are not ours as well. */
  readonly nextMs: number;
}

function look(view: RegistryView, owns: JobContext['owns'], atMs: number): Look {
  const due: Report[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  for (const one of view.all(report)) {
    const step = stepOf(one, view, atMs);
    if (step === null) nextMs = Math.min(nextMs, one.nextReportMs);
    else if (owns(asDomainId(one.domainId))) due.push(one);
    // It may be ours by the next turn.
    else nextMs = atMs;
  }
  return { due: due, nextMs: due.length > 0 ? atMs : nextMs };
}

/**
 * By what stands in the registry when they are appended: somebody may have changed or removed it.
 */
function changesOf(id: string, view: RegistryView, nowMs: number): Change[] {
  const found = view.find(report, id);
  const step = found === null ? null : stepOf(found, view, nowMs);
  if (found === null || step === null) return [];
  const moved = changed(report, { ...found, nextReportMs: step.nextMs });
  if (step.days === null) return [moved];
  const wanted = reportWanted(found, step.days, { view, nowMs });
  return wanted === null ? [] : [moved, wanted];
}

function stepOf(of: Report, view: RegistryView, nowMs: number): ReportStep | null {
  const { domainId, interval: intervalWeeks, nextReportMs: dueMs } = of;
  const site = view.find(domain, domainId);
  return site === null ? null : reportStep({ dueMs, intervalWeeks }, site.timezone, nowMs);
}
