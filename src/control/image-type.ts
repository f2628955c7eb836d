/**
 * What kind of image some bytes are, by what they begin with (M-70); what a client calls them does not
 * count.
 */

/** Kinds that a theme's files may have, as they are served. */
export const IMAGE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
  'image/x-icon',
] as const;

export type ImageType = (typeof IMAGE_TYPES)[number];

/** What people call them. */
export const IMAGE_NAMES = 'PNG, JPEG, GIF, WebP, SVG or ICO';

/** An empty SVG: no image is shorter. */
const IMAGE_BYTES_MIN = 6;
const ICON_ENTRY_BYTES = 16;
const ICON_HEAD_BYTES = 6;

/** The kind of an image; null: it is none of those. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (bytes.length < IMAGE_BYTES_MIN) return null;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (has(head, 0, '\x89PNG\r\n\x1a\n') && has(head, 12, 'IHDR')) return 'image/png';
  if (has(head, 0, '\xff\xd8\xff')) return 'image/jpeg';
  if (has(head, 0, 'GIF87a') || has(head, 0, 'GIF89a')) return 'image/gif';
  if (has(head, 0, 'RIFF') && has(head, 8, 'WEBPVP8')) return 'image/webp';
  if (isIcon(head)) return 'image/x-icon';
  return isSvg(head) ? 'image/svg+xml' : null;
}

function has(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

/** A directory of images, each of which lies behind it and within the file. */
function isIcon(bytes: Buffer): boolean {
  if (!has(bytes, 0, '\0\0\x01\0')) return false;
  const count = bytes.readUInt16LE(4);
  const endOfDirectory = ICON_HEAD_BYTES + count * ICON_ENTRY_BYTES;
  if (count === 0 || endOfDirectory > bytes.length) return false;
  for (let at = ICON_HEAD_BYTES; at < endOfDirectory; at += ICON_ENTRY_BYTES) {
    const start = bytes.readUInt32LE(at + 12);
    if (start < endOfDirectory || start + bytes.readUInt32LE(at + 8) > bytes.length) return false;
  }
  return true;
}

/** Text whose first element is `svg`, behind declaration, comments and document type. */
function isSvg(bytes: Buffer): boolean {
  let text: string;
  try {
    // Takes the byte order mark away; refuses what is no UTF-8.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  PROLOGUE.lastIndex = 0;
  PROLOGUE.test(text);
  const root = text.slice(PROLOGUE.lastIndex, PROLOGUE.lastIndex + ROOT_LENGTH);
  return /^<(?:svg:)?svg[\s/>]/.test(root);
}

const ROOT_LENGTH = '<svg:svg '.length;
/** What may stand before the first element; a document type may have declarations in brackets. */
const PROLOGUE =
  /(?:\s+|<\?[^?]*(?:\?(?!>)[^?]*)*\?>|<!--[^-]*(?:-(?!->)[^-]*)*-->|<!DOCTYPE\s+svg\b[^[>]*(?:\[[^\]]*\]\s*)?>)*/y;
