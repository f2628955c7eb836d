/** Light, dark, or as the system: chosen on the page, kept in this browser (D-18). */
import { effect, signal } from '@preact/signals';

/** What can be chosen. */
export const APPEARANCES = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof APPEARANCES)[number];

const KEPT = 'footfall_appearance';

export const appearance = signal<Appearance>(kept());

effect(() => {
  const { value } = appearance;
  const { dataset } = document.documentElement;
  // tokens.css reads it.
  if (value === 'system') delete dataset['theme'];
  else dataset['theme'] = value;
  try {
    if (value === 'system') localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, value);
  } catch {
    // A browser that keeps nothing: until the page is left.
  }
});

function kept(): Appearance {
  try {
    const text = localStorage.getItem(KEPT) as Appearance;
    return APPEARANCES.includes(text) ? text : 'system';
  } catch {
    return 'system';
  }
}
