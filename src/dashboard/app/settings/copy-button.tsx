/** Copies a text and says so; where the browser refuses, it says that instead. */
import { useState } from 'preact/hooks';
import { word } from '../words/words.ts';

const SAID_MS = 2_000;

interface Given {
  readonly text: string;
  /** What is copied, for those who have it read aloud. */
  readonly label?: string;
  readonly isMain?: boolean;
}

export function CopyButton({ text, label, isMain }: Given) {
  const [said, setSaid] = useState<'copy' | 'copied' | 'copyFailed'>('copy');
  const copy = async () => {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(isDone ? 'copied' : 'copyFailed');
    setTimeout(() => setSaid('copy'), SAID_MS);
  };
  return (
    <button
      type="button"
      class={isMain === true ? 'button is-main' : 'button'}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{word(said)}</span>
      {label !== undefined && <span class="sr-only"> {label}</span>}
    </button>
  );
}
