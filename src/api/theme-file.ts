/** The files of themes, to anyone who has their address (M-70). */
import { string } from '../base/schema.ts';
import { KEYWORDS_TYPE } from '../control/resources/file.ts';
import { FILE_PATH } from '../control/resources/theme.ts';
import { errors } from '../model/errors.ts';
import type { Call, Endpoint, FileAnswer } from './endpoint.ts';
import type { Ports } from './ports.ts';
import { PUBLIC, READS } from './presets.ts';

const HASH = /^[0-9a-f]{64}$/;
/** An SVG can hold scripts, which a page of this origin must not run. */
const SVG_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** What is at such an address never changes: it holds the hash of the content. */
export const themeFileEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, path: `${FILE_PATH}{id}` },
    summary: 'A logo or icon of a dashboard.',
    parameters: [
      {
        ...{ name: 'id', in: 'path', isRequired: true },
        ...{ description: 'The SHA-256 of the file, hexadecimal.', schema: string },
      },
    ],
    answer: { kind: 'file', status: 200, schema: null, isImmutable: true },
    refusals: [404],
    handle: readFile,
  },
];

function readFile({ pathPart: id }: Call, { files }: Ports): FileAnswer {
  const found = HASH.test(id) ? files.find(id) : null;
  if (found === null || found.contentType === KEYWORDS_TYPE) {
    throw errors.RECORD_NOT_FOUND({ kind: 'file', id });
  }
  const { contentType, byteCount } = found;
  const policy = contentType === 'image/svg+xml' ? { 'Content-Security-Policy': SVG_POLICY } : {};
  return {
    headers: { 'Content-Type': contentType, ...policy },
    byteCount,
    bytesAt: (offset) => files.bytesAt(id, offset),
  };
}
