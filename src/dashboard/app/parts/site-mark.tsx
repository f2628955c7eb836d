/** The first letter of a site on a colour of its own: found again in a list without reading it. */

const HUES = 360;
/** As many as the eye tells apart. */
const STEPS = 12;

export function SiteMark({ name }: { name: string }) {
  const letter = [...name.replace(/^www\./, '')][0] ?? '';
  return (
    <span class="site-mark" aria-hidden="true" style={{ '--hue': hueOf(name) }}>
      {letter.toLocaleUpperCase()}
    </span>
  );
}

/** The same for the same name. */
function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return ((sum % STEPS) * HUES) / STEPS;
}
