/** Work for many turns of the event loop, so that whoever else is waiting has theirs between. */

/** One piece of work that goes on by itself until there is no more. */
export class Turns {
  readonly #work: () => boolean;
  #isAtWork = false;

  /** @param work a turn of it, some milliseconds. @returns whether there is more to do. */
  constructor(work: () => boolean) {
    this.#work = work;
  }

  /** There is something to do; begins with the next turn of the loop. */
  begin(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    setImmediate(() => {
      this.#isAtWork = false;
      if (this.#work()) this.begin();
    });
  }
}
