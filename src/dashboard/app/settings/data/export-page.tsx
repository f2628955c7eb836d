/** Everything stored of a site as files (P-10): what is wanted, how far it is, and what is offered. */
import { useId, useRef, useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { type ApiError, call, faultOf } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { type SayKey, say } from '../../words/settings.ts';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';
import { DayFields } from './day-fields.tsx';
import { type ExportJob, ExportJobs, isOpen } from './export-jobs.tsx';
import { useJobs } from './use-jobs.ts';

type Choices = readonly (readonly [string, SayKey])[];

const WHAT: Choices = [
  ['all', 'exportAll'],
  ['sessions', 'sessions'],
  ['views', 'tagViews'],
  ['events', 'events'],
];
const FORMATS: Choices = [
  ['csv', 'formatCsv'],
  ['ndjson', 'formatNdjson'],
  ['parquet', 'formatParquet'],
];

export function ExportPage({ domain }: SitePlace) {
  const { id } = domain;
  const { found, fault, load } = useJobs<ExportJob>(
    {
      ask: (signal) => call('GET /api/v1/export', { id }, undefined, signal),
      isMoving: isOpen,
      onSettled: () => undefined,
    },
    [id],
  );
  return (
    <section class="settings-part">
      <PartHead title={say('exports')} hint={say('exportsHint')} />
      {fault !== null && found === null && <Fault error={fault} onRetry={() => void load()} />}
      {found !== null && (
        <>
          {found.length === 0 ? (
            <p class="hint">{say('exportsNone')}</p>
          ) : (
            <ExportJobs jobs={found.toReversed()} zone={domain.timezone} onDone={load} />
          )}
          <h3>{say('exportNew')}</h3>
          <NewExport key={id} domainId={id} onStarted={load} />
        </>
      )}
    </section>
  );
}

const EVERYTHING = { what: 'all', format: 'csv', from: '', to: '' };

function NewExport({ domainId, onStarted }: { domainId: string; onStarted: () => Promise<void> }) {
  const [wanted, setWanted] = useState(EVERYTHING);
  const [fault, setFault] = useState<ApiError | null>(null);
  const isOnItsWay = useRef(false);
  const start = async () => {
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    setFault(null);
    try {
      const days = { from: wanted.from || null, to: wanted.to || null };
      await call('POST /api/v1/export', {}, { ...wanted, ...days, domain_id: domainId });
      await onStarted();
    } catch (error) {
      setFault(faultOf(error));
    }
    isOnItsWay.current = false;
  };
  const { from = '', to = '', ...others } = fault?.validation ?? {};
  const isBeside = (from || to) !== '' && Object.keys(others).length === 0;
  return (
    <form
      class="settings-forms"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {(
        [
          ['what', 'exportWhat', WHAT],
          ['format', 'exportFormat', FORMATS],
        ] as const
      ).map(([name, label, choices]) => (
        <Choice
          key={name}
          {...{ name, label, choices }}
          value={wanted[name]}
          onChoose={(value) => setWanted({ ...wanted, [name]: value })}
        />
      ))}
      <DayFields
        value={wanted}
        faults={{ from, to }}
        hint={say('exportDaysHint')}
        onInput={(days) => setWanted({ ...wanted, ...days })}
      />
      <div class="form-end">
        <button type="submit" class="button is-main">
          {say('exportStart')}
        </button>
      </div>
      <p class="fault-text" role="alert">
        {fault !== null && !isBeside && faultText(fault)}
      </p>
    </form>
  );
}

interface ChoiceGiven {
  readonly name: string;
  readonly label: SayKey;
  readonly choices: Choices;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ name, label, choices, value, onChoose }: ChoiceGiven) {
  const id = useId();
  return (
    <div class="field">
      <label htmlFor={id}>{say(label)}</label>
      <select
        id={id}
        class="input"
        name={name}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {choices.map(([key, called]) => (
          <option key={key} value={key}>
            {say(called)}
          </option>
        ))}
      </select>
    </div>
  );
}
