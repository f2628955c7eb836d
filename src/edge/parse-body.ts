/** A whole body, as the kind of its endpoint has it. Data plane for hits. */
import { isUtf8 } from 'node:buffer';
import type { BodyRule } from '../api/endpoint.ts';
import { errors } from '../model/errors.ts';
import { NOT_PLAIN, readHits } from './body/hit-reader.ts';
import { parseJson } from './body/json-text.ts';

/**
 * Reads a body; one with parts takes several turns (`body/form.ts`).
 *
 * @param bytes read where they lie: of use only until this returns.
 * @throws BODY_NOT_JSON; VALIDATION_FAILED when it is to be text and is none.
 */
export function parseBody(
  kind: Exclude<BodyRule['kind'], 'multipart' | 'file'>,
  bytes: Uint8Array,
): unknown {
  if (kind === 'text') return textOf(bytes);
  const isHits = kind === 'hits';
  const hits = isHits ? readHits(bytes) : NOT_PLAIN;
  if (hits !== NOT_PLAIN) return hits;
  // Made here only: a Buffer costs more than the plain view that hits are read from.
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Of a hit only fields are used, so nobody walks what a small one nests.
  return isHits ? parseJson(sent, Number.POSITIVE_INFINITY) : parseJson(sent);
}

/** UTF-8, without the mark that spreadsheets put in front. */
function textOf(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  throw errors.VALIDATION_FAILED({ validation: { body: 'must be text in UTF-8' } });
}
