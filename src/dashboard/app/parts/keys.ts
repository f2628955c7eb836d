/** Whether single keys do something, and whether their list is shown. */
import { effect, signal } from '@preact/signals';

const KEPT = 'footfall.keys';

/** Kept in this browser. */
export const keysAreOn = signal(kept() !== 'off');
export const helpIsOpen = signal(false);
/** Whether a filter is searched for. */
export const searchIsOpen = signal(false);

effect(() => {
  try {
    if (keysAreOn.value) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, 'off');
  } catch {
    // A browser that keeps nothing: until the page is left.
  }
});

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
