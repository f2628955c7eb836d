/** The domain that a request names by `id`. */
import type { Credential } from '../model/credential.ts';
import type { Domain } from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import { firstValue, type QueryParameters } from '../query/parameters.ts';
import type { Ports } from './ports.ts';

/**
 * The domain of the parameter `id`.
 *
 * @throws VALIDATION_FAILED without it, DOMAIN_NOT_FOUND also for a domain the client cannot see
 *   (F-36).
 */
export function requestedDomain(
  parameters: QueryParameters,
  credential: Credential,
  ports: Ports,
): Domain {
  const domainId = firstValue(parameters, 'id');
  if (domainId === undefined) {
    throw errors.VALIDATION_FAILED({ validation: { id: 'is required: the id of a domain' } });
  }
  const domain = ports.access.domain(domainId);
  if (domain === null || !ports.access.reaches(credential, domain)) {
    throw errors.DOMAIN_NOT_FOUND({ domainId });
  }
  return domain;
}
