/**
 * Who may send a sample now (O-13): each holds a connection and a request for as long as its receiver
 * takes, up to ten seconds, so a receiver that hangs has few, and all of them have not many.
 *
 * Control plane. Beside `Turns`: what is told never waits for a test, nor a test for it.
 */
import { errors } from '../../model/errors.ts';
import type { AttemptOutcome } from '../../model/outbox.ts';
import {
  WEBHOOK_TEST_COUNT_MAX,
  WEBHOOK_TEST_DOMAIN_COUNT_MAX,
} from '../../model/outgoing-limits.ts';

/** The tests of one thread. */
export class TestTurns {
  #all = 0;
  /** By domain: tests under way. */
  readonly #domains = new Map<string, number>();

  /** Sends, if there is room. @throws OVERLOADED. */
  async run(domainId: string, send: () => Promise<AttemptOutcome>): Promise<AttemptOutcome> {
    const before = this.#domains.get(domainId) ?? 0;
    if (before >= WEBHOOK_TEST_DOMAIN_COUNT_MAX) {
      throw errors.OVERLOADED({
        reason: `${before} tests of webhooks of this domain are under way`,
      });
    }
    if (this.#all >= WEBHOOK_TEST_COUNT_MAX) {
      throw errors.OVERLOADED({ reason: 'too many tests of webhooks are under way' });
    }
    this.#count(domainId, 1);
    try {
      return await send();
    } finally {
      this.#count(domainId, -1);
    }
  }

  #count(domainId: string, by: 1 | -1): void {
    this.#all += by;
    const count = (this.#domains.get(domainId) ?? 0) + by;
    if (count === 0) this.#domains.delete(domainId);
    else this.#domains.set(domainId, count);
  }
}
