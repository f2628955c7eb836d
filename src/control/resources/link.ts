/** Access links: a code that shows one dashboard to whoever has it (M-20, F-35), within bounds (D-19). */
import { isoTime } from '../../base/iso-time.ts';
import {
  anyObject,
  either,
  listOf,
  nullable,
  number,
  type Schema,
  string,
  timestamp,
} from '../../base/schema.ts';
import type { PinnedFilter } from '../../model/credential.ts';
import {
  DESCRIPTION_LENGTH_MAX,
  DOMAIN_CHILD_COUNT_MAX,
  LINK_CODE_LENGTH,
} from '../../model/limits.ts';
import { generated, reference, text } from '../descriptor/fields.ts';
import {
  defineResource,
  type Field,
  type Making,
  type RecordType,
} from '../descriptor/resource.ts';
import { instantOf } from '../field-rules.ts';
import { frameFault, framesOf, pinnedFault } from '../link-bounds.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from './permissions.ts';

/** Ends at once when it is removed, and by itself at `expires`. */
export const link = defineResource({
  name: 'link',
  table: 'links',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'domain/link',
    read: READ_SETTINGS,
    change: WRITE_DOMAINS,
    listBy: { domain_id: 'domainId' },
    creates: 'record',
    changes: { by: 'PUT', answers: 'nothing' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    code: {
      ...generated(LINK_CODE_LENGTH),
      unique: { key: (code: string) => code, taken: () => 'is taken' },
    },
    description: text({ lengthMax: DESCRIPTION_LENGTH_MAX, absent: () => '' }),
    /** Milliseconds since the epoch; null: it has no end. NaN is refused. */
    expires: bound<number | null>('expires', {
      schema: nullable(number),
      type: ['string', 'null'],
      wire: nullable(timestamp),
      shown: (ms) => (ms === null ? null : isoTime(ms)),
      read: (sent) =>
        sent === null || String(sent).trim() === '' ? null : instantOf(String(sent).trim()),
      absent: null,
      fault: (ms) => (Number.isNaN(ms) ? 'must be a time such as 2026-12-31T23:59:59Z' : ''),
    }),
    /** Nobody takes these off. Null: none. */
    filter: bound<PinnedFilter | null>('filter', {
      schema: either(anyObject, { type: 'null' }) as Schema<PinnedFilter | null>,
      type: ['object', 'null'],
      wire: either(anyObject, { type: 'null' }) as Schema,
      shown: (filter) => filter,
      read: (sent) => (isEmpty(sent) ? null : (sent as PinnedFilter)),
      absent: null,
      fault: (filter) => (filter === null ? '' : pinnedFault(filter)),
    }),
    /** Hosts whose pages may frame it, as a policy has them. */
    frame: bound<readonly string[]>('frame', {
      schema: listOf(string),
      type: ['array', 'null'],
      wire: listOf(string),
      shown: (hosts) => hosts,
      read: (sent) => framesOf(sent ?? []),
      absent: [],
      fault: frameFault,
    }),
  },
  rules: ({ expires, modifiedMs, createdMs }, _view, before) => {
    const isSet = expires !== null && expires !== undefined && expires !== before?.expires;
    const isOver = isSet && Number(expires) <= Math.max(modifiedMs, createdMs);
    return { expires: isOver ? 'must lie ahead: remove the link to end it now' : '' };
  },
});

export type Link = RecordType<typeof link>;

/**
 * A field that stays as it was when a request says nothing of it: who renames a link, and knows no
 * bounds, must not lift them. Null lifts one; links that are older than the field have none.
 */
function bound<Value>(
  name: string,
  of: {
    readonly schema: Schema<Value>;
    readonly type: readonly string[];
    readonly wire: Schema;
    shown(value: Value): unknown;
    read(sent: unknown): Value;
    readonly absent: Value;
    fault(value: Value): string;
  },
): Field<Value> {
  return {
    schema: of.schema,
    shown: [{ name, schema: of.wire, of: (value) => of.shown((value ?? of.absent) as Value) }],
    sent: [{ rule: { type: of.type as never } }],
    make: (_, { sent, before }: Making) => {
      const given = sent[name];
      if (given === undefined) return ((before?.[name] as Value | undefined) ?? of.absent) as Value;
      return of.read(given);
    },
    fault: (value) => of.fault(value ?? of.absent),
  };
}

function isEmpty(sent: unknown): boolean {
  return sent === null || (typeof sent === 'object' && Object.keys(sent as object).length === 0);
}
