/** GET /api/v1/openapi.json: what this service answers to, for programs that write programs. */
import { anyObject } from '../../base/schema.ts';
import type { Endpoint } from '../endpoint.ts';
import { json, PUBLIC, READS } from '../presets.ts';
import { openApiDocument } from './document.ts';

/** The document of these endpoints and of itself; written down when it is first asked for. */
export function openApiEndpoint(endpoints: readonly Endpoint[]): Endpoint {
  let text: string | null = null;
  const own: Endpoint = {
    ...{ ...READS, ...PUBLIC, needsReady: false },
    path: '/api/v1/openapi.json',
    summary: 'This document.',
    answer: json(anyObject),
    handle: () => {
      text ??= JSON.stringify(openApiDocument([...endpoints, own]));
      return text;
    },
  };
  return own;
}
