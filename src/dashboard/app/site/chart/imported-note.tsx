/** That some days are sums of another product (S-98): said, since they cannot tell all that others can. */
import { dayOf } from '../../view/days.ts';
import type { Span } from '../../view/range.ts';
import { days } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { firstOwnDay } from '../frames.ts';
import type { Domain } from '../site-data.ts';

export function ImportedNote({ domain, frame }: { domain: Domain; frame: Span }) {
  const { imported_from: first, imported_to: last } = domain;
  if (first === undefined || last === undefined) return null;
  const from = Math.max(frame.from, dayOf(first));
  const to = Math.min(frame.to, dayOf(last), (firstOwnDay(domain) ?? Infinity) - 1);
  if (from > to) return null;
  return <p class="imported quiet">{word('importedDays', { days: days({ from, to }) })}</p>;
}
