/** Small images of every kind that themes take, and forms that carry them. */
import { randomBytes } from 'node:crypto';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A whole PNG of one pixel. */
export const PNG = Buffer.from(PIXEL, 'base64');
export const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
export const JPEG = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0xff, 0xd9,
]);
export const WEBP = Buffer.from(
  'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  'base64',
);
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>');
/** A directory of one image, which is the PNG. */
export const ICO = Buffer.concat([
  Buffer.from([0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, PNG.length, 0, 0, 0, 22, 0, 0, 0]),
  PNG,
]);

/** A PNG that is followed by random bytes, so that it has a length and no other one is the same. */
export function largePng(byteCount: number): Buffer {
  return Buffer.concat([PNG, randomBytes(byteCount - PNG.length)]);
}

/** A form as browsers send it. */
export function themeForm(
  data: unknown,
  files: Readonly<Record<string, Uint8Array>> = {},
): FormData {
  const form = new FormData();
  form.set('data', typeof data === 'string' ? data : JSON.stringify(data));
  for (const [name, bytes] of Object.entries(files)) {
    form.set(name, new Blob([new Uint8Array(bytes)]), `${name}.bin`);
  }
  return form;
}
