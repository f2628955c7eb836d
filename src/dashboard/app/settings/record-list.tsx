/** The records of one kind: listed, made, changed and removed. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import type { Domain } from '../site/site-data.ts';
import { word } from '../words/words.ts';
import { RecordForm } from './record-form.tsx';
import type { Rec, RecordKind } from './records.ts';

interface Given {
  readonly kind: RecordKind;
  readonly domain: Domain;
}

/** What is open over the list. */
type Open = { readonly kind: 'new' } | { readonly kind: 'change' | 'remove'; readonly record: Rec };

export function RecordList({ kind, domain }: Given) {
  const [records, setRecords] = useState<readonly Rec[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const [made, setMade] = useState<Rec | null>(null);
  const path = `/api/v1/${kind.path}`;
  const load = async () => {
    try {
      const answer = await call(`GET ${path}` as never, { [kind.listBy]: domain.id });
      setRecords(Array.isArray(answer) ? (answer as Rec[]) : []);
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(0, String(error)));
    }
  };
  useEffect(() => {
    setRecords(null);
    setMade(null);
    void load();
  }, [kind.key, domain.id]);
  const close = async () => {
    setOpen(null);
    await load();
  };
  const make = async (values: Readonly<Record<string, unknown>>) => {
    const answer = await call(
      `POST ${path}` as never,
      {},
      { [kind.madeWith]: domain.id, ...values },
    );
    if (kind.secrets !== undefined) setMade(answer as Rec);
    await close();
  };
  const change = async (record: Rec, values: Readonly<Record<string, unknown>>) => {
    const body = {
      id: record.id,
      ...(kind.change === 'POST' ? { domain_id: domain.id } : {}),
      ...values,
    };
    await call(`${kind.change} ${path}` as never, {}, body);
    await close();
  };
  return (
    <section class="settings-part">
      <header class="settings-head">
        <div>
          <h2>{word(kind.title)}</h2>
          <p class="hint">{word(kind.hint)}</p>
        </div>
        {kind.fields.length > 0 && (
          <button type="button" class="button is-main" onClick={() => setOpen({ kind: 'new' })}>
            {word('add')}
          </button>
        )}
      </header>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {made !== null && <Secrets names={kind.secrets ?? []} record={made} />}
      {records !== null && records.length === 0 && <p class="empty">{word('noneYet')}</p>}
      <ul class="records">
        {(records ?? []).map((record) => (
          <RecordRow key={record.id} kind={kind} record={record} onOpen={setOpen} />
        ))}
      </ul>
      {open?.kind === 'new' && (
        <Dialog title={`${word(kind.title)}: ${word('add')}`} onClose={() => setOpen(null)}>
          <RecordForm fields={kind.fields} values={{}} submitWord="add" onSubmit={make} />
        </Dialog>
      )}
      {open?.kind === 'change' && (
        <Dialog title={kind.told(open.record).name} onClose={() => setOpen(null)}>
          <RecordForm
            fields={kind.fields.filter(({ isOnce }) => isOnce !== true)}
            values={open.record}
            submitWord="save"
            onSubmit={(values) => change(open.record, values)}
          />
        </Dialog>
      )}
      {open?.kind === 'remove' && (
        <Dialog
          title={`${word('remove')}: ${kind.told(open.record).name}`}
          onClose={() => setOpen(null)}
        >
          <RecordForm
            fields={[]}
            values={{}}
            submitWord="remove"
            onSubmit={async () => {
              await call(`DELETE ${path}` as never, { id: open.record.id });
              await close();
            }}
          />
        </Dialog>
      )}
    </section>
  );
}

interface RowGiven {
  readonly kind: RecordKind;
  readonly record: Rec;
  readonly onOpen: (open: Open) => void;
}

function RecordRow({ kind, record, onOpen }: RowGiven) {
  const { name, more } = kind.told(record);
  return (
    <li>
      <div>
        <b dir="auto">{name}</b>
        <small dir="auto">{more}</small>
      </div>
      {kind.change !== null && (
        <button
          type="button"
          class="button is-plain"
          aria-label={`${word('change')}: ${name}`}
          onClick={() => onOpen({ kind: 'change', record })}
        >
          {word('change')}
        </button>
      )}
      <button
        type="button"
        class="button is-plain"
        aria-label={`${word('remove')}: ${name}`}
        onClick={() => onOpen({ kind: 'remove', record })}
      >
        {word('remove')}
      </button>
    </li>
  );
}

function Secrets({ names, record }: { names: readonly string[]; record: Rec }) {
  return (
    <div class="card secrets" role="status">
      <p>{word('shownOnce')}</p>
      <dl>
        {names
          .filter((name) => typeof record[name] === 'string' && record[name] !== '')
          .map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{String(record[name])}</code>
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
