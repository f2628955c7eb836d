/** What is wrong with a request, gathered so that one answer names everything. */
import type { Problem } from '../base/validate.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import { VALIDATION_ENTRY_COUNT_MAX } from '../model/limits.ts';

/** The entries of an answer's `validation`; the first message of a name counts. */
export class Problems {
  readonly #messages = new Map<string, string>();

  /** Those that a validator found; the body itself is named `body`. */
  static of(found: readonly Problem[]): Problems {
    const problems = new Problems();
    for (const { name, message } of found) problems.add(name === '' ? 'body' : name, message);
    return problems;
  }

  /** Refuses what a validator found wrong. @throws VALIDATION_FAILED unless that is null. */
  static refuse(found: readonly Problem[] | null): void {
    if (found !== null) throw Problems.of(found).error();
  }

  /** @param name the parameter; in a batch `3.url`, or `3` for the item itself. */
  add(name: string, message: string): void {
    if (!this.isFull && !this.#messages.has(name)) this.#messages.set(name, message);
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }

  /** More entries would not be shown. */
  get isFull(): boolean {
    return this.#messages.size >= VALIDATION_ENTRY_COUNT_MAX;
  }

  /** The refusal with every entry. */
  error(): OperatingError {
    return errors.VALIDATION_FAILED({ validation: Object.fromEntries(this.#messages) });
  }
}
