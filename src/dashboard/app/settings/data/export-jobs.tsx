/** The exports of a site, newest first: how far they are, and their files while they are offered. */
import { useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { type AnswerOf, call } from '../../data/api.ts';
import { dayOf } from '../../view/days.ts';
import { bytes } from '../../words/bytes.ts';
import { days, instant } from '../../words/format.ts';
import { type SayKey, say } from '../../words/settings.ts';
import { dayShown } from './import-jobs.tsx';
import { Sure } from './sure.tsx';

export type ExportJob = AnswerOf<'GET /api/v1/export'>[number];

/** Whether it is still to be done. */
export function isOpen({ state }: ExportJob): boolean {
  return state === 'waiting' || state === 'running';
}

interface Given {
  readonly jobs: readonly ExportJob[];
  /** Times are told in it. */
  readonly zone: string;
  readonly onDone: () => Promise<void>;
}

export function ExportJobs({ jobs, zone, onDone }: Given) {
  const [asked, setAsked] = useState<ExportJob | null>(null);
  const [fault, setFault] = useState('');
  const end = async ({ id }: ExportJob) => {
    await call('DELETE /api/v1/export', { id });
    await onDone();
  };
  /** What has files is asked about before. */
  const press = (job: ExportJob) => {
    setFault('');
    if (job.state === 'done') setAsked(job);
    else end(job).catch((error: unknown) => setFault(faultText(error)));
  };
  const [first] = jobs;
  return (
    <>
      <ul class="records">
        {jobs.map((job) => {
          const button = say(isOpen(job) ? 'cancel' : 'remove');
          return (
            <li key={job.id}>
              <div>
                <strong>{nameOf(job)}</strong>
                <small>{instant(Date.parse(job.created), zone)}</small>
                <State job={job} zone={zone} />
              </div>
              <button
                type="button"
                class="button"
                aria-label={`${button}: ${nameOf(job)}`}
                onClick={() => press(job)}
              >
                {button}
              </button>
              {job.state === 'done' && <Files job={job} />}
            </li>
          );
        })}
      </ul>
      <p class="sr-only" role="status">
        {first !== undefined && `${nameOf(first)}: ${say(STATES[first.state])}`}
      </p>
      <p class="fault-text" role="alert">
        {fault}
      </p>
      {asked !== null && (
        <Sure
          title={say('removeNamed', { name: nameOf(asked) })}
          hint={say('exportRemoveHint')}
          submitWord="remove"
          onSure={() => end(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

const TABLES: Readonly<Record<string, SayKey>> = {
  ...{ all: 'exportAll', sessions: 'sessions', views: 'tagViews', events: 'events' },
};
const FORMATS: Readonly<Record<string, string>> = {
  ...{ csv: 'CSV', ndjson: 'NDJSON', parquet: 'Parquet' },
};
const STATES: Readonly<Record<ExportJob['state'], SayKey>> = {
  waiting: 'importWaiting',
  running: 'exportRunning',
  done: 'exportDone',
  failed: 'exportFailed',
  cancelled: 'exportCancelled',
};

/** What is in it, as what, of which days. */
function nameOf({ what, format, from, to }: ExportJob): string {
  const table = TABLES[what];
  const parts = [table === undefined ? what : say(table), FORMATS[format] ?? format];
  return [...parts, daysOf(from, to)].filter(Boolean).join(' · ');
}

function daysOf(from: string | null, to: string | null): string {
  if (from !== null && to !== null) return days({ from: dayOf(from), to: dayOf(to) });
  if (to !== null) return say('daysUntil', { day: dayShown(to) });
  return from === null ? '' : say('daysFrom', { day: dayShown(from) });
}

function State({ job, zone }: { job: ExportJob; zone: string }) {
  const { state, rows, expires, error } = job;
  if (state === 'failed') {
    return (
      <small class="fault-text">
        {say('exportFailed')}
        {error !== null && ': '}
        <span lang="en">{error}</span>
      </small>
    );
  }
  const told = [say(STATES[state])];
  if (state === 'running' || state === 'done') told.push(say('exportRows', { rows }));
  if (state === 'done' && expires !== null) {
    told.push(say('exportUntil', { time: instant(Date.parse(expires), zone) }));
  }
  return <small>{told.join(' · ')}</small>;
}

/** More than this many are shown when they are asked for. */
const SHOWN_MAX = 8;

function Files({ job: { files } }: { job: ExportJob }) {
  const sum = files.reduce((all, file) => all + file.bytes, 0);
  return (
    <details class="export-files" open={files.length <= SHOWN_MAX}>
      <summary>{say('exportFiles', { count: files.length, size: bytes(sum) })}</summary>
      <ul>
        {files.map(({ name, url, bytes: size }) => (
          <li key={name}>
            <a href={url} download={name}>
              {name}
            </a>{' '}
            <span class="quiet">{bytes(size)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
