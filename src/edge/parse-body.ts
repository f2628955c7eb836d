/** A whole body, as the kind of its endpoint has it. Data plane for hits. */
import type { BodyRule } from '../api/endpoint.ts';
import { errors } from '../model/errors.ts';
import { NOT_PLAIN, readHits } from './body/hit-reader.ts';
import { parseJson } from './body/json-text.ts';
import type { ExchangeHost } from './route.ts';

/**
 * Reads a body.
 *
 * @param bytes read where they lie: of use only until this returns.
 * @param contentType the header, where the body is multipart.
 * @throws BODY_NOT_JSON, BODY_NOT_MULTIPART.
 */
export function parseBody(
  kind: BodyRule['kind'],
  bytes: Uint8Array,
  contentType: string,
  host: ExchangeHost,
): unknown {
  if (kind === 'multipart') {
    const parts = host.partsOf(bytes, contentType);
    if (parts === null) throw errors.BODY_NOT_MULTIPART({});
    return parts;
  }
  const hits = kind === 'hits' ? readHits(bytes) : NOT_PLAIN;
  if (hits !== NOT_PLAIN) return hits;
  // Made here only: a Buffer costs more than the plain view that hits are read from.
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
