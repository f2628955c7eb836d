/** GET and POST /api/v1/domain/snippet: the settings of the script, and the tag to paste (M-22). */
import { assert } from '../../base/assert.ts';
import { exactly, oneOf, string } from '../../base/schema.ts';
import { sentSchema } from '../../control/descriptor/draft.ts';
import { timesOf, toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { normalHostname } from '../../control/field-rules.ts';
import { type Domain, domain } from '../../control/resources/domain.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from '../../control/resources/permissions.ts';
import { SNIPPET_TYPES, snippet } from '../../control/resources/snippet.ts';
import {
  SNIPPET_DEFAULTS,
  savedSnippet,
  snippetTag,
  type TagPlace,
} from '../../control/snippets.ts';
import type { Credential } from '../../model/credential.ts';
import { errors } from '../../model/errors.ts';
import { parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, jsonBody, NOTHING, READS, required } from '../presets.ts';
import { describedSent } from './described.ts';
import { checkRole, requiredValue, viewingOf } from './permitted.ts';
import { requestOf } from './resource-endpoints.ts';

const PATH = '/api/v1/domain/snippet';
/** Those that can be read: a keep-alive has nothing that could be set. */
const READABLE = [...SNIPPET_TYPES, 'session'] as const;

/** One record per domain and type, which reading shows with its defaults before it is there. */
export const snippetEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, auth: authOf(READ_SETTINGS) },
    summary: 'Shows how the script is set for a kind of hit, with the tag to paste into pages.',
    parameters: [
      required('domain_id', 'The id of the domain.'),
      { ...required('type', 'The kind of hit.'), schema: oneOf(READABLE) },
    ],
    answer: json(
      exactly({ ...wireSchema(snippet).properties, type: oneOf(READABLE), html: string }),
    ),
    handle: readSnippet,
  },
  {
    ...{ method: 'POST', path: PATH, needsReady: true, auth: authOf(WRITE_DOMAINS) },
    summary: 'Says how the script is set for a kind of hit, in place of what was said before.',
    parameters: [],
    body: jsonBody(sentSchema(snippet, 'create'), describedSent(snippet, 'create', false)),
    answer: json(NOTHING),
    handle: saveSnippet,
  },
];

function readSnippet(call: Call, ports: Ports): string {
  const parameters = parseQueryString(call.query);
  const id = requiredValue(parameters, 'domain_id', 'the id of a domain');
  const type = requiredValue(parameters, 'type', `one of ${READABLE.join(', ')}`).trim();
  if (!READABLE.some((known) => known === type)) {
    const validation = { type: `must be ${READABLE.join(' or ')}` };
    throw errors.VALIDATION_FAILED({ validation });
  }
  const asked = { call, ports, role: READ_SETTINGS.role };
  checkRole(asked, { kind: domain.name, id }, { kind: domain.name, id });
  const site = ports.access.domain(id) as Domain;
  const saved = ports.records.list(snippet, 'domainId', id).find((one) => one.type === type);
  const shown =
    saved === undefined
      ? { id: '', ...timesOf(site), domain_id: id, type, ...SNIPPET_DEFAULTS }
      : toWire(snippet, saved, viewingOf(asked));
  const html = snippetTag(type, saved ?? SNIPPET_DEFAULTS, placeOf(site, call, ports));
  return JSON.stringify({ ...shown, html });
}

async function saveSnippet(call: Call, ports: Ports): Promise<string> {
  const request = requestOf(call);
  const place = { kind: domain.name, id: String(request.sent['domain_id']) };
  checkRole({ call, ports, role: WRITE_DOMAINS.role }, place, place);
  await ports.records.decide(request, (view, atMs) => savedSnippet(request, view, atMs));
  return '{}';
}

function placeOf(site: Domain, { credential }: Call, { access, publicUrl }: Ports): TagPlace {
  assert(credential !== null, 'a scoped endpoint has a credential');
  const { hostname, identificationCode } = site;
  const codeOf = (other: string) => codeAmong(access.domainsOf(credential as Credential), other);
  return { publicUrl, hostname, identificationCode, codeOf };
}

/** The oldest of a hostname, as hits find it (I-9). */
function codeAmong(domains: readonly Domain[], typed: string): string | null {
  const hostname = normalHostname(typed);
  return domains.find((one) => one.hostname === hostname)?.identificationCode ?? null;
}
