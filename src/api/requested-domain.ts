/** The domain that a request names, if the client can see it (F-36). */
import { assert } from '../base/assert.ts';
import type { Domain } from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import { firstValue, type QueryParameters } from '../query/question/parameters.ts';
import type { Call } from './endpoint.ts';
import type { Ports } from './ports.ts';

/**
 * The domain of an id; one that the client cannot see is answered like one that does not exist.
 *
 * @throws DOMAIN_NOT_FOUND.
 */
export function visibleDomain(domainId: string, call: Call, ports: Ports): Domain {
  assert(call.credential !== null, 'a scoped endpoint has a credential');
  const domain = ports.access.domain(domainId);
  if (domain === null || !ports.access.reaches(call.credential, domain)) {
    throw errors.DOMAIN_NOT_FOUND({ domainId });
  }
  return domain;
}

/**
 * The domain that the parameter `id` names.
 *
 * @throws VALIDATION_FAILED without it, DOMAIN_NOT_FOUND.
 */
export function requestedDomain(parameters: QueryParameters, call: Call, ports: Ports): Domain {
  return visibleDomain(requiredValue(parameters, 'id', 'the id of a domain'), call, ports);
}

/** The value of a parameter. @param what said to who leaves it out. @throws VALIDATION_FAILED. */
export function requiredValue(parameters: QueryParameters, name: string, what: string): string {
  const value = firstValue(parameters, name);
  if (value === undefined) {
    throw errors.VALIDATION_FAILED({ validation: { [name]: `is required: ${what}` } });
  }
  return value;
}
