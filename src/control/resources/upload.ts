/**
 * Files that somebody has uploaded for an import (P-2). The record stands for what lies on the disk of
 * one node, in a folder of its id (`imports/uploads.ts`): without a record the folder goes.
 */
import { number, string } from '../../base/schema.ts';
import { kept, reference } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';

export const upload = defineResource({
  name: 'upload',
  table: 'uploads',
  owners: [],
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    /** As it was sent: of several files, the first, and how many there are. */
    name: kept(string, () => ''),
    bytes: kept(number, () => 0),
    expiresMs: kept(number, () => 0),
  },
});

export type Upload = RecordType<typeof upload>;
