/**
 * For how long a domain keeps its statistics (P-21): what it asks for, and what it came to.
 *
 * Fields of the domain's record, which answers have once they were set: the contract's have neither.
 */
import { integer, nullable, string } from '../../base/schema.ts';
import { kept } from '../descriptor/fields.ts';
import type { Field } from '../descriptor/resource.ts';

/** Days that are kept before today; 0, or nothing in records of earlier versions: all. */
const retentionDays: Field<number> = {
  ...kept(integer, () => 0),
  shown: [
    { name: 'retention_days', schema: integer, isOptional: true, of: (days) => days || undefined },
  ],
};

/** The first UTC day (yyyy-mm-dd) that was kept when something went; null: nothing ever did. */
const retainedFrom: Field<string | null> = {
  ...kept(nullable(string), () => null),
  shown: [
    { name: 'retained_from', schema: string, isOptional: true, of: (date) => date ?? undefined },
  ],
};

/** Nothing goes until it is asked for. */
export const retentionFields = { retentionDays, retainedFrom };
