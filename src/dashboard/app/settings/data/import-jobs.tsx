/** What was imported into a site, or is just now: newest first, with what can be done about it (P-2). */
import { useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { type AnswerOf, call } from '../../data/api.ts';
import { dayOf } from '../../view/days.ts';
import { count, days } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { formatName } from './products.ts';
import { Sure } from './sure.tsx';

export type ImportJob = AnswerOf<'GET /api/v1/external/import'>[number];

/** Whether it is still to be done. */
export function isOpen({ state }: ImportJob): boolean {
  return state === 'waiting' || state === 'running';
}

/** Whether what is said of it will be something else soon. */
export function isMoving(job: ImportJob): boolean {
  return isOpen(job) || (job.state === 'cancelled' && !job.taken_back);
}

interface Given {
  readonly domainId: string;
  readonly jobs: readonly ImportJob[];
  readonly onDone: () => Promise<void>;
}

export function ImportJobs({ domainId, jobs, onDone }: Given) {
  const [isAsked, setAsked] = useState(false);
  const [fault, setFault] = useState('');
  // What a cancel ends is the newest of those that keep something.
  const last = jobs.find(({ state }) => state !== 'cancelled' && state !== 'failed');
  const end = async () => {
    await call('DELETE /api/v1/external/import/job', { domain_id: domainId });
    await onDone();
  };
  const cancel = () => {
    setFault('');
    end().catch((error: unknown) => setFault(faultText(error)));
  };
  return (
    <>
      <ul class="records">
        {jobs.map((job) => (
          <li key={job.id}>
            <div>
              <strong dir="auto">{job.name}</strong>
              <small>{aboutOf(job)}</small>
              <State job={job} />
            </div>
            {job === last && (
              <button
                type="button"
                class="button"
                aria-label={`${say(isOpen(job) ? 'cancel' : 'takeBack')}: ${job.name}`}
                onClick={() => (isOpen(job) ? cancel() : setAsked(true))}
              >
                {say(isOpen(job) ? 'cancel' : 'takeBack')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p class="sr-only" role="status">
        {jobs[0] !== undefined && `${jobs[0].name}: ${stateText(jobs[0], false)}`}
      </p>
      <p class="fault-text" role="alert">
        {fault}
      </p>
      {isAsked && last !== undefined && (
        <Sure
          title={say('takeBackNamed', { name: last.name })}
          hint={say('takeBackHint', { day: dayShown(last.until ?? last.to ?? '') })}
          submitWord="takeBack"
          onSure={end}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** The product and the days; of what was refused there are none. */
function aboutOf(job: ImportJob): string {
  const shown = job.state === 'failed' ? '' : daysOf(job);
  return [formatName(job.format), shown].filter(Boolean).join(' · ');
}

function daysOf({ from, to, until }: ImportJob): string {
  const end = until ?? to;
  if (from !== null && end !== null && from <= end) {
    return days({ from: dayOf(from), to: dayOf(end) });
  }
  if (end !== null) return say('daysUntil', { day: dayShown(end) });
  return from === null ? '' : say('daysFrom', { day: dayShown(from) });
}

/** A day as the reader writes it. */
export function dayShown(text: string): string {
  const day = dayOf(text);
  return days({ from: day, to: day });
}

function State({ job }: { job: ImportJob }) {
  if (job.state !== 'failed') return <small>{stateText(job, true)}</small>;
  return (
    <small class="fault-text">
      {say('importFailed')}{' '}
      <span lang="en" dir="auto">
        {job.error}
      </span>
    </small>
  );
}

/** @param hasRows whether it says how far it is: whoever has it read aloud is not told every second. */
function stateText(job: ImportJob, hasRows: boolean): string {
  const { state, rows_read: read, rows_imported: imported, rows_skipped: skipped } = job;
  if (state === 'waiting') return say('importWaiting');
  if (state === 'running' && imported === 0) {
    return say('importReading', { read: hasRows ? count(read) : '' });
  }
  if (state === 'running') {
    return say('importStoring', { imported: count(imported), read: count(read - skipped) });
  }
  if (state === 'failed') return `${say('importFailed')} ${job.error ?? ''}`;
  if (state === 'cancelled') return say(job.taken_back ? 'importTakenBack' : 'importGoing');
  return say(skipped === 0 ? 'importDone' : 'importDoneSkipped', { imported, skipped });
}
