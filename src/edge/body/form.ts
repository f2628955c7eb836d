/**
 * A body of several parts: multipart/form-data.
 *
 * Control plane. The parser is @fastify/busboy; uWebSockets.js has one as well, which takes a body that
 * was cut off for a whole one with fewer parts, and knows no boundary in quotes (DECISIONS 70).
 */
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Part } from '../../api/endpoint.ts';
import { errors } from '../../model/errors.ts';
import { FORM_PART_COUNT_MAX } from '../../model/limits.ts';

/** Names of headers and their values in one part: a browser sends two. */
const PART_HEADER_COUNT_MAX = 16;

/**
 * Reads the parts of a body.
 *
 * @param contentType the header as sent.
 * @throws BODY_NOT_MULTIPART when it is none, is cut off, or has far too many parts.
 */
export function readForm(body: Uint8Array, contentType: string): Promise<readonly Part[]> {
  return new Promise((resolve, reject) => {
    const refuse = (cause?: unknown) => reject(errors.BODY_NOT_MULTIPART({}, cause));
    const parts: Part[] = [];
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { parts: FORM_PART_COUNT_MAX, headerPairs: PART_HEADER_COUNT_MAX },
        // As bytes, whether or not a part has the name of a file.
        isPartAFile: () => true,
      });
    } catch (cause) {
      refuse(cause);
      return;
    }
    parser.on('file', (name: string | undefined, stream: BusboyFileStream, filename?: string) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        parts.push({ name: name ?? '', filename: filename ?? '', bytes: Buffer.concat(pieces) });
      });
      // Of a part that is cut off; the parser says so as well.
      stream.on('error', refuse);
    });
    parser.on('partsLimit', () => refuse());
    parser.on('error', refuse);
    parser.on('finish', () => resolve(parts));
    // It takes other types as well.
    if (contentType.trimStart().toLowerCase().startsWith('multipart/form-data')) {
      parser.end(Buffer.from(body.buffer, body.byteOffset, body.length));
    } else refuse();
  });
}
