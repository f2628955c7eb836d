/** Text that is put into HTML. */

/** A text as content of an element, or between the quotes of an attribute: nothing in it is markup. */
export function escapedMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
