/** Saved views: a range, a comparison and filters of a domain under a name (M-61). */
import { either, integer, listOf, nullable, type Schema, string } from '../../base/schema.ts';
import type { FieldSchema } from '../../base/validate.ts';
import {
  DOMAIN_CHILD_COUNT_MAX,
  NAME_LENGTH_MAX,
  VIEW_ADDRESS_LENGTH_MAX,
} from '../../model/limits.ts';
import { DATE_MESSAGE, formatDay, parseDay } from '../../query/question/calendar.ts';
import { filterValueFault } from '../../query/question/conversions.ts';
import { isVisitorId, parseFilters, SESSION_ID_MAX } from '../../query/question/filters.ts';
import { parametersOf } from '../../query/question/parameters.ts';
import { clockTimeFault } from '../../query/question/range.ts';
import { callerReference, choice, flag, reference, text } from '../descriptor/fields.ts';
import { type AnyRecord, defineResource, type Field, wireName } from '../descriptor/resource.ts';
import { READ_SHOWN, WRITE_DOMAINS } from './permissions.ts';

/** Filters with a list of values each. */
const LISTS = ['path', 'event', 'tag'] as const;
/** Lists that belong together by place: keys, and the value that each must have (F-18, F-19). */
const PAIRS = [
  ['eventMetaKey', 'eventMetaValue'],
  ['tagKey', 'tagValue'],
] as const;
/** Filters with one value or a list of them; the names are those of the parameters in camel case. */
const VALUES = [
  ...(['entryPath', 'exitPath', 'pattern', 'language', 'country', 'city'] as const),
  ...(['referrer', 'referrerName', 'os', 'browser', 'platform', 'screenClass'] as const),
  ...(['utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm'] as const),
];

const VALUE = either(string, listOf(string)) as Schema<string | readonly string[]>;

/** Of one maker, seen by everybody on the domain. */
export const view = defineResource({
  name: 'view',
  table: 'views',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'view',
    read: READ_SHOWN,
    change: WRITE_DOMAINS,
    own: { scopes: [{ area: 'statistics', right: 'r' }], role: 'Viewer' },
    listBy: { domain_id: 'domainId' },
    creates: 'record',
    changes: { by: 'POST', answers: 'record' },
    removes: true,
    refusesUnknown: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    userId: callerReference('remove'),
    name: text({ lengthMax: NAME_LENGTH_MAX }),
    from: text({ normal: normalDate, fault: dateFault }),
    to: text({ normal: normalDate, fault: dateFault }),
    fromTime: text({ absent: () => '', fault: timeFault }),
    toTime: text({ absent: () => '', fault: timeFault }),
    // What it means is the dashboard's own.
    period: {
      schema: integer,
      sent: [{ rule: { type: ['integer', 'null'], minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } }],
      make: (sent) => (sent as number | undefined) ?? 0,
    } as Field<number>,
    compare: choice(['previous', 'year', 'custom'], { absent: null }),
    compareFrom: optionalDate(),
    compareTo: optionalDate(),
    compareWeekday: flag(),
    ...fieldsNamed([...LISTS, ...PAIRS[0], ...PAIRS[1]], list()),
    ...fieldsNamed(VALUES, valueOrList()),
    address: addressText(),
    visitorId: decimalText(),
    sessionId: {
      schema: nullable(integer),
      sent: [{ rule: { type: ['integer', 'null'], minimum: 0, maximum: SESSION_ID_MAX } }],
      make: (sent) => (sent as number | undefined) ?? null,
    } as Field<number | null>,
  },
  rules: (record) => ({ ...comparisonFaults(record), ...filterFaults(record) }),
});

function fieldsNamed<const Name extends string, Value>(
  names: readonly Name[],
  field: Field<Value>,
): { readonly [Key in Name]: Field<Value> } {
  return Object.fromEntries(names.map((name) => [name, field])) as never;
}

function list(): Field<readonly string[] | null> {
  return {
    schema: nullable(listOf(string)),
    sent: [{ rule: { type: ['array', 'null'] } }],
    make: trimmedList,
    fault: (values) => (values === null ? '' : filterValueFault(values)),
  };
}

function valueOrList(): Field<string | readonly string[] | null> {
  const type: FieldSchema['type'] = ['string', 'array', 'null'];
  return {
    schema: either(VALUE, { type: 'null' }) as Schema<string | readonly string[] | null>,
    sent: [{ rule: { type } }],
    make: (sent) => {
      if (typeof sent === 'string') return sent.trim() || null;
      return trimmedList(sent);
    },
    fault: (values) => (values === null ? '' : filterValueFault(values)),
  };
}

/** All that the dashboard's address says, also what has no field here (D-10); absent where unset. */
function addressText(): Field<string> {
  const address = text({ lengthMax: VIEW_ADDRESS_LENGTH_MAX, absent: () => '' });
  const shown = { name: 'address', schema: string, isOptional: true } as const;
  return { ...address, shown: [{ ...shown, of: (value) => value || undefined }] };
}

/** What is no text stays, so that it is refused by name. */
function trimmedList(sent: unknown): readonly string[] | null {
  if (!Array.isArray(sent)) return null;
  const texts = sent.map((text: unknown) => (typeof text === 'string' ? text.trim() : text));
  return texts.some((text) => text !== '') ? (texts as string[]) : null;
}

/** A decimal text everywhere; requests may carry a number that JSON keeps whole. */
function decimalText(): Field<string | null> {
  return {
    schema: nullable(string),
    sent: [{ rule: { type: ['string', 'integer', 'null'] } }],
    make: (sent) => (sent === undefined ? null : String(sent).trim() || null),
    fault: (id) => {
      return id === null || isVisitorId(id) ? '' : 'must be a decimal number as statistics show it';
    },
  };
}

/** Of an ISO timestamp the date part (F-1). */
function normalDate(typed: string): string {
  const day = parseDay(typed);
  return day === null ? typed : formatDay(day);
}

function dateFault(date: string): string {
  return parseDay(date) === null ? DATE_MESSAGE : '';
}

function timeFault(time: string): string {
  return time === '' ? '' : clockTimeFault(time);
}

function optionalDate(): Field<string | null> {
  const date = text({ absent: () => '', normal: normalDate });
  return {
    schema: nullable(string),
    ...(date.sent === undefined ? {} : { sent: date.sent }),
    make: (sent, making) => date.make(sent, making) || null,
    fault: (day) => (day === null ? '' : dateFault(day)),
  };
}

function comparisonFaults({ compare, compareFrom, compareTo }: AnyRecord) {
  const needed = (date: unknown) =>
    compare === 'custom' && date === null ? 'is required with compare custom' : '';
  return { compare_from: needed(compareFrom), compare_to: needed(compareTo) };
}

/** Every value is read as a request's would be. */
function filterFaults(record: AnyRecord): Record<string, string> {
  const parameters = new Map<string, readonly string[]>();
  const faults: Record<string, string> = {};
  for (const name of [...LISTS, ...VALUES]) parameters.set(sentName(name), textsOf(record[name]));
  for (const [keys, values] of PAIRS) {
    const [known, wanted] = [textsOf(record[keys]), textsOf(record[values])];
    const surplus = `must not have more values than ${sentName(keys)}`;
    faults[sentName(keys)] = known.includes('') ? 'must not hold a blank key' : '';
    faults[sentName(values)] = wanted.length > known.length ? surplus : '';
  }
  const problems = new Map<string, string>();
  parseFilters(parametersOf(parameters), problems);
  return { ...faults, ...Object.fromEntries(problems) };
}

function sentName(name: string): string {
  return wireName(name, {});
}

/** The texts among some values; what is none is refused as what it is. */
function textsOf(values: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(values) ? values : [values];
  return list.filter((value) => typeof value === 'string');
}
