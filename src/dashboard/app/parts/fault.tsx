/** What went wrong, in words, beside what it concerns, with a way to try again (D-2). */
import type { ApiError } from '../data/api.ts';
import { word } from '../words/words.ts';

/** What the service says, or that it says nothing. */
export function faultText(error: ApiError): string {
  if (error.status === 0) return word('awayFirst');
  return word('failed', { reason: error.message || String(error.status) });
}

export function Fault({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  return (
    <div class="fault" role="alert">
      <p>{faultText(error)}</p>
      <button type="button" class="button" onClick={onRetry}>
        {word('retry')}
      </button>
    </div>
  );
}
