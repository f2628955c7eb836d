/** A dialog over the page: Escape and a click beside it close it, the focus comes back. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { word } from '../words/words.ts';

interface Given {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
  /** Asked before it is closed otherwise than by what is in it. */
  readonly mayClose?: () => boolean;
}

export function Dialog({ title, onClose, children, isWide, mayClose }: Given) {
  const root = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = () => {
    if (mayClose?.() !== false) onClose();
  };
  // At once: the next key may be meant for it.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const dialog = root.current;
    dialog?.showModal();
    // What is to be typed comes before closing; a finger is not met by a keyboard on the screen.
    if (matchMedia('(pointer: fine)').matches)
      dialog?.querySelector<HTMLElement>('input:not([readonly], [type=checkbox])')?.focus();
    // What lies beside the dialog belongs to it, as its backdrop.
    const onClick = (event: Event) => {
      if (event.target === dialog) close();
    };
    dialog?.addEventListener('click', onClick);
    return () => {
      dialog?.removeEventListener('click', onClick);
      // As long as it is open nothing beside it takes the focus.
      dialog?.close();
      before?.focus();
    };
  }, []);
  return (
    <dialog
      ref={root}
      class={isWide === true ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // Before the browser does it, which cannot always be kept from it.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        // Keys of the page would find no dialog any more, and do what they do without one.
        event.stopPropagation();
        close();
      }}
      // Told later: it may be gone by then.
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="button is-plain" aria-label={word('close')} onClick={close}>
            <span aria-hidden="true">✕</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
