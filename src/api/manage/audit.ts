/** GET /api/v1/audit: who changed what of a domain or an organization, and when (M-8). */
import { assert } from '../../base/assert.ts';
import { exactly, integer, listOf, mapOf, oneOf, string, timestamp } from '../../base/schema.ts';
import { errors } from '../../model/errors.ts';
import { LIST_LIMIT_MAX } from '../../model/limits.ts';
import { MANAGERS, type Role, type ScopeArea } from '../../model/rights.ts';
import { firstValue, parseQueryString, requestedPage } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, optional, READS } from '../presets.ts';
import { checkRole, viewingOf } from './permitted.ts';

/** Which parameter names what, and what it takes to read its history (M-3). */
const PLACES: readonly { parameter: string; kind: string; area: ScopeArea; role: Role }[] = [
  { parameter: 'domain_id', kind: 'domain', area: 'domains', role: 'Admin' },
  { parameter: 'organization_id', kind: 'organization', area: 'organizations', role: 'Owner' },
];

const NAMED = exactly({ kind: string, id: string, name: string });
const ENTRY = exactly({
  ...{ id: string, time: timestamp, caller: NAMED },
  ...{ action: oneOf(['created', 'changed', 'deleted']), object: NAMED },
  changes: mapOf(exactly({ from: {}, to: {} })),
});

/** What the registry's own records say, so that it has everything from the first day on. */
export const auditEndpoints: readonly Endpoint[] = [
  {
    ...READS,
    path: '/api/v1/audit',
    summary:
      'Lists who changed what of a domain (for Admins) or an organization (for its owner), the newest ' +
      'change first. Secrets and codes are never shown.',
    auth: {
      callers: MANAGERS,
      scopes: PLACES.map(({ area }) => ({ area, right: 'r' })),
      role: 'Admin',
    },
    parameters: [
      optional('domain_id', 'The id of a domain.'),
      optional('organization_id', 'The id of an organization, instead.'),
      paging('offset', 'How many changes are passed over.'),
      paging('limit', `How many are shown, at most and by default ${LIST_LIMIT_MAX}.`),
    ],
    answer: json(listOf(ENTRY)),
    handle: readAudit,
  },
];

function readAudit(call: Call, ports: Ports): string {
  assert(call.credential !== null, 'a scoped endpoint has a credential');
  const parameters = parseQueryString(call.query);
  const named = PLACES.map((place) => ({ ...place, id: firstValue(parameters, place.parameter) }));
  const asked = named.find(({ id }) => id !== undefined);
  if (asked?.id === undefined) {
    const missing = 'is required: the id of a domain, or organization_id';
    throw errors.VALIDATION_FAILED({ validation: { domain_id: missing } });
  }
  const { kind, id, area, role } = asked;
  const place = { kind, id };
  checkRole({ call, ports, role }, place, place);
  // The row lets in who has either scope.
  if (call.credential.scopes[area] === '') throw errors.SCOPE_MISSING({ area, access: 'r' });
  const viewing = viewingOf({ call, ports });
  return JSON.stringify(ports.records.audit(place, requestedPage(parameters), viewing));
}

function paging(name: string, description: string) {
  return { ...optional(name, description), schema: integer };
}
