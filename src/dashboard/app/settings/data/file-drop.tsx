/** A place where a file is chosen, or dropped. */
import { useId, useRef, useState } from 'preact/hooks';
import { say } from '../../words/settings.ts';

interface Given {
  readonly label: string;
  readonly hint: string;
  /** '' is none. */
  readonly fault: string;
  readonly accept?: string;
  readonly isOff: boolean;
  readonly onChoose: (files: readonly File[]) => void;
}

export function FileDrop({ label, hint, fault, accept, isOff, onChoose }: Given) {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const over = (event: DragEvent, isNow: boolean) => {
    event.preventDefault();
    setOver(isNow && !isOff);
  };
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keys. */}
      <div
        class={isOver ? 'file-drop is-over' : 'file-drop'}
        onDragOver={(event) => over(event, true)}
        onDragLeave={(event) => over(event, false)}
        onDrop={(event) => {
          over(event, false);
          if (!isOff) onChoose([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <input
          id={id}
          ref={field}
          class="sr-only"
          type="file"
          accept={accept}
          disabled={isOff}
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-hint ${id}-fault`}
          onChange={({ currentTarget }) => {
            const chosen = [...(currentTarget.files ?? [])];
            // The same file may be chosen again, after it was mended.
            currentTarget.value = '';
            if (chosen.length > 0) onChoose(chosen);
          }}
        />
        {/* What the browser would show instead says that nothing is chosen, also behind an upload. */}
        <button
          type="button"
          class="button"
          tabIndex={-1}
          aria-hidden="true"
          disabled={isOff}
          onClick={() => field.current?.click()}
        >
          {say('chooseFile')}
        </button>
        <span class="hint" aria-hidden="true">
          {say('dropHere')}
        </span>
      </div>
      <small id={`${id}-hint`} class="hint">
        {hint}
      </small>
      <small id={`${id}-fault`} class="fault-text" role="alert">
        {fault}
      </small>
    </div>
  );
}
