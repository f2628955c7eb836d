/** What endpoints have in common: who may call, bodies and answers by their schema. */
import { exactly, type Schema, string } from '../base/schema.ts';
import {
  compileValidator,
  describedObject,
  type FieldSchema,
  type ObjectSchema,
} from '../base/validate.ts';
import type { Permission } from '../control/descriptor/resource.ts';
import { BODY_BYTES_MAX, INPUT_TEXT_LENGTH_MAX } from '../model/limits.ts';
import { MANAGERS, type Role, type ScopeArea, USERS } from '../model/rights.ts';
import type { AnswerRule, Auth, BodyRule, Endpoint, Parameter } from './endpoint.ts';

/** Reads, and takes no body. */
export const READS = { method: 'GET', needsReady: true, body: null } as const;

/** Whoever watches the process, or has no credentials yet. */
export const PUBLIC = { auth: null, parameters: [] } as const;

/** Whoever manages, with a scope and a role on the object it names. */
export function managers(area: ScopeArea, right: 'r' | 'w', role: Role | null): Auth {
  return { callers: MANAGERS, scopes: [{ area, right }], role };
}

/** Users only, clients of one domain not. */
export function users(area: ScopeArea, right: 'r' | 'w', role: Role | null): Auth {
  return { callers: USERS, scopes: [{ area, right }], role };
}

/** A user on its own account, whatever the scopes of its client are. */
export function self(): Auth {
  return { callers: USERS, scopes: [], role: null };
}

/** Signed-in people: what is about their sessions. */
export const PERSONS: Auth = { callers: ['person'], scopes: [], role: null };

/** What a body may carry as a password: taken as it is typed, never trimmed. */
export const PASSWORD: FieldSchema = { type: 'string', textLengthMax: INPUT_TEXT_LENGTH_MAX };
/** The same, where it may be left out. */
export const PASSWORD_OR_NONE: FieldSchema = { ...PASSWORD, type: ['string', 'null'] };

/** What a resource's descriptor says of who may use it. */
export function authOf({ scopes, role, callers = MANAGERS }: Permission): Auth {
  return { callers, scopes, role };
}

/** A JSON object as body. @param described what clients are told of it; default: what is checked. */
export function jsonBody(
  schema: ObjectSchema,
  described: Schema = describedObject(schema),
): BodyRule {
  const validate = compileValidator(schema);
  return { kind: 'json', bytesMax: BODY_BYTES_MAX, validate, schema: described };
}

/** A JSON answer. */
export function json(schema: Schema): AnswerRule {
  return { kind: 'json', status: 200, schema };
}

/** What is answered where there is nothing to say. */
export const NOTHING = exactly({});

/** A parameter that has to be there. */
export function required(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: string, isRequired: true };
}

/** A parameter that may be left out. */
export function optional(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: string };
}

/** The same endpoint at a path where pirsch-sdk asks: it doubles the prefix (DECISIONS, on funnels). */
export function aliasAt(path: string, endpoint: Endpoint): Endpoint {
  return { ...endpoint, path, isAlias: true };
}
