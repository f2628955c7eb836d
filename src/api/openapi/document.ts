/**
 * The OpenAPI 3.1 document of the service, from the table of endpoints: nothing in it is written twice.
 *
 * What a row does not say follows from what it is: whoever needs credentials may be refused with 401
 * and 403, whoever names an object with 404, a body with 408, 413 and 415, a limit of requests with
 * 429.
 */
import { exactly, integer, listOf, mapOf, type Schema, string } from '../../base/schema.ts';
import { SESSION_COOKIE } from '../../model/limits.ts';
import type { CallerKind } from '../../model/rights.ts';
import { packageVersion } from '../../settings/package-root.ts';
import type { Endpoint, Parameter } from '../endpoint.ts';
import { rateRuleOf } from '../rate-rules.ts';
import { EXAMPLES, exampleKeyOf } from './examples.ts';

/** How each way to say who one is looks on the wire. */
const SECURITY = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of /api/v1/token, or an access key where only data is sent.',
  },
  session: {
    ...{ type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
    description: 'A signed-in person; changes are taken from pages of the service only.',
  },
  link: {
    ...{ type: 'apiKey', in: 'query', name: 'access' },
    description: 'The code of an access link.',
  },
} as const;

/** How callers of each kind say who they are. */
const WAYS: Readonly<Record<CallerKind, keyof typeof SECURITY>> = {
  ...{ key: 'bearer', domain: 'bearer', user: 'bearer' },
  ...{ person: 'session', code: 'link' },
};

function waysOf({ auth }: Endpoint): (keyof typeof SECURITY)[] {
  return [...new Set(auth?.callers.map((kind) => WAYS[kind]))];
}

/** all three keys are there. */
const ERROR: Schema = exactly({
  validation: mapOf(string),
  error: listOf(string),
  context: { type: 'object' },
});

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is not what it has to be: `validation` names what to change.',
  401: 'No credentials, or unknown or expired ones.',
  403: 'The credentials do not allow this.',
  404: 'There is no such object, or the caller does not see it.',
  408: 'The body did not arrive in time.',
  413: 'The body is too large.',
  415: 'The body is encoded in a way that is not read.',
  429: 'Too many requests within a minute: try again after Retry-After seconds.',
  500: 'A fault of the service; it is logged.',
  503: 'The service is starting, stopping or overloaded: try again after Retry-After seconds.',
};

/** M-90: said with good answers of such endpoints as well. */
const RATE_HEADERS = {
  'X-RateLimit-Limit': { description: 'Requests within a minute.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Those that are left.', schema: integer },
  'X-RateLimit-Reset': {
    description: 'When the oldest of them counts no more: seconds since the epoch.',
    schema: integer,
  },
  'Retry-After': { description: 'Seconds until there is room for one.', schema: integer },
} as const;

const MEDIA_TYPES: Readonly<Record<Endpoint['answer']['kind'], string>> = {
  json: 'application/json',
  html: 'text/html',
  csv: 'text/csv',
  gif: 'image/gif',
  script: 'text/javascript',
  file: '*/*',
  stream: 'text/event-stream',
  redirect: '*/*',
};

/** The document as plain data. @param endpoints aliases among them are left out. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  const documented = endpoints.filter(({ isAlias }) => isAlias !== true);
  const paths: Record<string, Record<string, unknown>> = {};
  const shared = sharedParameters(documented);
  for (const endpoint of documented) {
    paths[endpoint.path] ??= {};
    (paths[endpoint.path] as Record<string, unknown>)[endpoint.method.toLowerCase()] = operationOf(
      endpoint,
      shared,
    );
  }
  const used = new Set(documented.flatMap(waysOf));
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Footfall',
      version: packageVersion(),
      summary: 'Self-hosted web analytics.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: ERROR },
      parameters: Object.fromEntries([...shared].map(([one, key]) => [key, parameterOf(one)])),
      responses: Object.fromEntries(
        Object.entries(REASONS).map(([status, reason]) => [
          status,
          errorOf(Number(status), reason),
        ]),
      ),
      securitySchemes: Object.fromEntries([...used].map((kind) => [kind, SECURITY[kind]])),
    },
  };
}

/** Every status that an endpoint may refuse a request with. */
export function refusalsOf(endpoint: Endpoint): number[] {
  const { auth, body, needsReady, refusals = [] } = endpoint;
  const statuses = [
    ...[400, 500],
    ...(auth === null ? [] : [401, 403]),
    ...(auth === null || auth.role === null ? [] : [404]),
    ...(body === null ? [] : [408, 413, 415]),
    ...(rateRuleOf(endpoint) === null ? [] : [429]),
    ...(needsReady ? [503] : []),
    ...refusals,
  ];
  return [...new Set(statuses)].toSorted((left, right) => left - right);
}

/** Those that several endpoints have, the very same, under a name of their own. */
function sharedParameters(endpoints: readonly Endpoint[]): ReadonlyMap<Parameter, string> {
  const counts = new Map<Parameter, number>();
  for (const one of endpoints.flatMap(({ parameters }) => parameters)) {
    counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const keys = new Map<Parameter, string>();
  const used = new Map<string, number>();
  for (const [one, count] of counts) {
    if (count === 1) continue;
    const key = one.name.replace(/[^\w.-]/g, '');
    // Others may have the name, and ask for something else by it.
    const number = (used.get(key) ?? 0) + 1;
    used.set(key, number);
    keys.set(one, number === 1 ? key : `${key}_${number}`);
  }
  return keys;
}

function operationOf(endpoint: Endpoint, shared: ReadonlyMap<Parameter, string>) {
  const { method, path, summary, auth, parameters, body, answer } = endpoint;
  const refused = refusalsOf(endpoint).map((status) => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  const asked = parameters.map((one) => {
    const key = shared.get(one);
    return key === undefined ? parameterOf(one) : { $ref: `#/components/parameters/${key}` };
  });
  return {
    operationId: `${method.toLowerCase()} ${path}`.replace(/[^a-z0-9]+/gi, '_').replace(/_$/, ''),
    tags: [path.split('/')[3] ?? 'service'],
    summary,
    security: waysOf(endpoint).map((kind) => ({ [kind]: [] })),
    ...(auth === null ? {} : { 'x-footfall-access': accessOf(auth) }),
    ...(asked.length === 0 ? {} : { parameters: asked }),
    ...(body === null ? {} : { requestBody: bodyOf(body, EXAMPLES[exampleKeyOf(endpoint)]) }),
    responses: {
      [answer.status]: {
        description: 'Done.',
        ...(answer.kind === 'redirect'
          ? {}
          : { content: { [MEDIA_TYPES[answer.kind]]: contentOf(answer.schema) } }),
      },
      ...Object.fromEntries(refused),
    },
  };
}

/** M-3: OpenAPI itself has no place for scopes of bearers and for roles. */
function accessOf({ scopes, callers, role }: NonNullable<Endpoint['auth']>) {
  return { scopes: scopes.map(({ area, right }) => `${area}=${right}`), callers, role };
}

function parameterOf({ name, in: place, description, schema, isRequired, repeats }: Parameter) {
  return {
    ...{ name, in: place, description, required: isRequired === true },
    schema: repeats === true ? listOf(schema) : schema,
    ...(repeats === true ? { style: 'form', explode: true } : {}),
  };
}

const SENT_TYPES: Readonly<Record<NonNullable<Endpoint['body']>['kind'], string>> = {
  json: 'application/json',
  hits: 'application/json',
  multipart: 'multipart/form-data',
  text: 'text/csv',
  file: 'application/octet-stream',
};

function bodyOf({ kind, schema }: NonNullable<Endpoint['body']>, example: unknown) {
  const mediaType = SENT_TYPES[kind];
  const shown = example === undefined ? {} : { example };
  return { required: true, content: { [mediaType]: { schema, ...shown } } };
}

function contentOf(schema: Schema | null) {
  return schema === null ? {} : { schema };
}

function errorOf(status: number, description: string) {
  const schema = { $ref: '#/components/schemas/Error' };
  const headers = status === 429 ? { headers: RATE_HEADERS } : {};
  return { description, ...headers, content: { 'application/json': { schema } } };
}
