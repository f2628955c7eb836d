/** What this browser was told to show, light or dark; '' is by the system. Kept where it was chosen. */

export type Looks = '' | 'light' | 'dark';

const KEY = 'footfall_appearance';

/** As it was chosen in this browser. */
export function appearance(): Looks {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : '';
  } catch {
    // Framed, or told to keep nothing.
    return '';
  }
}

/** Chooses, shows it, and keeps it. */
export function setAppearance(chosen: Looks): void {
  try {
    if (chosen === '') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // It holds for this page only.
  }
  show(chosen);
}

/** Shows the page as it was chosen, before it is drawn. */
export function applyAppearance(): void {
  show(appearance());
}

function show(chosen: Looks): void {
  const { dataset } = document.documentElement;
  if (chosen === '') delete dataset['theme'];
  else dataset['theme'] = chosen;
}
