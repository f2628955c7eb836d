/** A JSON Schema as a table that people read, and a value that fits it. */
import { element } from '../element.ts';
import type { Schema } from './operations.ts';

/**
 * The members of an object, nested ones below their owner; of anything else one line.
 *
 * @param isSent whether people write it: then it counts what is required.
 */
export function schemaView(schema: Schema, isSent: boolean): HTMLElement {
  const inner = schema.anyOf === undefined ? objectWithin(schema) : null;
  const line = element('p', { class: 'type' }, typeOf(schema));
  if (schema.anyOf !== undefined) {
    return element('div', {}, line, ...schema.anyOf.map((one) => schemaView(one, isSent)));
  }
  if (inner?.properties === undefined) return line;
  const rows = Object.entries(inner.properties).map(([name, member]) =>
    memberRow(name, member, isSent ? (inner.required?.includes(name) ?? false) : null),
  );
  return element('div', {}, line, element('dl', {}, ...rows.flat()));
}

/** @param isRequired null where nobody writes it. */
function memberRow(name: string, member: Schema, isRequired: boolean | null): HTMLElement[] {
  const within = member.anyOf === undefined ? objectWithin(member) : null;
  const hasMembers = within?.properties !== undefined;
  return [
    element('dt', {}, element('code', {}, name), isRequired ? element('b', {}, 'required') : null),
    element(
      'dd',
      {},
      hasMembers
        ? element(
            'details',
            {},
            element('summary', {}, typeOf(member)),
            schemaView(within, isRequired !== null),
          )
        : typeOf(member),
    ),
  ];
}

/** The object that a schema has, in lists and in maps too. */
function objectWithin(schema: Schema): Schema | null {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return objectWithin(schema.items);
  const { additionalProperties: members } = schema;
  return typeof members === 'object' ? objectWithin(members) : null;
}

/** In words: `list of integer`, `string or null, at most 200 characters`. */
export function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return `either ${schema.anyOf.map(typeOf).join(', or ')}`;
  const types = [schema.type ?? 'any value'].flat();
  const words = types.map((type) => (type === 'array' ? listWord(schema) : type));
  const limits = [
    schema.enum === undefined ? '' : `one of ${schema.enum.map(worded).join(', ')}`,
    schema.format ?? '',
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems}`,
    schema.minimum === undefined ? '' : `from ${schema.minimum}`,
    // The largest number that JSON carries exactly is no limit that anybody has to know.
    (schema.maximum ?? Number.MAX_SAFE_INTEGER) < Number.MAX_SAFE_INTEGER
      ? `to ${schema.maximum}`
      : '',
  ];
  return [words.join(' or '), ...limits.filter((limit) => limit !== '')].join(', ');
}

function listWord({ items }: Schema): string {
  return items === undefined ? 'list' : `list of ${typeOf(items)}`;
}

function worded(value: unknown): string {
  if (value === null) return 'null';
  return value === '' ? 'empty' : String(value);
}

/** A value with every member in it, for who begins with an empty form. */
export function sampleOf(schema: Schema): unknown {
  if (schema.anyOf?.[0] !== undefined) return sampleOf(schema.anyOf[0]);
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sampleOf(one)]),
      );
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(schema.items)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return '';
  }
}
