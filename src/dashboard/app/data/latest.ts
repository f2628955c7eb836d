/** Answers that arrive out of order are dropped: only that of the latest question counts. */

/** Asks one question after the other. */
export class Latest {
  #number = 0;
  #abort: AbortController | null = null;

  /**
   * Asks, and forgets what was asked before.
   *
   * @returns null: something else was asked meanwhile.
   */
  async ask<Answer>(question: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | null> {
    const number = ++this.#number;
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const answer = await question(abort.signal);
      return number === this.#number ? answer : null;
    } catch (error) {
      if (number !== this.#number) return null;
      throw error;
    }
  }

  /** What is on its way does not count any more. */
  cancel(): void {
    this.#number++;
    this.#abort?.abort();
    this.#abort = null;
  }
}
