/**
 * Spans of sampled requests, and their way to a collector by OTLP over HTTP (P-32).
 *
 * Control plane. A thread with an event loop has a tracer of its own; one that sleeps outside of it says
 * when it did what, and somebody else records it. What a collector does never touches a request: the
 * queue is bounded, what finds no room or is not taken is dropped and counted.
 *
 * Without `openTracing` nothing here is reached beyond one look at a variable. The JSON of OTLP is small
 * enough that a package, with its own ideas of threads and clocks, would be more to hold than this.
 */

import { monotonicMs } from '../clock.ts';
import { newSpanId, type Sampling, type TraceContext } from './trace-context.ts';

const QUEUE_COUNT_MAX = 2_048;
const BATCH_COUNT_MAX = 512;
const SEND_MS = 1_000;
const SEND_MS_MAX = 10_000;
const NS_PER_MS = 1_000_000;
/** Kinds and states, as OTLP numbers them. */
const INTERNAL = 1;
const SERVER = 2;
const ERROR = 2;

/** Values of a span; of a visitor there is nothing among them. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Where spans go. */
export interface TraceTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampling: Sampling;
}

/** A span that has ended. Times are milliseconds since the epoch, with fractions. */
export interface EndedSpan {
  readonly context: TraceContext;
  /** '' of the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly isServer?: boolean;
  readonly isError?: boolean;
}

/** Sends the spans of one thread. */
export class Tracer {
  readonly target: TraceTarget;
  readonly #thread: string;
  readonly #onDropped: (count: number) => void;
  readonly #timer: NodeJS.Timeout;
  #queue: EndedSpan[] = [];
  #sending: Promise<void> | null = null;

  /** @param onDropped told how many spans the collector will never have. */
  constructor(target: TraceTarget, thread: string, onDropped: (count: number) => void) {
    this.target = target;
    this.#thread = thread;
    this.#onDropped = onDropped;
    this.#timer = setInterval(() => this.#send(), SEND_MS).unref();
  }

  record(span: EndedSpan): void {
    if (this.#queue.length >= QUEUE_COUNT_MAX) this.#onDropped(1);
    else this.#queue.push(span);
  }

  /** Sends what is there for the last time. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    this.#send();
    await this.#sending;
  }

  #send(): void {
    if (this.#sending !== null || this.#queue.length === 0) return;
    const spans = this.#queue.slice(0, BATCH_COUNT_MAX);
    this.#queue = this.#queue.slice(BATCH_COUNT_MAX);
    this.#sending = this.#post(spans)
      .catch(() => false)
      .then((isTaken) => {
        this.#sending = null;
        if (!isTaken) this.#onDropped(spans.length);
      });
  }

  async #post(spans: readonly EndedSpan[]): Promise<boolean> {
    const { url, headers, serviceName } = this.target;
    const resource = { attributes: listed({ 'service.name': serviceName }) };
    const scope = { name: 'footfall' };
    const all = spans.map((span) => otlpSpan(span, this.#thread));
    const scopeSpans = [{ scope, spans: all }];
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
      signal: AbortSignal.timeout(SEND_MS_MAX),
    });
    await response.arrayBuffer();
    return response.ok;
  }
}

/** Of this thread; null: nothing is traced. */
let tracer: Tracer | null = null;
/** The request that is being worked on, as far as it is traced. */
let current: TraceContext | null = null;

/** Traces on this thread from now on. */
export function openTracing(
  target: TraceTarget,
  thread: string,
  onDropped: (count: number) => void,
): Tracer {
  tracer = new Tracer(target, thread, onDropped);
  return tracer;
}

/** The tracer of this thread; null: nothing is traced. */
export function tracing(): Tracer | null {
  return tracer;
}

/** What is being worked on in this turn; null: it is not traced. */
export function currentTrace(): TraceContext | null {
  return current;
}

/** Works on something that is traced, as far as it is done in this turn. */
export function withTrace<Answer>(trace: TraceContext, work: () => Answer): Answer {
  const before = current;
  current = trace;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** The time of spans: that of the epoch, as fine as durations, and the same on every thread. */
export function spanMs(): number {
  return performance.timeOrigin + monotonicMs();
}

/** A part of something traced, from now until it is ended. */
export class OpenSpan {
  readonly context: TraceContext;
  readonly #parentId: string;
  readonly #name: string;
  readonly #startMs = spanMs();

  constructor({ traceId, spanId }: TraceContext, name: string) {
    this.context = { traceId, spanId: newSpanId() };
    this.#parentId = spanId;
    this.#name = name;
  }

  end(isError = false): void {
    tracer?.record({
      ...{ context: this.context, parentId: this.#parentId, name: this.#name, isError },
      ...{ startMs: this.#startMs, endMs: spanMs(), attributes: {} },
    });
  }
}

/** Records a part of something traced that was done on another thread, or is over. */
export function recordPart(
  { traceId, spanId }: TraceContext,
  part: Pick<EndedSpan, 'name' | 'startMs' | 'endMs'> & { readonly thread?: string },
): void {
  const { thread, ...span } = part;
  const attributes: Attributes = thread === undefined ? {} : { 'thread.name': thread };
  const context = { traceId, spanId: newSpanId() };
  tracer?.record({ ...span, context, parentId: spanId, attributes });
}

function otlpSpan(span: EndedSpan, thread: string): unknown {
  const { context, parentId, name, startMs, endMs, attributes, isServer, isError } = span;
  return {
    ...context,
    ...(parentId === '' ? {} : { parentSpanId: parentId }),
    ...{ name, kind: isServer === true ? SERVER : INTERNAL },
    ...{ startTimeUnixNano: nano(startMs), endTimeUnixNano: nano(endMs) },
    attributes: listed({ 'thread.name': thread, ...attributes }),
    status: isError === true ? { code: ERROR } : {},
  };
}

function listed(attributes: Attributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => {
    return { key, value: typeof value === 'number' ? { intValue: value } : { stringValue: value } };
  });
}

/** More digits than a number holds: as text. */
function nano(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * BigInt(NS_PER_MS) + BigInt(Math.round((ms - whole) * NS_PER_MS)));
}
