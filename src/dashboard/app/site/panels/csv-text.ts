/** Cells as text: CSV by RFC 4180, which no spreadsheet takes for formulas. */

/**
 * What a spreadsheet would run: a sign in front, also of the wide forms, and behind what it skips.
 */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Lines of cells; the first are the heads. */
export function csvText(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const guarded = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n;\t]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
