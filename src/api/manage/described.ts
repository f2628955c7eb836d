/** What clients are told of the bodies of a resource's requests, and whom such a body names. */
import type { Schema } from '../../base/schema.ts';
import { describedObject } from '../../base/validate.ts';
import { type Moment, sentParts, sentSchema } from '../../control/descriptor/draft.ts';
import {
  type Field,
  isStored,
  type Resource,
  storedFields,
} from '../../control/descriptor/resource.ts';
import type { RecordRequest } from '../../control/records.ts';

/**
 * The body of a request with the limits of the fields: the check of a body alone is wider, since
 * texts are counted when they are trimmed.
 *
 * @param hasId whether an `id` turns it into a change.
 */
export function describedSent(resource: Resource, moment: Moment, hasId: boolean): Schema {
  const described = describedObject(sentSchema(resource, moment));
  const properties: Record<string, Schema> = { ...described.properties };
  for (const [name, field] of storedFields(resource)) {
    for (const { name: sent } of sentParts(name, field, moment)) {
      properties[sent] = { ...properties[sent], ...limitsOf(field) };
    }
  }
  if (hasId) properties['id'] = { type: ['string', 'null'] };
  return { ...described, properties };
}

function limitsOf({ lengthMax, schema }: Field): Schema {
  const { enum: words } = schema;
  return {
    ...(lengthMax === undefined ? {} : { maxLength: lengthMax }),
    // A blank is unset.
    ...(Array.isArray(words) && words.includes(null) ? { enum: [...words, ''] } : {}),
  };
}

/** The id that a request to make a record gives one of its owners by; undefined when it gives none. */
export function ownerSent(resource: Resource, name: string, request: RecordRequest): unknown {
  const field = resource.fields[name];
  if (field === undefined || !isStored(field)) return undefined;
  const [part] = sentParts(name, field, 'create');
  const id = part === undefined ? request.userId : request.sent[part.name];
  return typeof id === 'string' && id.trim() === '' ? undefined : id;
}
