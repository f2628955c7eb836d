/**
 * Where a request stands in a trace: the header `traceparent` of W3C Trace Context, and whether a
 * request without one is sampled.
 *
 * Control plane.
 */

import { randomKey, randomShare } from '../random.ts';

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const HEADER = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NOTHING = /^0+$/;
const SAMPLED = 1;
/** The last bytes of a trace's id say whether it is sampled, as OpenTelemetry's ratio sampler has it. */
const SHARE_DIGITS = 14;

/** The span that what comes next is a part of. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Which requests are traced. */
export interface Sampling {
  /** Of requests that say nothing: from 0 to 1. */
  readonly share: number;
  /** Whether a request that says something is believed. */
  readonly followsParent: boolean;
}

/** What a request is to be traced as: its trace, and the span of its sender. */
export interface SampledRequest {
  readonly traceId: string;
  /** '' without a sender that traces. */
  readonly parentId: string;
}

/** Whether a request is traced, and as what; null: it is not. @param header `traceparent`, '' without one. */
export function sampled(header: string, { share, followsParent }: Sampling): SampledRequest | null {
  const [, traceId = '', parentId = '', flags = ''] = HEADER.exec(header) ?? [];
  const isGiven = traceId !== '' && !NOTHING.test(traceId) && !NOTHING.test(parentId);
  if (isGiven) {
    const isSampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0;
    const isTaken = followsParent ? isSampled : isBelow(traceId, share);
    return isTaken ? { traceId, parentId } : null;
  }
  if (randomShare() >= share) return null;
  return { traceId: randomHex(TRACE_BYTES), parentId: '' };
}

/** Id of a span. */
export function newSpanId(): string {
  return randomHex(SPAN_BYTES);
}

function randomHex(byteCount: number): string {
  return Buffer.from(randomKey(byteCount)).toString('hex');
}

/** All services of a trace decide the same. */
function isBelow(traceId: string, share: number): boolean {
  const digits = Number.parseInt(traceId.slice(-SHARE_DIGITS), 16);
  return digits < share * 2 ** (SHARE_DIGITS * 4);
}
