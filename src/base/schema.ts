/**
 * JSON Schemas as plain data that carry the type they describe: one definition for both.
 *
 * The type is a phantom: at run time a schema is the JSON that `validate.ts` compiles and OpenAPI
 * shows, and nothing else. Only the few forms that the contract's objects need (src/DECISIONS.md 50).
 */

declare const TYPE: unique symbol;

/** A schema of values of a type. */
export interface Schema<Type = unknown> {
  readonly [keyword: string]: unknown;
  /** Never there. */
  readonly [TYPE]?: Type;
}

/** The type that a schema describes. */
export type TypeOf<S> = S extends Schema<infer Type> ? Type : never;

/** A schema of an object, with what it says of its members. */
export interface ObjectOf<Type = unknown> extends Schema<Type> {
  readonly properties: Members;
  readonly required: readonly string[];
}

type Members = Readonly<Record<string, Schema>>;

export const string: Schema<string> = { type: 'string' };
export const number: Schema<number> = { type: 'number' };
export const integer: Schema<number> = { type: 'integer' };
export const boolean: Schema<boolean> = { type: 'boolean' };
/** ISO 8601 in UTC, with fraction. */
export const timestamp: Schema<string> = { type: 'string', format: 'date-time' };
/** Whatever members a client gave it. */
export const anyObject: Schema<Readonly<Record<string, unknown>>> = { type: 'object' };

/** The same or null. @param schema with one `type`. */
export function nullable<Type>(schema: Schema<Type>): Schema<Type | null> {
  const { enum: words } = schema as { enum?: readonly unknown[] };
  const type = [schema['type'], 'null'];
  return { ...schema, type, ...(words === undefined ? {} : { enum: [...words, null] }) };
}

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Schema<Word> {
  return { type: 'string', enum: words };
}

/** A list of any length. */
export function listOf<Type>(items: Schema<Type>): Schema<readonly Type[]> {
  return { type: 'array', items };
}

/** An object whose members may have any name. */
export function mapOf<Type>(members: Schema<Type>): Schema<Readonly<Record<string, Type>>> {
  return { type: 'object', additionalProperties: members };
}

/** A value of either form. */
export function either<A, B>(first: Schema<A>, second: Schema<B>): Schema<A | B> {
  return { anyOf: [first, second] };
}

/** An object with exactly these members, all of them there. */
export function exactly<const M extends Members>(
  members: M,
): ObjectOf<{ readonly [Name in keyof M]: TypeOf<M[Name]> }> {
  return {
    type: 'object',
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  };
}
