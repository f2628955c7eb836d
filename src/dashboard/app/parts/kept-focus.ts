/**
 * Where the focus goes when what had it is drawn no more: a row that a filter took away, a chip, a page
 * that was left. The browser gives it to the body, where nobody hears where they are (WCAG 2.4.3).
 */

/** What is left of the page around it, the nearest one that is: it says its name. */
const PLACES = 'li, section, nav, form, dialog, header, main';
/** Of a page that took the place of all that: what it is called. */
const NAME = 'h1';

/** What has the focus, then the places around it, from the nearest on; empty: nothing has it. */
let known: readonly HTMLElement[] = [];

/** From now on nothing within loses the focus to the body. */
export function keepFocus(root: HTMLElement): void {
  root.addEventListener('focusin', ({ target }) => {
    known = placesOf(target as HTMLElement);
  });
  root.addEventListener('focusout', ({ target }) => {
    // Some browsers say so, too, of what is just taken away.
    queueMicrotask(() => {
      if (hasNone() && isThere(target as HTMLElement)) known = [];
    });
  });
  new MutationObserver(() => {
    if (known.length > 0 && hasNone()) give(root);
  }).observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function placesOf(target: HTMLElement): HTMLElement[] {
  const places = [target];
  let at = target.parentElement?.closest<HTMLElement>(PLACES);
  while (at) {
    places.push(at);
    at = at.parentElement?.closest<HTMLElement>(PLACES);
  }
  return places;
}

function hasNone(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}

/** What cannot be pressed for a while gets the focus back once it can. */
function isThere(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled');
}

function give(root: HTMLElement): void {
  const [target] = known;
  // It is only switched off: by what it did, and for as long as that takes.
  if (target?.isConnected === true && !isThere(target)) return;
  const place = known.find(isThere) ?? root.querySelector<HTMLElement>(NAME);
  if (place === null) return;
  if (place !== target && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    // A click on it is none on something that can be pressed.
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  // It is where somebody looks already.
  place.focus({ preventScroll: true });
}
