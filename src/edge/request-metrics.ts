/**
 * What is counted of requests: answers by status, bytes of bodies, time to the answer, and refusals of
 * collection by their code.
 *
 * Data plane for collection: a few adds and one look at the clock per request.
 */
import type { Endpoint } from '../api/endpoint.ts';
import { monotonicMs } from '../base/clock.ts';
import type { OperatingError } from '../model/errors.ts';
import { errorNumber, type RequestArea, requestAreaNumber } from '../model/metric-labels.ts';
import { metrics } from '../model/metrics.ts';
import { endRequestTrace } from './request-traces.ts';

const OTHER = requestAreaNumber('other');
/** Areas of requests that send hits. */
const COLLECTING: ReadonlySet<number> = new Set(
  (['single', 'batch', 'browser'] as const).map(requestAreaNumber),
);
/** Statuses of a class. */
const CLASS_STATUS_COUNT = 100;
/** The class 2xx is the first of the label. */
const FIRST_CLASS = 2;

/** The area in which an endpoint's requests are counted, as index of the label. */
export function areaOf(endpoint: MeteredEndpoint): number {
  return requestAreaNumber(areaNameOf(endpoint));
}

type MeteredEndpoint = Pick<Endpoint, 'body' | 'path' | 'readsVisitor'>;

function areaNameOf({ body, path, readsVisitor }: MeteredEndpoint): RequestArea {
  if (readsVisitor === true && !path.startsWith('/api/')) return 'browser';
  if (body?.kind === 'hits') return path.endsWith('/batch') ? 'batch' : 'single';
  return path.startsWith('/api/v1/statistics/') ? 'statistics' : 'other';
}

/** What is known of a request when it is answered. */
export interface AnsweredRequest {
  /** Of `monotonicMs`, when its head was read. */
  readonly startMs: number;
  /** Of its body, as far as it came. */
  readonly arrivedBytes: number;
}

/** Counts an answer that is being written. @param area as `areaOf` says. */
export function countAnswer(request: AnsweredRequest, area: number, status: number): void {
  const { startMs, arrivedBytes } = request;
  endRequestTrace(request, status);
  countStatus(status, area);
  metrics.requestBodyBytes.add(arrivedBytes, area);
  metrics.answerSeconds.recordMs(monotonicMs() - startMs, area);
}

/** Counts the status of an answer, of a request to no endpoint if no area is given. */
export function countStatus(status: number, area = OTHER): void {
  metrics.answers.add(1, area, Math.floor(status / CLASS_STATUS_COUNT) - FIRST_CLASS);
}

/** Counts a request of which nothing was taken, if it was to collect hits. */
export function countRefusal(area: number, { code }: OperatingError): void {
  if (COLLECTING.has(area)) metrics.collectRefused.add(1, errorNumber(code));
}
