/**
 * Which request goes where: the endpoints by method and path, 405 and 404 for the rest.
 *
 * Control plane: what an endpoint's answers share is worked out here, before the first request.
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import { missingPage } from '../api/dashboard/page.ts';
import type { AnswerRule, BodyRule, Endpoint, FullAnswer } from '../api/endpoint.ts';
import { rateRuleOf } from '../api/rate-rules.ts';
import { errorBody, errors, type OperatingError } from '../model/errors.ts';
import { FILE_CACHE_SECONDS } from '../model/limits.ts';
import { Exchange } from './exchange.ts';
import { ANY_PAGE, type Cors } from './http/cors.ts';
import { LastAnswer } from './http/last-answer.ts';
import { type HeadRules, type ReplyHead, replyHead, statusLine, writeReply } from './http/reply.ts';
import { framingFault, isChunked, readHead, requestHead } from './http/request-head.ts';
import { areaOf, countStatus } from './request-metrics.ts';
import { tracedEndpoint, traceRequest } from './request-traces.ts';
import type { ExchangeHost, Route } from './route.ts';

/** What a preflight is answered with. */
const NO_CONTENT = 204;
const REGISTRARS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'del' } as const;

/**
 * Registers every endpoint; HEAD wherever there is GET.
 *
 * Paths are compared as sent: no decoding, and a trailing slash makes another path.
 */
export function route(app: TemplatedApp, endpoints: readonly Endpoint[], host: ExchangeHost): void {
  const methodsByPath = new Map<string, string[]>();
  const corsByPath = new Map<string, Cors>();
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/\{(\w+)\}$/, ':$1');
    const methods = methodsByPath.get(path) ?? [];
    methodsByPath.set(path, methods);
    methods.push(endpoint.method);
    const own = routeOf(endpoint, host);
    corsByPath.set(path, own.cors);
    app[REGISTRARS[endpoint.method]](path, (res, req) => {
      begin(host, own, res, req);
    });
    if (endpoint.method !== 'GET') continue;
    methods.push('HEAD');
    const headOnly = { ...own, isHead: true };
    app.head(path, (res, req) => begin(host, headOnly, res, req));
  }
  for (const [path, methods] of methodsByPath) {
    const cors = corsByPath.get(path) ?? host.cors;
    const head = refusalHead(cors);
    if (cors.isOn) methods.push('OPTIONS');
    const allow = methods.join(', ');
    if (cors.isOn) {
      app.options(path, (res, req) => {
        readHead(req);
        const error = framingFault(false);
        countStatus(error?.status ?? NO_CONTENT);
        if (error === null) cors.answerPreflight(res, req, allow);
        else refuseLast(res, { error, allow: '', head, origin: '', isHead: false }, false);
      });
    }
    const refuseMethod = (res: HttpResponse, req: HttpRequest): void => {
      const method = req.getCaseSensitiveMethod();
      const error = errors.METHOD_NOT_ALLOWED({ method, allowed: allow });
      refuse(res, req, { error, allow, head, origin: cors.allowed(req) });
    };
    app.any(path, refuseMethod);
    // The engine would take it for the name of a dashboard.
    if (!methods.includes('GET')) app.get(path, refuseMethod).head(path, refuseMethod);
  }
  const { cors } = host;
  const head = refusalHead(cors);
  const rules = { kind: 'html', cache: 'no-store', isPacked: false } as const;
  const pageHead = replyHead(rulesOf(cors, rules));
  app.any('/*', (res, req) => {
    const page = isForPerson(req) ? missingPage() : null;
    if (page !== null) {
      const error = errors.PATH_NOT_FOUND({ path: req.getUrl() });
      refuse(res, req, { error, allow: '', head: pageHead, origin: '', page });
      return;
    }
    const error = errors.PATH_NOT_FOUND({ path: req.getUrl() });
    refuse(res, req, { error, allow: '', head, origin: cors.allowed(req) });
  });
}

function begin(host: ExchangeHost, own: Route, res: HttpResponse, req: HttpRequest): void {
  const exchange = new Exchange(host, own, res, req);
  traceRequest(exchange, own.endpoint, requestHead.traceparent);
  exchange.begin();
}

/** Of what no endpoint answers. */
function refusalHead(cors: Cors): ReplyHead {
  return replyHead(rulesOf(cors, { kind: 'json', cache: 'no-store', isPacked: false }));
}

function routeOf(endpoint: Endpoint, host: ExchangeHost): Route {
  const { kind, status, isImmutable, cacheSeconds } = endpoint.answer;
  const cors = endpoint.isForAnyPage === true ? ANY_PAGE : host.cors;
  const isPacked = isPackedFor(endpoint.answer);
  const cache = cacheOf(endpoint);
  const isKept = isImmutable === true || cacheSeconds !== undefined;
  const errorCache = isKept ? 'no-store' : cache || 'no-store';
  const errorRules = { kind: 'json', cache: errorCache, isPacked } as const;
  const readsCode = endpoint.auth?.callers.includes('code') ?? false;
  const readsVisitor = endpoint.readsVisitor === true;
  return {
    endpoint: tracedEndpoint(endpoint),
    area: areaOf(endpoint),
    isHead: false,
    readsCode,
    rate: rateRuleOf(endpoint),
    readsKey: endpoint.parameters.some(({ name }) => name === 'Idempotency-Key'),
    readsVisitor,
    readsQuery: readsCode || readsVisitor || hasQueryBeside(endpoint.body),
    cors,
    hasPathPart: endpoint.path.endsWith('}'),
    isPacked,
    status: statusLine(status),
    head: replyHead(rulesOf(cors, { kind, cache, isPacked })),
    errorHead: replyHead(rulesOf(cors, errorRules)),
  };
}

/** What has no fields of its own is told by the query what it is of. */
function hasQueryBeside(body: BodyRule | null): boolean {
  return body === null || body.kind === 'text' || body.open !== undefined;
}

/** Files are, unless they say so, images; a stream has no end that one could wait for. */
function isPackedFor({ kind, isBrief, isPacked }: AnswerRule): boolean {
  return isPacked === true || (isBrief !== true && kind !== 'file' && kind !== 'stream');
}

/** Nothing else here stays true; answers to other methods than GET are kept by no cache unasked. */
function cacheOf({ method, auth, answer, readsVisitor, isReading }: Endpoint): string {
  if (answer.isSecret === true || readsVisitor === true) return 'no-store';
  if (answer.isImmutable === true) return `public, max-age=${FILE_CACHE_SECONDS}, immutable`;
  if (answer.cacheSeconds !== undefined) return `public, max-age=${answer.cacheSeconds}`;
  if (method !== 'GET' && isReading !== true) return '';
  return auth === null ? 'no-store' : 'private, no-store';
}

function rulesOf(
  cors: Cors,
  { kind, cache, isPacked }: Pick<HeadRules, 'kind' | 'cache'> & { isPacked: boolean },
): HeadRules {
  const vary = [...(isPacked ? ['Accept-Encoding'] : []), ...(cors.isByOrigin ? ['Origin'] : [])];
  const { isForAnyOrigin, isForAnyPage } = cors;
  return { kind, cache, vary, isForAnyOrigin, isForAnyPage };
}

/** Whoever looks at an address that nothing is at: the interface answers programs. */
function isForPerson(req: HttpRequest): boolean {
  const isRead = req.getMethod() === 'get' || req.getMethod() === 'head';
  return (
    isRead && req.getHeader('accept').includes('text/html') && !req.getUrl().startsWith('/api')
  );
}

interface Refusal {
  readonly error: OperatingError;
  readonly allow: string;
  readonly head: ReplyHead;
  readonly origin: string;
  /** What people are shown instead of JSON. */
  readonly page?: FullAnswer;
}

/** What a refusal of no endpoint has none of. */
const PLAIN = { status: '', headers: null, rate: null, coding: '' } as const;

/** Answered at once; uWebSockets.js lets the body pass. */
function refuse(res: HttpResponse, req: HttpRequest, refusal: Refusal): void {
  readHead(req);
  const isHead = req.getMethod() === 'head';
  const fault = framingFault(false);
  countStatus((fault ?? refusal.error).status);
  if (fault !== null || isChunked()) {
    refuseLast(res, { ...refusal, error: fault ?? refusal.error, isHead }, fault === null);
    return;
  }
  const { page } = refusal;
  const body = page?.body ?? errorBody(refusal.error);
  const headers = page?.headers ?? null;
  const reply = { ...refusal, ...PLAIN, headers, body, isHead, closesConnection: false };
  res.cork(() => writeReply(res, reply));
}

/** The connection ends with it. */
function refuseLast(
  res: HttpResponse,
  refusal: Refusal & { readonly isHead: boolean },
  isBodyAwaited: boolean,
): void {
  const { page } = refusal;
  const body = page?.body ?? errorBody(refusal.error);
  const rest = { ...PLAIN, headers: page?.headers ?? null, closesConnection: true };
  let isGone = false;
  res.onAborted(() => {
    isGone = true;
  });
  const last = new LastAnswer(() => {
    if (!isGone) res.cork(() => writeReply(res, { ...refusal, ...rest, body }));
  }, isBodyAwaited);
  if (isBodyAwaited) res.onData((piece, isLast) => last.passed(piece.byteLength, isLast));
}
