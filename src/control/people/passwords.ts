/**
 * Passwords: which are allowed, and their hashes (M-80).
 *
 * Control plane. argon2id with 19 MiB and two passes, as OWASP advises: some 15 ms that are not this
 * thread's but the thread pool's, which the whole process shares. So few are worked on at once and few
 * wait; who comes when they are that many is asked to try again.
 */
import { hash, verify } from '@node-rs/argon2';
import { codePointCount } from '../../base/validate.ts';
import { errors } from '../../model/errors.ts';
import {
  PASSWORD_HASH_RUNNING_COUNT_MAX,
  PASSWORD_HASH_WAITING_COUNT_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../../model/limits.ts';
import { isCommonPassword } from './guessed-passwords.ts';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const ARGON2ID = 2;
const COST = { algorithm: ARGON2ID, memoryCost: MEMORY_KIB, timeCost: PASSES, parallelism: 1 };

/** Costs what every other hash costs, and no password is known to have it. */
const DECOY = [
  '$argon2id$v=19',
  `m=${MEMORY_KIB},t=${PASSES},p=1`,
  Buffer.alloc(16).toString('base64').replaceAll('=', ''),
  Buffer.alloc(32).toString('base64').replaceAll('=', ''),
].join('$');

/** What is wrong with a password that somebody wants to have; '' when nothing is. */
export function passwordFault(typed: string): string {
  const password = normal(typed);
  const length = codePointCount(password);
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    return `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`;
  }
  return isCommonPassword(password) ? 'is among the most common passwords; choose another' : '';
}

/** Makes and compares hashes, a few at a time. One for each thread. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * What is kept of a password: parameters, salt and hash in one text.
   *
   * @throws OVERLOADED when too many wait.
   */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normal(password), COST));
  }

  /**
   * Whether a password is the one of a hash.
   *
   * @param kept null where there is none: that is no match after as long a time.
   * @throws OVERLOADED when too many wait.
   */
  matches(kept: string | null, password: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const isMatch = await verify(kept ?? DECOY, normal(password));
      return isMatch && kept !== null;
    });
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= PASSWORD_HASH_RUNNING_COUNT_MAX) await this.#turn();
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever waits takes the place over.
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= PASSWORD_HASH_WAITING_COUNT_MAX) {
      throw errors.OVERLOADED({ reason: 'too many people sign in at once' });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** One password has one form, however a keyboard composes its letters (RFC 8265); never trimmed. */
function normal(password: string): string {
  return password.normalize('NFC');
}
