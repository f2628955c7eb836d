/** How reports write numbers. Control plane, pure. */

const DASH = '–';

/** Thousands grouped; a dash for what was not measured. */
export function grouped(value: number): string {
  if (Number.isNaN(value)) return DASH;
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** Three digits that matter: `0.84 ms`, `12.3 ms`, `1.2 s`. */
export function ms(value: number): string {
  if (Number.isNaN(value)) return DASH;
  if (value >= 10_000) return `${Number((value / 1_000).toPrecision(3))} s`;
  return `${Number(value.toPrecision(3))} ms`;
}

/** A share as percent. */
export function percent(share: number): string {
  return Number.isNaN(share) ? DASH : `${Math.round(share * 100)} %`;
}
