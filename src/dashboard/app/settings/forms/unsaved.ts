/** What was typed and not saved: nobody loses it by a click, a key or the browser's buttons (D-17). */
import { useLayoutEffect } from 'preact/hooks';
import { typed } from '../../view/typed.ts';
import { guardLeaving } from '../../view/view.ts';
import { say } from '../../words/settings.ts';

/** Asks before something typed goes. @returns whether it may. */
export function mayLeave(): boolean {
  if (typed.size === 0) return true;
  // A dialog of the browser's own: the address has to wait for the answer.
  if (!confirm(say('unsavedAsk'))) return false;
  typed.clear();
  return true;
}

function onUnload(event: BeforeUnloadEvent): void {
  if (typed.size > 0) event.preventDefault();
}

guardLeaving(mayLeave);
addEventListener('beforeunload', onUnload);

/** A form says here whether something in it is not saved. */
export function useUnsaved(isChanged: boolean): void {
  // At once: the next key may be the one that leaves.
  useLayoutEffect(() => {
    if (!isChanged) return;
    const form = {};
    typed.add(form);
    return () => {
      typed.delete(form);
    };
  }, [isChanged]);
}
