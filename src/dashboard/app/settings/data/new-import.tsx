/** A new import: the product it comes from, the file, the days, and its start (P-2). */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { faultText } from '../../account/fault-text.ts';
import { type ApiError, call, faultOf } from '../../data/api.ts';
import { Fault } from '../../parts/fault.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { rate } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';
import { useUnsaved } from '../forms/unsaved.ts';
import { DayFields } from './day-fields.tsx';
import { FileDrop } from './file-drop.tsx';
import { PRODUCTS, productName } from './products.ts';
import { FILE_BYTES_MAX, upload } from './upload.ts';

interface Given {
  readonly domainId: string;
  /** One goes on: it is waited for. */
  readonly isBusy: boolean;
  readonly onStarted: () => Promise<void>;
}

const NOTHING = { property: '', from: '', to: '' };

export function NewImport({ domainId, isBusy, onStarted }: Given) {
  const ask = (signal: AbortSignal) =>
    call('GET /api/v1/external/import/profile', { domain_id: domainId }, undefined, signal);
  const uploads = useLoaded(ask, [domainId]);
  const [wanted, setWanted] = useState(NOTHING);
  const [fault, setFault] = useState<ApiError | null>(null);
  const isOnItsWay = useRef(false);
  const there = uploads.found ?? [];
  // What came last is what somebody wants to import.
  const property = there.some(({ id }) => id === wanted.property)
    ? wanted.property
    : (there.at(-1)?.id ?? '');
  const isOff = isBusy || property === '';
  const start = async () => {
    if (isOff || isOnItsWay.current) return;
    isOnItsWay.current = true;
    setFault(null);
    try {
      const days = { from: wanted.from || null, to: wanted.to || null };
      const body = { domain_id: domainId, property, ...days };
      await call('POST /api/v1/external/import', {}, body);
      setWanted(NOTHING);
      await onStarted();
    } catch (error) {
      setFault(faultOf(error));
    }
    isOnItsWay.current = false;
  };
  const { from = '', to = '', ...others } = fault?.validation ?? {};
  const isBeside = fault !== null && (from || to) !== '' && Object.keys(others).length === 0;
  return (
    <form
      class="settings-forms"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <ProductHelp />
      <Upload
        domainId={domainId}
        onCame={async (id) => {
          setWanted((before) => ({ ...before, property: id }));
          await uploads.load();
        }}
      />
      {uploads.fault !== null && (
        <Fault error={uploads.fault} onRetry={() => void uploads.load()} />
      )}
      {there.length > 0 && (
        <fieldset class="field file-choices">
          <legend>{say('uploaded')}</legend>
          {there.map(({ id, name }) => (
            <label key={id} class="check">
              <input
                type="radio"
                name="property"
                checked={id === property}
                onChange={() => setWanted({ ...wanted, property: id })}
              />
              <span dir="auto">{name}</span>
            </label>
          ))}
          <small class="hint">{say('uploadedHint')}</small>
        </fieldset>
      )}
      <DayFields
        value={wanted}
        faults={{ from, to }}
        hint={say('importDaysHint')}
        onInput={(days) => setWanted({ ...wanted, ...days })}
      />
      <div class="form-end">
        <button type="submit" class="button is-main" aria-disabled={isOff}>
          {say('importStart')}
        </button>
        <span class="hint">{isOff && say(isBusy ? 'importBusy' : 'importNoFile')}</span>
      </div>
      <p class="fault-text" role="alert">
        {fault !== null && !isBeside && faultText(fault)}
      </p>
    </form>
  );
}

/** Where the file is found that has to be brought. */
function ProductHelp() {
  const [key, setKey] = useState('');
  const chosen = PRODUCTS.find((product) => product.key === key);
  const id = useId();
  return (
    <div class="field">
      <label htmlFor={id}>{say('product')}</label>
      <select
        id={id}
        class="input"
        value={key}
        aria-describedby={`${id}-note`}
        onChange={(event) => setKey(event.currentTarget.value)}
      >
        <option value="">{say('productAny')}</option>
        {PRODUCTS.map((product) => (
          <option key={product.key} value={product.key}>
            {productName(product)}
          </option>
        ))}
      </select>
      <small id={`${id}-note`} class="hint" aria-live="polite">
        {say(chosen?.hint ?? 'productAnyHint')}
      </small>
    </div>
  );
}

interface Way {
  readonly name: string;
  readonly part: number;
  readonly end: AbortController;
}

function Upload({ domainId, onCame }: { domainId: string; onCame: (id: string) => Promise<void> }) {
  const [way, setWay] = useState<Way | null>(null);
  const [fault, setFault] = useState('');
  const [came, setCame] = useState('');
  useUnsaved(way !== null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (files: readonly File[]) => {
    const [file] = files;
    const wrong = faultOfFiles(files);
    setFault(wrong);
    setCame('');
    if (file === undefined || wrong !== '') return;
    const end = new AbortController();
    running.current = end;
    const tell = (part: number) => setWay({ name: file.name, part, end });
    tell(0);
    try {
      const sent = await upload({ domainId, file, onProgress: tell, signal: end.signal });
      if (sent !== null) {
        await onCame(sent.id);
        setCame(file.name);
      }
    } catch (error) {
      setFault(faultText(error));
    }
    setWay(null);
  };
  return (
    <>
      <FileDrop
        label={say('importFile')}
        hint={say('importFileHint')}
        fault={fault}
        isOff={way !== null}
        onChoose={(files) => void send(files)}
      />
      {way !== null && (
        <div class="upload-way">
          <progress value={way.part} aria-label={say('uploading', { name: way.name })} />
          <span class="hint">{rate(way.part)}</span>
          <button type="button" class="button" onClick={() => way.end.abort()}>
            {word('cancel')}
          </button>
        </div>
      )}
      <p class="sr-only" role="status">
        {came !== '' && say('uploadCame', { name: came })}
      </p>
    </>
  );
}

/** What keeps files from being sent at all; '' is nothing. */
function faultOfFiles(files: readonly File[]): string {
  if (files.length > 1) return say('importOneFile');
  const size = files[0]?.size ?? 0;
  if (size === 0) return say('importEmptyFile');
  return size > FILE_BYTES_MAX ? say('importLargeFile') : '';
}
