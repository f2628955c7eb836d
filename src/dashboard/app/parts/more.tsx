/**
 * The tools of a header. Where there is room they stand beside each other; on a phone they are behind one
 * button, so that the header has two rows.
 */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { word } from '../words/words.ts';

export function More({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  // At once: the next key may be meant for it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const tools = root.current;
    const onDown = (event: Event) => {
      if (!tools?.contains(event.target as Node)) setOpen(false);
    };
    // What opens a list of its own keeps this one open, what does something closes it: before it does
    // that, so that a dialog finds the focus where it is to give it back to.
    const onClick = (event: Event) => {
      const button = (event.target as Element).closest('.top-tools button');
      if (button === null || button.hasAttribute('aria-haspopup')) return;
      setOpen(false);
      tools?.querySelector('button')?.focus();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
      tools?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', onDown);
    tools?.addEventListener('click', onClick, true);
    tools?.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onDown);
      tools?.removeEventListener('click', onClick, true);
      tools?.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
  return (
    <div class={isOpen ? 'more is-open' : 'more'} ref={root}>
      <button
        type="button"
        class="button more-open"
        aria-label={word('menu')}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div class="top-tools" id={id}>
        {children}
      </div>
    </div>
  );
}
