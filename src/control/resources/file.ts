/**
 * Files that people bring: found by their content, which stands in parts on disk (M-70, P-4).
 */
import { integer, oneOf } from '../../base/schema.ts';
import { kept } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';
import { IMAGE_TYPES } from '../image-type.ts';

/** What a search console exported, in our own columns: nobody is shown such a file. */
export const KEYWORDS_TYPE = 'application/x-footfall-keywords+json';

const FILE_TYPES = [...IMAGE_TYPES, KEYWORDS_TYPE] as const;

/** What a file may be. */
export type FileType = (typeof FILE_TYPES)[number];

/** The id is the SHA-256 of the content; nobody owns a file, it stays as long as a record names it. */
export const file = defineResource({
  name: 'file',
  table: 'files',
  owners: [],
  fields: {
    contentType: kept(oneOf(FILE_TYPES), () => FILE_TYPES[0]),
    byteCount: kept(integer, () => 0),
    partCount: kept(integer, () => 0),
    /** Parts come one by one, in order: it is whole when it has all. */
    storedPartCount: kept(integer, () => 0),
  },
});

export type StoredFile = RecordType<typeof file>;
