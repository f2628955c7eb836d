/** GET /icons/…: the icons of sources, to anyone (I-94). */
import { string } from '../base/schema.ts';
import { ICON_PATH, sourceIconImage } from '../ingest/source/source-icon.ts';
import { errors } from '../model/errors.ts';
import type { Call, Endpoint, FileAnswer } from './endpoint.ts';
import { PUBLIC, READS } from './presets.ts';

/** An SVG could hold scripts; ours hold none, and none would run. */
const POLICY = "default-src 'none'; sandbox";

/** What is at such an address never changes: it is stored with sessions. */
export const sourceIconEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, needsReady: false, path: `${ICON_PATH}{id}` },
    summary: 'The icon of a source of traffic, such as an app.',
    parameters: [
      {
        ...{ name: 'id', in: 'path', isRequired: true },
        ...{ description: 'Name of the source and ending: `reddit.svg`.', schema: string },
      },
    ],
    answer: { kind: 'file', status: 200, schema: null, isImmutable: true },
    refusals: [404],
    handle: readIcon,
  },
];

function readIcon({ pathPart: id }: Call): FileAnswer {
  const image = sourceIconImage(id);
  if (image === null) throw errors.RECORD_NOT_FOUND({ kind: 'icon', id });
  const bytes = Buffer.from(image);
  return {
    headers: { 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': POLICY },
    byteCount: bytes.length,
    bytesAt: (offset) => bytes.subarray(offset),
  };
}
