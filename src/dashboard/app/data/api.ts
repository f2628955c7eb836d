/**
 * The interface of the service as the page uses it: typed calls, errors in words.
 *
 * Whoever is signed in comes by cookie; a public or shared page by a token of its own (M-82), which
 * is renewed when it has ended.
 */
import { signal } from '@preact/signals';
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
    super(message, { cause: more.cause });
    this.name = 'ApiError';
    this.status = status;
    this.validation = more.validation ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds ?? 0;
  }
}

/** What went wrong, as what people are told of: a refusal, or that nothing answered. */
export function faultOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, String(error));
}

/** Whose page this is where nobody has signed in. */
export interface Visit {
  readonly subdomain?: string;
  readonly hostname?: string;
  /** The code of an access link; absent on public pages. */
  readonly access?: string;
}

/** Whoever is signed in here; null: nobody, or it is not known. */
let personId: string | null = null;

/** From here on changes are those of a person, who is asked to sign in again where that has ended. */
export function callAs(id: string | null): void {
  personId = id;
}

/** Somebody has to sign in again before what was asked goes on. */
export interface SignInAsked {
  /** Who it is. */
  readonly personId: string;
  readonly end: (isSignedIn: boolean) => void;
}

/** Null: nobody has to. */
export const signInAsked = signal<SignInAsked | null>(null);
let signIn: Promise<boolean> | null = null;

/** Asks the person of this page to sign in again, without leaving it. @returns whether they did. */
export function signInAgain(): Promise<boolean> {
  if (personId === null) return Promise.resolve(false);
  const asked = { personId };
  signIn ??= new Promise<boolean>((resolve) => {
    signInAsked.value = { ...asked, end: resolve };
  }).finally(() => {
    signIn = null;
    signInAsked.value = null;
  });
  return signIn;
}

/** What the access link pins (D-19); null: nothing. */
export const pinned = signal<Readonly<Record<string, unknown>> | null>(null);
const UNAUTHORIZED = 401;
const ACCESS = '/api/v1/access';

let visit: Visit | null = null;
let token = '';
/** The token that is asked for, so that several questions do not ask for several. */
let renewal: Promise<void> | null = null;

/** Whether the address of a question answers whoever opens it: by cookie, or by the code in it. */
export function isLinkable(): boolean {
  return visit === null || visit.access !== undefined;
}

/** From here on the page reads as a visitor of one dashboard. @throws ApiError 401: it may not. */
export async function enterAs(given: Visit): Promise<void> {
  enterWith(given, await call(`POST ${ACCESS}`, {}, given));
}

/** The same, by what the service has answered. */
export function enterWith(given: Visit, answer: AnswerOf<'POST /api/v1/access'>): void {
  visit = given;
  token = answer.access_token;
  pinned.value = answer.filter;
}

/** From here on the page reads as whoever has signed in. */
export function leaveVisit(): void {
  visit = null;
  pinned.value = null;
}

function enterAgain(given: Visit): Promise<void> {
  renewal ??= enterAs(given).finally(() => {
    renewal = null;
  });
  return renewal;
}

function noAnswer(cause: unknown): ApiError {
  return new ApiError(0, '', { cause });
}

/** Whether the same question may be answered a little later: the service is away, busy or starting. */
export function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** Headers that say who asks. */
function credentials(address: string): Record<string, string> {
  return visit === null || address === ACCESS ? {} : { Authorization: `Bearer ${token}` };
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
  const ask = async () => {
    const response = await answered(path, () => request(address, { method, body, signal }));
    try {
      return (await response.json()) as AnswerOf<Name>;
    } catch (error) {
      // The connection broke amid the answer.
      if (signal?.aborted === true) throw error;
      throw noAnswer(error);
    }
  };
  return isChange(method, path) ? asPerson(ask) : ask();
}

/** Opens a stream of events. @throws ApiError. */
export async function openStream(
  address: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const accept = 'text/event-stream';
  const { body } = await answered(address, () => request(address, { accept, signal }));
  if (body === null) throw new ApiError(0, '');
  return body;
}

/** Whether a person does something that must not be lost because the sign-in has ended meanwhile. */
function isChange(method: string, path: string): boolean {
  return method !== 'GET' && !/^\/api\/v1\/(log(in|out)|access|statistics)\b/.test(path);
}

/** Asks, and once more where whoever is here has to sign in first, and does. @throws ApiError. */
export async function asPerson<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === UNAUTHORIZED && visit === null;
    if (!hasEnded || !(await signInAgain())) throw error;
    return ask();
  }
}

/** The answer, with a new token where the visitor's has ended. @throws ApiError. */
async function answered(path: string, send: () => Promise<Response>): Promise<Response> {
  let response = await send();
  if (response.status === UNAUTHORIZED && visit !== null && path !== ACCESS) {
    await enterAgain(visit);
    response = await send();
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

interface Sent {
  readonly method?: string;
  readonly accept?: string;
  readonly body?: unknown;
  readonly signal: AbortSignal | undefined;
}

/** A question whose answer nobody has waited for yet. */
interface Early {
  readonly address: string;
  readonly body: string;
  readonly answer: Promise<Response>;
  readonly abort: AbortController;
  /** By `performance.now()`. */
  readonly sentMs: number;
}

let early: Early | null = null;

/** Asks before whoever needs it is there: the next question at this address has its answer if it is the same. */
export function askEarly(address: string, body: unknown): void {
  const abort = new AbortController();
  const answer = request(address, { method: 'POST', body, signal: abort.signal });
  // Whoever asks the same is told.
  answer.catch(() => undefined);
  early = { address, body: JSON.stringify(body), answer, abort, sentMs: performance.now() };
}

/** When a question was sent that is asked now: some were before (`askEarly`). */
export function sentMs(): number {
  return early?.sentMs ?? performance.now();
}

/** The answer that is on its way already; null: there is none, or to another question. */
function takeEarly(address: string, body: unknown, signal?: AbortSignal): Promise<Response> | null {
  if (early?.address !== address) return null;
  const { abort, answer, body: asked } = early;
  early = null;
  const isSame = asked === body;
  if (isSame) signal?.addEventListener('abort', () => abort.abort());
  else abort.abort();
  return isSame ? answer : null;
}

async function request(address: string, { method, accept, body, signal }: Sent): Promise<Response> {
  const isRaw = body === undefined || body instanceof FormData || body instanceof Blob;
  const sent = isRaw ? body : JSON.stringify(body);
  const taken = takeEarly(address, sent, signal);
  if (taken !== null) return taken;
  try {
    return await fetch(address, {
      method: method ?? 'GET',
      headers: { ...credentials(address), ...(accept === undefined ? {} : { Accept: accept }) },
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw noAnswer(error);
  }
}

/** What the service refused, and why. */
export async function refusal(response: Response): Promise<ApiError> {
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
