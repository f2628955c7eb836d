/**
 * A single hit that is known to be well formed, and whose domain is: through the pipeline to the log.
 *
 * Data plane: no promise, and only what `submit` needs is allocated. The answer is given when the hit
 * is durable (I-78). A hit the pipeline drops is answered like any other, and goes to the log,
 * too: there it is counted (P-31) and uses up its Idempotency-Key (I-77).
 */
import type { HitInput } from '../../ingest/step.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../model/limits.ts';
import type { Answer, Call, Parameter } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { dropOf, HOSTNAME, openGroup } from './group.ts';
import { FOREIGN_HOSTNAME } from './item.ts';

/** The answer to every single request: bytes leave faster than a string. */
export const ACCEPTED = new TextEncoder().encode('{}');

/** What may stand beside any hit. */
export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Printable text; what is sent again with it within 24 hours counts once.',
  schema: { type: 'string', maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
};

/** Takes a hit. @param answer what is said once it is durable. */
export function takeHit(input: HitInput, call: Call, ports: Ports, answer: Uint8Array): Answer {
  const outcome = ports.pipeline.run(input);
  const group = openGroup(input.site.domainId, call);
  if (typeof outcome !== 'number') group.hits.push(outcome);
  else {
    const bot = ports.pipeline.botOf(input.raw.user_agent);
    group.dropped = [dropOf(outcome, call.receivedMs, bot)];
  }
  ports.hits.submit([group], call.whenStored(answer));
  return null;
}

/**
 * Counts a hit of a foreign hostname, and then tells: it is refused, so it uses up no key (I-77).
 *
 * @param domainId the client's; `NO_DOMAIN` of an account's.
 */
export function takeForeign(domainId: string, call: Call, ports: Ports): Answer {
  const { receivedMs } = call;
  const group = openGroup(domainId, { receivedMs, idempotencyKey: null });
  group.dropped = [dropOf(HOSTNAME, receivedMs, '')];
  ports.hits.submit([group], call.whenStored(foreignHostname()));
  return null;
}

/** */
export function foreignHostname(): OperatingError {
  return errors.VALIDATION_FAILED({ validation: { url: FOREIGN_HOSTNAME } });
}
