/** Files that people bring: found by their content, which stands in parts on disk (M-70). */
import { integer, oneOf } from '../../base/schema.ts';
import { kept } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';
import { IMAGE_TYPES } from '../image-type.ts';

/** The id is the SHA-256 of the content; nobody owns a file, it stays as long as a record names it. */
export const file = defineResource({
  name: 'file',
  table: 'files',
  owners: [],
  fields: {
    contentType: kept(oneOf(IMAGE_TYPES), () => IMAGE_TYPES[0]),
    byteCount: kept(integer, () => 0),
    partCount: kept(integer, () => 0),
    /** Parts come one by one, in order: it is whole when it has all. */
    storedPartCount: kept(integer, () => 0),
  },
});

export type StoredFile = RecordType<typeof file>;
