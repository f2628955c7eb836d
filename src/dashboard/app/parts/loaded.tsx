/**
 * A part of the page that is loaded once it is shown. Where that fails, or takes very long, it says so,
 * with a way to try again (D-2).
 */
import { signal } from '@preact/signals';
import { type ComponentType, h, type RenderableProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { mayLeavePage } from '../view/view.ts';
import { word } from '../words/words.ts';

/** What has not come by then may never come. */
const SLOW_MS = 8_000;

/** @returns the part; `load` begins before it is shown, and resolves also where that fails. */
export function loaded<Given extends object>(load: () => Promise<ComponentType<Given>>) {
  let asked: Promise<void> | null = null;
  /** Wherever the part is shown, it is there once it has come to one of them. */
  const found = signal<ComponentType<Given> | null>(null);
  const ask = () => {
    asked ??= load().then(
      (part) => {
        found.value = part;
      },
      (error: unknown) => {
        asked = null;
        throw error;
      },
    );
    return asked;
  };
  function Loaded(given: RenderableProps<Given>) {
    const [isMissing, setMissing] = useState(false);
    const part = found.value;
    useEffect(() => {
      if (part !== null) return;
      const timer = setTimeout(() => setMissing(true), SLOW_MS);
      ask()
        .catch(() => setMissing(true))
        .finally(() => clearTimeout(timer));
      return () => clearTimeout(timer);
    }, []);
    if (part !== null) return h(part, given as Given);
    const retry = async () => {
      setMissing(false);
      const isNew = asked === null && (await ask().then(hasCome, hasNot));
      if (isNew) return;
      if ((await isServiceThere()) && mayLeavePage()) location.reload();
      setMissing(true);
    };
    return isMissing ? <Missing onRetry={retry} onClose={closeOf(given)} /> : null;
  }
  // A failure is told by whoever shows it.
  return Object.assign(Loaded, { load: () => ask().catch(() => undefined) });
}

const hasCome = () => true;
const hasNot = () => false;

/**
 * Many browsers keep the failure of a part for as long as the page is there, and of another version of the
 * service it has another name: the page is loaded anew, which must not take away what it shows.
 */
function isServiceThere(): Promise<boolean> {
  return fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(SLOW_MS) }).then(
    ({ ok }) => ok,
    hasNot,
  );
}

/** What lies over the page has an end of its own. */
function closeOf(given: object): (() => void) | null {
  const { onClose } = given as { onClose?: unknown };
  return typeof onClose === 'function' ? (onClose as () => void) : null;
}

interface MissingGiven {
  readonly onRetry: () => Promise<void>;
  /** Null: it stands where the part would be. */
  readonly onClose: (() => void) | null;
}

function Missing({ onRetry, onClose }: MissingGiven) {
  return (
    <div class={onClose === null ? 'fault' : 'notice'} role="alert">
      <p>{word('partMissing')}</p>
      <button type="button" class="button" onClick={() => void onRetry()}>
        {word('retry')}
      </button>
      {onClose !== null && (
        <button type="button" class="button" onClick={onClose}>
          {word('close')}
        </button>
      )}
    </div>
  );
}
