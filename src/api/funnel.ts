/** /api/v1/funnel: the funnels of a domain are listed, made, changed and removed. */
import { compileValidator } from '../base/validate.ts';
import type { Funnel } from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import { BODY_BYTES_MAX, INPUT_TEXT_LENGTH_MAX } from '../model/limits.ts';
import { parseQueryString } from '../query/question/parameters.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { Ports } from './ports.ts';
import { requestedDomain, requiredValue, visibleDomain } from './requested-domain.ts';

const PATH = '/api/v1/funnel';
/** pirsch-sdk puts the prefix in front of a path that has it already (src/DECISIONS.md, on funnels). */
const SDK_PATH = '/api/v1//api/v1/funnel';
const NOTHING = '{}';

const TEXT = { type: 'string', textLengthMax: INPUT_TEXT_LENGTH_MAX, notBlank: true } as const;
const CONTENT = { name: TEXT, steps: { type: 'array' } } as const;

const validateNew = compileValidator({
  required: ['domain_id', 'name', 'steps'],
  fields: { domain_id: TEXT, ...CONTENT },
});
const validateChange = compileValidator({
  required: ['id', 'name', 'steps'],
  fields: { id: TEXT, ...CONTENT },
});

interface FunnelBody {
  readonly name: string;
  readonly steps: readonly unknown[];
}

const reading = {
  method: 'GET',
  scope: { area: 'domains', right: 'r' },
  allowsAccessKeys: false,
  needsReady: true,
  body: null,
} as const;
const writing = {
  scope: { area: 'domains', right: 'w' },
  allowsAccessKeys: false,
  needsReady: true,
  path: PATH,
} as const;

/** The list of a domain's funnels, and what changes it. */
export const funnelEndpoints: readonly Endpoint[] = [
  { ...reading, path: PATH, handle: listFunnels },
  { ...reading, path: SDK_PATH, handle: listFunnels },
  {
    ...writing,
    method: 'POST',
    body: { bytesMax: BODY_BYTES_MAX, validate: validateNew },
    handle: createFunnel,
  },
  {
    ...writing,
    method: 'PUT',
    body: { bytesMax: BODY_BYTES_MAX, validate: validateChange },
    handle: changeFunnel,
  },
  { ...writing, method: 'DELETE', body: null, handle: deleteFunnel },
];

/** The record of A-71. */
export function funnelShape(funnel: Funnel): Readonly<Record<string, unknown>> {
  return {
    id: funnel.id,
    ...timesOf(funnel),
    domain_id: funnel.domainId,
    name: funnel.name,
    steps: funnel.steps.map((step, index) => ({
      id: step.id,
      ...timesOf(step),
      funnel_id: funnel.id,
      name: step.name,
      step: index + 1,
      filter: step.filter,
    })),
  };
}

/**
 * A funnel by id, if the client can see its domain.
 *
 * @throws FUNNEL_NOT_FOUND: also for one that others can see (F-36).
 */
export function visibleFunnel(funnelId: string, call: Call, ports: Ports): Funnel {
  const funnel = ports.funnels.find(funnelId);
  const domain = funnel === null ? null : ports.access.domain(funnel.domainId);
  const isVisible =
    call.credential !== null && domain !== null && ports.access.reaches(call.credential, domain);
  if (funnel === null || !isVisible) throw errors.FUNNEL_NOT_FOUND({ funnelId });
  return funnel;
}

function timesOf(made: { createdMs: number; modifiedMs: number }) {
  return {
    def_time: new Date(made.createdMs).toISOString(),
    mod_time: new Date(made.modifiedMs).toISOString(),
  };
}

function listFunnels(call: Call, ports: Ports): string {
  const domain = requestedDomain(parseQueryString(call.query), call, ports);
  return JSON.stringify(ports.funnels.ofDomain(domain.id).map(funnelShape));
}

async function createFunnel(call: Call, ports: Ports): Promise<string> {
  const body = call.body as FunnelBody & { readonly domain_id: string };
  const domain = visibleDomain(body.domain_id, call, ports);
  return JSON.stringify(funnelShape(await ports.funnels.create(domain.id, body, call.receivedMs)));
}

async function changeFunnel(call: Call, ports: Ports): Promise<string> {
  const body = call.body as FunnelBody & { readonly id: string };
  const { id } = visibleFunnel(body.id, call, ports);
  return JSON.stringify(funnelShape(await ports.funnels.change(id, body, call.receivedMs)));
}

async function deleteFunnel(call: Call, ports: Ports): Promise<string> {
  const parameters = parseQueryString(call.query);
  const { id } = visibleFunnel(requiredValue(parameters, 'id', 'the id of a funnel'), call, ports);
  await ports.funnels.delete(id, call.receivedMs);
  return NOTHING;
}
