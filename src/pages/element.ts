/** Makes elements of a page: no template of text, so nothing that is shown can become markup. */

type Child = Node | string | null;

/** What an element is given: attributes, and listeners under `on…`. */
type Given = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

/** An element. @param children null is left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  given: Given = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** The element of the page that has an id. */
export function byId(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}
