/** The form of a theme: what is typed is seen in the preview before it is saved. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type ApiError, faultOf } from '../../data/api.ts';
import { say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';
import { useUnsaved } from '../forms/unsaved.ts';
import { useChanged } from '../forms/use-changed.ts';
import { type Look, ThemePreview } from './theme-preview.tsx';

/** What the page has where a theme says nothing (`tokens.css`). */
const DEFAULTS = {
  accent: '#3b5bdb',
  accent_dark: '#8ea6ff',
  background: '#f4f5f8',
  background_dark: '#10131a',
} as const;
const COLORS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
const FILES = ['logo_light', 'logo_dark', 'favicon'] as const;
const NOT_FOUND = 404;
const HEX = /^#[0-9a-f]{6}$/i;

interface Given {
  /** What is set here. */
  readonly own: Look;
  /** What is shown where nothing is set here. */
  readonly below: Look;
  readonly name: string;
  readonly onSave: (
    settings: Readonly<Record<string, string>>,
    files: ReadonlyMap<string, File>,
  ) => Promise<void>;
  readonly onRemove: (file: string) => Promise<void>;
}

export function ThemeForm({ own, below, name, onSave, onRemove }: Given) {
  const saved = JSON.stringify(own);
  const [entered, setEntered] = useState<Look>(own);
  const [files, setFiles] = useState<ReadonlyMap<string, File>>(new Map());
  const [fault, setFault] = useState<ApiError | null>(null);
  const [isSaved, setSaved] = useState(false);
  const isOnItsWay = useRef(false);
  const addresses = useAddresses(files);
  useUnsaved(JSON.stringify(entered) !== saved || files.size > 0);
  useChanged(saved, () => setEntered(own));
  const type = (key: string, value: string) => {
    setSaved(false);
    setEntered((before) => ({ ...before, [key]: value }));
  };
  const act = async (work: () => Promise<void>) => {
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    setFault(null);
    try {
      await work();
      setFiles(new Map());
      setSaved(true);
    } catch (error) {
      setFault(faultOf(error));
    }
    isOnItsWay.current = false;
  };
  const look = { ...below, ...withoutEmpty(entered), ...addresses };
  const faults = fault?.validation ?? {};
  return (
    <form
      class="theme-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void act(() => onSave(settingsOf(entered), files));
      }}
    >
      <div class="settings-forms">
        {COLORS.map((key) => (
          <ColorField key={key} name={key} value={entered[key] ?? ''} onInput={type} />
        ))}
        <label class="field">
          {say('font')}
          <input
            class="input"
            name="font"
            value={entered['font'] ?? ''}
            placeholder="Georgia, serif"
            onInput={(event) => type('font', event.currentTarget.value)}
          />
        </label>
        {FILES.map((key) => (
          <FileField
            key={key}
            name={key}
            address={addresses[key] ?? own[key] ?? ''}
            fault={faults[key] ?? ''}
            isSaved={Boolean(own[key])}
            onChoose={(file) => {
              setSaved(false);
              setFiles(new Map([...files, [key, file]]));
            }}
            onRemove={() => void act(() => onRemove(key))}
          />
        ))}
        <div class="form-end">
          <button type="submit" class="button is-main">
            {say('save')}
          </button>
          <span class="hint" role="status">
            {isSaved && say('saved')}
          </span>
        </div>
        <p class="fault-text" role="alert">
          {otherFault(fault)}
        </p>
      </div>
      <ThemePreview look={look} name={name} />
    </form>
  );
}

/** What has no field of its own to stand beside. */
function otherFault(fault: ApiError | null): string {
  if (fault === null) return '';
  if (fault.status === 0) return word('awayFirst');
  if (fault.status === NOT_FOUND) return say('goneMeanwhile');
  const isBeside = Object.keys(fault.validation).every((name) =>
    FILES.some((file) => file === name),
  );
  return isBeside && Object.keys(fault.validation).length > 0 ? '' : fault.message;
}

function withoutEmpty(look: Look): Look {
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value));
}

/** Texts alone: files are sent beside them, and their addresses are the service's own. */
function settingsOf(look: Look): Record<string, string> {
  const texts = Object.entries(withoutEmpty(look)) as [string, string][];
  return Object.fromEntries(
    texts
      .filter(([name]) => !FILES.some((file) => file === name))
      .map(([name, value]) => [name, value.trim()]),
  );
}

/** Addresses under which files that are not sent yet can be shown. */
function useAddresses(files: ReadonlyMap<string, File>): Record<string, string> {
  const [addresses, setAddresses] = useState<Record<string, string>>({});
  useEffect(() => {
    let isCurrent = true;
    // As data: the page shows pictures of its own service and data, and nothing else (D-2).
    void Promise.all([...files].map(async ([name, file]) => [name, await dataOf(file)])).then(
      (entries) => isCurrent && setAddresses(Object.fromEntries(entries) as Record<string, string>),
    );
    return () => {
      isCurrent = false;
    };
  }, [files]);
  return addresses;
}

function dataOf(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve('');
    reader.readAsDataURL(file);
  });
}

interface ColorGiven {
  readonly name: (typeof COLORS)[number];
  readonly value: string;
  readonly onInput: (name: string, value: string) => void;
}

/** Typed as CSS has it, or picked. */
function ColorField({ name, value, onInput }: ColorGiven) {
  const id = useId();
  return (
    <div class="field">
      <label htmlFor={id}>{say(name)}</label>
      <div class="color-field">
        <input
          type="color"
          aria-label={say('pickColor', { name: say(name) })}
          value={HEX.test(value) ? value : DEFAULTS[name]}
          onInput={(event) => onInput(name, event.currentTarget.value)}
        />
        <input
          id={id}
          class="input"
          name={name}
          value={value}
          placeholder={DEFAULTS[name]}
          spellcheck={false}
          onInput={(event) => onInput(name, event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

interface FileGiven {
  readonly name: (typeof FILES)[number];
  readonly address: string;
  readonly fault: string;
  readonly isSaved: boolean;
  readonly onChoose: (file: File) => void;
  readonly onRemove: () => void;
}

function FileField({ name, address, fault, isSaved, onChoose, onRemove }: FileGiven) {
  const id = useId();
  return (
    <div class="field">
      <label htmlFor={id}>{say(name)}</label>
      <div class="file-field">
        {address !== '' && <img src={address} alt="" />}
        <input
          id={id}
          class="input"
          type="file"
          name={name}
          accept="image/*"
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file !== undefined) onChoose(file);
          }}
        />
        {isSaved && (
          <button
            type="button"
            class="button is-plain"
            aria-label={`${word('remove')}: ${say(name)}`}
            onClick={onRemove}
          >
            {word('remove')}
          </button>
        )}
      </div>
      <small id={`${id}-note`} class={fault === '' ? 'hint' : 'fault-text'}>
        {fault || say('fileHint')}
      </small>
    </div>
  );
}
