/** How often passwords and codes of one person are tried, by whatever way and by whomever (M-90). */
import type { Call } from '../endpoint.ts';

/**
 * Counts an attempt under the email address of the person whose password or code is tried: callers who
 * stand for a person are many, since a client may make others.
 *
 * @returns takes it back, once it was the right one.
 * @throws RATE_LIMITED.
 */
export function countAttempt(call: Call, email: string): () => void {
  return call.countAs(`email ${email.trim().toLowerCase()}`);
}
