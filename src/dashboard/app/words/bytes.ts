/** Sizes of files as the reader writes them. */
import { language } from './language.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1_000;

/** `1.2 MB`. */
export function bytes(size: number): string {
  const power = size < STEP ? 0 : Math.floor(Math.log(size) / Math.log(STEP));
  const index = Math.min(power, UNITS.length - 1);
  const unitDisplay = index === 0 ? 'long' : 'short';
  const options = { unit: UNITS[index]!, unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, { style: 'unit', ...options }).format(
    size / STEP ** index,
  );
}
