/**
 * Why the numbers are not the newest: beside them, without moving them, with a way to try again (D-2).
 *
 * A service that is away or busy is asked again by itself.
 */
import { isPassing } from '../data/api.ts';
import { time } from '../words/format.ts';
import { word } from '../words/words.ts';
import type { SiteData } from './site-data.ts';

export function Notice({ data }: { data: SiteData }) {
  const [fault, shown] = [data.fault.value, data.shown.value];
  if (fault === null || shown === null) return null;
  const text =
    fault.status === 0
      ? word('away', { time: time(shown.atMs) })
      : isPassing(fault)
        ? word('busy', { time: time(shown.atMs) })
        : word('failed', { reason: fault.message || String(fault.status) });
  return (
    <div class="notice" role="status">
      <p>
        {text} {isPassing(fault) && word('triedAgain')}
      </p>
      <button type="button" class="button" onClick={() => data.again()}>
        {word('retry')}
      </button>
    </div>
  );
}
