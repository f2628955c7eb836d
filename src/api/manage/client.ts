/** GET /api/v1/client: the clients of a domain, or those of the caller's account (M-40). */
import { assert } from '../../base/assert.ts';
import { listOf } from '../../base/schema.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { client } from '../../control/resources/client.ts';
import { domain } from '../../control/resources/domain.ts';
import { READ_DOMAINS_AS_USER } from '../../control/resources/permissions.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, optional, READS } from '../presets.ts';
import { checkRole, viewingOf } from './permitted.ts';

/** Made, described and deleted by what its descriptor says; the list has two owners. */
export const clientEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: '/api/v1/client', auth: authOf(READ_DOMAINS_AS_USER) },
    summary: "Lists the clients of a domain, or those of the caller's account; no secrets.",
    parameters: [optional('id', "The id of a domain; without it, the account's are listed.")],
    answer: json(listOf(wireSchema(client))),
    handle: list,
  },
];

function list(call: Call, ports: Ports): string {
  assert(call.credential !== null, 'a scoped endpoint has a credential');
  const id = firstValue(parseQueryString(call.query), 'id') ?? '';
  const viewing = viewingOf({ call, ports });
  const found =
    id === ''
      ? ports.records
          .list(client, 'userId', call.credential.userId)
          .filter(({ domainId }) => domainId === null)
      : clientsOfDomain(call, ports, id);
  return JSON.stringify(found.map((one) => toWire(client, one, viewing)));
}

function clientsOfDomain(call: Call, ports: Ports, id: string) {
  const place = { kind: domain.name, id };
  checkRole({ call, ports, role: READ_DOMAINS_AS_USER.role }, place, place);
  return ports.records.list(client, 'domainId', id);
}
