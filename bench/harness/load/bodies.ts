/**
 * Prepared bodies in turn, each visit with an address that nobody had before.
 *
 * Control plane. The placeholders of `pool.ts` are cut out once, so that a body is put together
 * without searching.
 */
import { visitAddress } from './pool.ts';

/** Gives the next body each time it is asked. */
export class Bodies {
  readonly #templates: { texts: string[]; visits: number[] }[];
  readonly #visitCount: number;
  readonly #visitLimit: number;
  #visitBase: number;
  #turn = 0;

  /**
   * @param options.visitBase ordinal of the first visit.
   * @param options.visitLimit after so many visits the first come again; absent: never.
   */
  constructor(bodies: readonly string[], options: { visitBase: number; visitLimit?: number }) {
    this.#templates = bodies.map((body) => {
      const parts = body.split(/visit-(\d{9})/);
      return {
        texts: parts.filter((_, index) => index % 2 === 0),
        visits: parts.filter((_, index) => index % 2 === 1).map(Number),
      };
    });
    this.#visitCount = 1 + Math.max(-1, ...this.#templates.flatMap(({ visits }) => visits));
    this.#visitBase = options.visitBase;
    this.#visitLimit = options.visitLimit ?? Number.MAX_SAFE_INTEGER;
  }

  /** The next body. */
  next(): string {
    if (this.#turn === this.#templates.length) {
      this.#turn = 0;
      this.#visitBase += this.#visitCount;
    }
    const { texts, visits } = this.#templates[this.#turn++]!;
    let body = texts[0] ?? '';
    for (let index = 0; index < visits.length; index++) {
      const ordinal = (this.#visitBase + visits[index]!) % this.#visitLimit;
      body += visitAddress(ordinal) + texts[index + 1];
    }
    return body;
  }
}
