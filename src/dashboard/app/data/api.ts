/**
 * The interface of the service as the page uses it: typed calls, errors in words.
 *
 * Whoever is signed in comes by cookie; a public or shared page by a token of its own (M-82), which
 * is renewed when it has ended.
 */
import type { Operations } from '../../../client/operations.ts';

type Key = keyof Operations;

/** What an operation takes and answers. */
export type QueryOf<Name extends Key> = Operations[Name]['query'];
export type AnswerOf<Name extends Key> = Operations[Name]['answer'];

/** A refusal, or a service that does not answer. */
export class ApiError extends Error {
  /** 0: nothing answered. */
  readonly status: number;
  /** Parameter or field → what to change. */
  readonly validation: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number;

  constructor(status: number, message: string, more: Partial<ApiError> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.validation = more.validation ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds ?? 0;
  }
}

/** Whose page this is where nobody has signed in. */
export interface Visit {
  readonly subdomain?: string;
  readonly hostname?: string;
  /** The code of an access link; absent on public pages. */
  readonly access?: string;
}

let visit: Visit | null = null;
let token = '';

/** From here on the page reads as a visitor of one dashboard. @throws ApiError 401: it may not. */
export async function enterAs(given: Visit): Promise<void> {
  visit = null;
  const answer = await call('POST /api/v1/access', {}, given);
  visit = given;
  token = answer.access_token;
}

/** Headers that say who asks. */
export function credentials(): Record<string, string> {
  return visit === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Calls an operation. @throws ApiError. */
export async function call<Name extends Key>(
  name: Name,
  query: QueryOf<Name> | Record<string, unknown>,
  body?: unknown,
  signal?: AbortSignal,
): Promise<AnswerOf<Name>> {
  const [method = '', path = ''] = name.split(' ');
  const address = path + queryText(query as Record<string, unknown>);
  const send = () => request(address, method, body, signal);
  let response = await send();
  if (response.status === 401 && visit !== null && path !== '/api/v1/access') {
    await enterAs(visit);
    response = await send();
  }
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as AnswerOf<Name>;
}

async function request(
  address: string,
  method: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const answered = fetch(address, {
    method,
    headers: credentials(),
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const response = await answered.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    return null;
  });
  if (response === null) throw new ApiError(0, '');
  return response;
}

async function refusal(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.json().catch(() => ({}));
  const { error = [], validation = {} } = text as {
    error?: string[];
    validation?: Record<string, string>;
  };
  const faults = Object.entries(validation).map(([name, fault]) => `${name} ${fault}`);
  const retryAfterSeconds = Number(headers.get('Retry-After')) || 0;
  return new ApiError(status, [...error, ...faults].join('; '), { validation, retryAfterSeconds });
}

/** Parameters as the interface reads them; several values of one are repeated. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
