/**
 * A typed client of the interface, for Node 20 and later and for browsers: `footfall/client`.
 *
 * Every endpoint, its parameters, its body and its answer are known to the compiler, from the
 * service's own OpenAPI document (`operations.ts`). The client gets access tokens, renews them once
 * when one is refused, and waits as long as a busy service asks it to.
 */
import type { Operations } from './operations.ts';

export type { Operations } from './operations.ts';

/** How the client says who it is. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string }
  /** Sends hits, events and keep-alives, nothing else. */
  | { readonly accessKey: string }
  /** The code of an access link: reads one dashboard. */
  | { readonly accessCode: string };

type Paths<Method extends string> = keyof Operations extends infer Key
  ? Key extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;
type Operation<
  Method extends string,
  Path extends string,
> = `${Method} ${Path}` extends keyof Operations ? Operations[`${Method} ${Path}`] : never;
type QueryOf<O> = O extends { readonly query: infer Query } ? Query : never;
type BodyOf<O> = O extends { readonly body: infer Body } ? Body : never;
type AnswerOf<O> = O extends { readonly answer: infer Answer } ? Answer : never;

/** A refusal, in the words of the service. */
export class Refusal extends Error {
  readonly status: number;
  /** Parameter or field → what to change. */
  readonly validation: Readonly<Record<string, string>>;

  constructor(status: number, body: RefusalBody) {
    const { validation = {}, error = [] } = body;
    const faults = Object.entries(validation).map(([name, text]) => `${name} ${text}`);
    super([...error, ...faults].join('; ') || `status ${status}`);
    this.name = 'Refusal';
    this.status = status;
    this.validation = validation;
  }
}

interface RefusalBody {
  readonly validation?: Readonly<Record<string, string>>;
  readonly error?: readonly string[];
}

interface Sent {
  readonly query?: object;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** How often a request is sent again because the service was busy. */
const ATTEMPT_COUNT_MAX = 5;
const MS_PER_SECOND = 1_000;

/** One service and one caller. */
export class Footfall {
  readonly #baseUrl: string;
  readonly #credentials: Credentials;
  #token: Promise<string> | null = null;

  /** @param baseUrl address of the service, such as `https://stats.example.org`. */
  constructor(baseUrl: string, credentials: Credentials) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#credentials = credentials;
  }

  /** Reads. @throws Refusal. */
  get<Path extends Paths<'GET'>>(
    path: Path,
    query: QueryOf<Operation<'GET', Path>>,
  ): Promise<AnswerOf<Operation<'GET', Path>>> {
    return this.#send('GET', path, { query: query as object });
  }

  /**
   * Sends or changes.
   *
   * @param idempotencyKey of hits: what is sent again under the same one counts once.
   * @throws Refusal.
   */
  post<Path extends Paths<'POST'>>(
    path: Path,
    body: BodyOf<Operation<'POST', Path>>,
    idempotencyKey?: string,
  ): Promise<AnswerOf<Operation<'POST', Path>>> {
    return this.#send('POST', path, { body, idempotencyKey });
  }

  /** Changes. @throws Refusal. */
  put<Path extends Paths<'PUT'>>(
    path: Path,
    body: BodyOf<Operation<'PUT', Path>>,
  ): Promise<AnswerOf<Operation<'PUT', Path>>> {
    return this.#send('PUT', path, { body });
  }

  /** Removes. @throws Refusal. */
  delete<Path extends Paths<'DELETE'>>(
    path: Path,
    query: QueryOf<Operation<'DELETE', Path>>,
  ): Promise<AnswerOf<Operation<'DELETE', Path>>> {
    return this.#send('DELETE', path, { query: query as object });
  }

  async #send<Answer>(
    method: string,
    path: string,
    { query = {}, body, idempotencyKey }: Sent,
  ): Promise<Answer> {
    const url = this.#urlOf(path, query);
    let hasNewToken = false;
    for (let attempt = 1; ; attempt++) {
      const bearer = await this.#bearer();
      const response = await fetch(url, {
        method,
        headers: {
          ...(bearer === '' ? {} : { Authorization: `Bearer ${bearer}` }),
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        ...bodyPart(body),
      });
      if (response.ok) return (await response.json()) as Answer;
      if (response.status === 401 && this.#token !== null && !hasNewToken) {
        hasNewToken = true;
        this.#token = null;
        await response.body?.cancel();
        continue;
      }
      const refusal = await refusalOf(response);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      // What was not counted may be sent again; a rate limit is the caller's to respect.
      if (response.status !== 503 || !(seconds >= 0) || attempt >= ATTEMPT_COUNT_MAX) throw refusal;
      await new Promise((resolve) => setTimeout(resolve, seconds * MS_PER_SECOND));
    }
  }

  #urlOf(path: string, query: object): string {
    const url = new URL(this.#baseUrl + path);
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value].flat()) {
        if (one !== undefined && one !== null) url.searchParams.append(name, String(one));
      }
    }
    if ('accessCode' in this.#credentials) {
      url.searchParams.set('access', this.#credentials.accessCode);
    }
    return url.href;
  }

  async #bearer(): Promise<string> {
    const credentials = this.#credentials;
    if (!('clientId' in credentials)) {
      return 'accessKey' in credentials ? credentials.accessKey : '';
    }
    this.#token ??= this.#newToken(credentials.clientId, credentials.clientSecret);
    try {
      return await this.#token;
    } catch (error) {
      this.#token = null;
      throw error;
    }
  }

  async #newToken(client_id: string, client_secret: string): Promise<string> {
    const response = await fetch(`${this.#baseUrl}/api/v1/token`, {
      method: 'POST',
      body: JSON.stringify({ client_id, client_secret }),
    });
    if (!response.ok) throw await refusalOf(response);
    return ((await response.json()) as { access_token: string }).access_token;
  }
}

/** Of multipart endpoints the body is a FormData, of those that take a table a text. */
function bodyPart(body: unknown): { body?: FormData | string } {
  if (body === undefined) return {};
  const isSentAsIs = body instanceof FormData || typeof body === 'string';
  return { body: isSentAsIs ? body : JSON.stringify(body) };
}

async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text();
  try {
    return new Refusal(response.status, JSON.parse(text) as RefusalBody);
  } catch {
    return new Refusal(response.status, { error: [text.slice(0, 200)] });
  }
}
