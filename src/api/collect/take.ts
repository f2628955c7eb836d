/**
 * A single hit that is known to be well formed, and whose domain is: through the pipeline to the log.
 *
 * Data plane: no promise, and only what `submit` needs is allocated. The answer is given when the hit
 * is durable (I-78). A hit the pipeline drops is answered like any other. With an
 * Idempotency-Key even a hit that is dropped goes to the log, because the key is used up by it (I-77).
 */
import type { HitInput } from '../../ingest/step.ts';
import { hashIdempotencyKey } from '../../ingest/visitor/visitor.ts';
import { dropReason } from '../../model/drop-reasons.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { asDomainId } from '../../model/ids.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../model/limits.ts';
import type { Answer, Call, Parameter } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { FOREIGN_HOSTNAME } from './item.ts';

const HOSTNAME = dropReason('hostname');

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
  const { idempotencyKey, receivedMs } = call;
  const { domainId } = input.site;
  const outcome = ports.pipeline.run(input);
  const isDropped = typeof outcome === 'number';
  if (isDropped && idempotencyKey === null) {
    ports.countDrop(domainId, outcome, 1);
    return answer;
  }
  const group = {
    domainId: asDomainId(domainId),
    receivedMs,
    idempotencyHash: idempotencyKey === null ? '' : hashIdempotencyKey(idempotencyKey, domainId),
    dropped: isDropped ? [outcome, 1] : null,
    hits: isDropped ? [] : [outcome],
  };
  ports.hits.submit([group], call.whenStored(answer));
  return null;
}

/** A-6; a refused request uses up no key (I-77). @param domainId '' where the hit belongs to none. */
export function foreignHostname(domainId: string, ports: Ports): OperatingError {
  ports.countDrop(domainId, HOSTNAME, 1);
  return errors.VALIDATION_FAILED({ validation: { url: FOREIGN_HOSTNAME } });
}
