/**
 * Where traces go, from the variables that OpenTelemetry has for every program (P-32): they are no
 * settings of ours, so that what an operator has set for all services is right here, too.
 *
 * Control plane, read once by each thread at its start.
 */

import type { TraceTarget } from '../base/tracing/tracer.ts';

const PATH = '/v1/traces';
const SERVICE = 'footfall';

/** Null: nothing is traced. Throws nothing: what cannot be read is as if it were not there. */
export function traceTarget(
  env: Readonly<Record<string, string | undefined>> = process.env,
): TraceTarget | null {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '';
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  const url = own !== '' ? own : base === '' ? '' : base.replace(/\/+$/, '') + PATH;
  const sampler = env['OTEL_TRACES_SAMPLER'] ?? '';
  const isOff = env['OTEL_SDK_DISABLED'] === 'true' || sampler.endsWith('always_off');
  if (isOff || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return null;
  return {
    ...{ url, headers: headersOf(env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '') },
    serviceName: env['OTEL_SERVICE_NAME'] || SERVICE,
    sampling: {
      share: sampler.endsWith('traceidratio') ? shareOf(env['OTEL_TRACES_SAMPLER_ARG']) : 1,
      followsParent: sampler === '' || sampler.startsWith('parentbased_'),
    },
  };
}

/** `name=value,name=value`, as in a header of W3C Baggage. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(/=(.*)/s));
  const good = pairs.filter(([name = '']) => /^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()));
  return Object.fromEntries(
    good.map(([name = '', value = '']) => [name.trim(), decoded(value.trim())]),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** 1 where it is no share. */
function shareOf(text: string | undefined): number {
  const share = Number(text ?? '');
  return text !== undefined && text !== '' && share >= 0 && share <= 1 ? share : 1;
}
