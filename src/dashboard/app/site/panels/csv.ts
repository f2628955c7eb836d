/** What is seen, as a file: CSV by RFC 4180. */

/** Begins with one of these: a spreadsheet would run it. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as CSV, with the names of the interface as heads. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(','));
  return [names.map(cell).join(','), ...lines, ''].join('\r\n');
}

function cell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Offers a text as a file. */
export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
