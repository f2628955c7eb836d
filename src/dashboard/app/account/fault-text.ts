/** What went wrong, in a sentence that stands beside a form. */
import { ApiError } from '../data/api.ts';
import { word } from '../words/words.ts';

const TOO_MANY = 429;

/** @returns words for whatever was thrown. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return word('awayFirst');
  if (error.status === TOO_MANY) {
    return word('tooMany', { seconds: error.retryAfterSeconds });
  }
  return error.message || word('failed', { reason: String(error.status) });
}
