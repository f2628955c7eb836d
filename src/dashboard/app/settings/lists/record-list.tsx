/** The records of one kind: listed, made, changed and removed. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError, asPerson, call, faultOf } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { say } from '../../words/settings.ts';
import type { Field, Values } from '../forms/fields.ts';
import { changedElsewhere, RecordForm } from '../forms/record-form.tsx';
import { mayLeave } from '../forms/unsaved.ts';
import { PartHead } from '../part-head.tsx';
import type { Place } from '../place.ts';
import { RecordRow, Secrets } from './record-row.tsx';
import type { Open, Rec, RecordKind } from './records.ts';

interface Given {
  readonly kind: RecordKind;
  readonly place: Place;
}

/** Lists that belong together: what is done in one may show in another. */
export function RecordLists({ kinds, place }: { kinds: readonly RecordKind[]; place: Place }) {
  const [version, setVersion] = useState(0);
  return (
    <>
      {kinds.map((kind) => (
        <RecordList
          key={kind.key}
          {...{ kind, place, version }}
          onDone={() => {
            setVersion((before) => before + 1);
            // Who is in an organization decides what is shown of it; whoever left it sees none.
            if (place.organization !== null) void place.onChanged();
          }}
        />
      ))}
    </>
  );
}

interface ListGiven extends Given {
  /** Another one: something is different now. */
  readonly version: number;
  readonly onDone: () => void;
}

const NOT_FOUND = 404;
const NAME: Field = { name: 'name', label: 'name', kind: 'text', isRequired: true };

function RecordList({ kind, place, version, onDone }: ListGiven) {
  const { records, fault, load } = useRecords(kind, place, version);
  const [open, setOpen] = useState<Open | null>(null);
  const [made, setMade] = useState<Rec | null>(null);
  useEffect(() => setMade(null), [kind.key, place.domain?.id]);
  const close = () => {
    setOpen(null);
    // It says what happened elsewhere, if that is why nothing was saved.
    if (open?.kind !== 'new') void load();
  };
  return (
    <section class="settings-part">
      <PartHead title={say(kind.title)} hint={say(kind.hint)}>
        {kind.fields.length > 0 && kind.isAdded?.(place) !== false && (
          <button type="button" class="button is-main" onClick={() => setOpen({ kind: 'new' })}>
            {say('add')}
          </button>
        )}
      </PartHead>
      {fault !== null && <Fault error={fault} onRetry={() => void load()} />}
      {made !== null && <Secrets names={kind.secrets ?? []} record={made} />}
      {fault === null && records !== null && records.length === 0 && (
        <p class="empty">{say(kind.none)}</p>
      )}
      <ul class="records">
        {(records ?? []).map((record) => (
          <RecordRow
            key={record.id}
            {...{ kind, record, place }}
            onOpen={setOpen}
            onDone={() => void load()}
          />
        ))}
      </ul>
      {open !== null && (
        <RecordDialog
          kind={kind}
          place={place}
          open={open}
          onClose={close}
          onDone={(answer) => {
            if (open.kind === 'new' && kind.secrets !== undefined) setMade(answer);
            setOpen(null);
            onDone();
          }}
        />
      )}
    </section>
  );
}

function useRecords(kind: RecordKind, place: Place, version: number) {
  const [records, setRecords] = useState<readonly Rec[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const load = async () => {
    try {
      const answer = await call(`GET /api/v1/${kind.path}` as never, kind.listed(place));
      setRecords(Array.isArray(answer) ? (answer as Rec[]) : []);
      setFault(null);
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  useEffect(() => setRecords(null), [kind.key, place.domain?.id]);
  useEffect(() => {
    void load();
  }, [kind.key, place.domain?.id, version]);
  return { records, fault, load };
}

interface DialogGiven extends Given {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onDone: (answer: Rec) => void;
}

function RecordDialog({ kind, place, open, onClose, onDone }: DialogGiven) {
  const path = `/api/v1/${kind.path}`;
  const isWide = open.kind === 'tool' || (kind.preview !== undefined && open.kind !== 'remove');
  const shared = { onClose, mayClose: mayLeave, isWide };
  const preview =
    kind.preview === undefined
      ? {}
      : { preview: (values: Values) => kind.preview?.(values, place) };
  const [seen, setSeen] = useState(open.kind === 'new' ? null : open.record['mod_time']);
  const send = async (method: string, query: Values, body?: Values) =>
    onDone((await call(`${method} ${path}` as never, query, body)) as Rec);
  /** Whoever saves knows what it replaces. @throws ApiError: it is another one, or none, by now. */
  const checkSame = async (id: string) => {
    const records = await asPerson(() => call(`GET ${path}` as never, kind.listed(place)));
    const now = (records as readonly Rec[]).find((one) => one.id === id);
    if (now === undefined) throw new ApiError(NOT_FOUND, '');
    if (now['mod_time'] === seen) return;
    setSeen(now['mod_time']);
    throw changedElsewhere();
  };
  if (open.kind === 'new') {
    return (
      <Dialog title={`${say(kind.title)}: ${say('add')}`} {...shared}>
        <RecordForm
          fields={kind.fields}
          values={{}}
          submitWord="add"
          {...preview}
          onSubmit={(values) => send('POST', {}, { ...kind.made(place), ...values })}
        />
      </Dialog>
    );
  }
  const { record } = open;
  const { name } = kind.told(record, place);
  if (open.kind === 'tool') {
    return (
      <Dialog title={`${say(open.tool.label)}: ${name}`} {...shared}>
        {open.tool.show(record)}
      </Dialog>
    );
  }
  if (open.kind === 'remove') {
    const removed = { id: record.id, ...kind.removed?.(place) };
    return (
      <Dialog title={say('removeNamed', { name })} {...shared}>
        <p>{say('removeHint')}</p>
        <RecordForm
          fields={[]}
          values={{}}
          submitWord="remove"
          isDanger
          onSubmit={() => send('DELETE', removed)}
        />
      </Dialog>
    );
  }
  const { change, changed, changes } = kind;
  const fields =
    changes === undefined ? kind.fields.filter(({ isOnce }) => isOnce !== true) : [NAME];
  return (
    <Dialog title={name} {...shared}>
      <RecordForm
        fields={fields}
        values={record}
        submitWord="save"
        {...preview}
        onSubmit={async (values) => {
          await checkSame(record.id);
          const body = { ...changed?.(record, place), id: record.id, ...values };
          await send(String(change), {}, body);
        }}
      />
    </Dialog>
  );
}
