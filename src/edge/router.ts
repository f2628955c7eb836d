/** Which request goes where: the endpoints by method and path, 405 and 404 for the rest. */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import type { Endpoint } from '../api/endpoint.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import { Exchange, type ExchangeHost } from './exchange.ts';
import { writeError } from './reply.ts';

const REGISTRARS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'del' } as const;

/**
 * Registers every endpoint.
 *
 * Paths are compared as sent: no decoding, and a trailing slash makes another path.
 */
export function route(app: TemplatedApp, endpoints: readonly Endpoint[], host: ExchangeHost): void {
  const methodsByPath = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const methods = methodsByPath.get(endpoint.path) ?? [];
    methodsByPath.set(endpoint.path, methods);
    methods.push(endpoint.method);
    app[REGISTRARS[endpoint.method]](endpoint.path, (res, req) => {
      new Exchange(host, endpoint, res, req).begin(req);
    });
  }
  for (const [path, methods] of methodsByPath) {
    const allow = methods.join(', ');
    app.any(path, (res, req) => {
      const method = req.getCaseSensitiveMethod();
      refuse(res, req, errors.METHOD_NOT_ALLOWED({ method, allowed: allow }), allow);
    });
  }
  app.any('/*', (res, req) => {
    refuse(res, req, errors.PATH_NOT_FOUND({ path: req.getUrl() }), '');
  });
}

/** Answered at once; uWebSockets.js lets the body pass. */
function refuse(res: HttpResponse, req: HttpRequest, error: OperatingError, allow: string): void {
  const isHead = req.getMethod() === 'head';
  res.cork(() => writeError(res, error, { closesConnection: false, allow, isHead }));
}
