/** What went wrong, in words, beside what it concerns, with a way to try again (D-2). */
import type { ApiError } from '../data/api.ts';
import { word } from '../words/words.ts';

export function Fault({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const text =
    error.status === 0
      ? word('awayFirst')
      : word('failed', { reason: error.message || String(error.status) });
  return (
    <div class="fault" role="alert">
      <p>{text}</p>
      <button type="button" class="button" onClick={onRetry}>
        {word('retry')}
      </button>
    </div>
  );
}
