/**
 * Traces of requests: which are sampled, and their first spans (P-32).
 *
 * Control plane beside the interpreter of requests, which knows nothing of it. Of a request a span has
 * its method, the path of its endpoint and the status: no address, no agent, nothing that was sent.
 */

import type { Call, Endpoint, Handler } from '../api/endpoint.ts';
import { newSpanId, sampled, type TraceContext } from '../base/tracing/trace-context.ts';
import { OpenSpan, spanMs, tracing, withTrace } from '../base/tracing/tracer.ts';

interface Traced {
  readonly context: TraceContext;
  readonly parentId: string;
  readonly endpoint: Endpoint;
  readonly startMs: number;
}

/** By exchange: what is answered, or has left, is forgotten with it. */
const requests = new WeakMap<object, Traced>();
const FAULT_STATUS = 500;

/** A request has come. @param header `traceparent`, '' without one. */
export function traceRequest(exchange: object, endpoint: Endpoint, header: string): void {
  const tracer = tracing();
  if (tracer === null) return;
  const found = sampled(header, tracer.target.sampling);
  if (found === null) return;
  const { traceId, parentId } = found;
  const context = { traceId, spanId: newSpanId() };
  requests.set(exchange, { context, parentId, endpoint, startMs: spanMs() });
}

/** An endpoint whose work is a part of its request's trace. */
export function tracedEndpoint(endpoint: Endpoint): Endpoint {
  if (tracing() === null) return endpoint;
  const handle: Handler = (call: Call, ports) => {
    const request = requests.get(call);
    if (request === undefined) return endpoint.handle(call, ports);
    const span = new OpenSpan(request.context, 'handle');
    try {
      return withTrace(request.context, () => endpoint.handle(call, ports));
    } finally {
      span.end();
    }
  };
  return { ...endpoint, handle };
}

/** A request is being answered. */
export function endRequestTrace(exchange: object, status: number): void {
  const tracer = tracing();
  const request = tracer === null ? undefined : requests.get(exchange);
  if (tracer === null || request === undefined) return;
  requests.delete(exchange);
  const { context, parentId, endpoint, startMs } = request;
  const { method, path } = endpoint;
  tracer.record({
    ...{ context, parentId, name: `${method} ${path}`, startMs, endMs: spanMs() },
    ...{ isServer: true, isError: status >= FAULT_STATUS },
    attributes: {
      ...{ 'http.request.method': method, 'http.route': path },
      'http.response.status_code': status,
    },
  });
}
