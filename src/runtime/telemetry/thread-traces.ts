/** Traces of one thread, where the environment says where they go (P-32). Control plane. */

import { openTracing } from '../../base/tracing/tracer.ts';
import { metrics } from '../../model/metrics.ts';
import { traceTarget } from '../../settings/trace-settings.ts';

/** Traces from now on, if it is asked for. @returns sends what is left, and ends. */
export function traceThread(thread: string): () => Promise<void> {
  const target = traceTarget();
  if (target === null) return async () => undefined;
  const tracer = openTracing(target, thread, (count) => metrics.droppedSpans.add(count));
  return () => tracer.close();
}
