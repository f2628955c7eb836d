/**
 * What answers show of a session: who it is and its dimensions (S-90, S-92).
 *
 * Control plane: only the sessions of a page are turned into texts.
 */

import { DIMENSION_ROWS, Platform } from '../../../model/dimensions.ts';
import { KIND } from '../../../segment/memory/dictionary.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import type { FieldValue } from '../../list/listing.ts';

/** The texts of a session that are shown, by their name in an answer. */
export const SHOWN_DIMENSIONS = DIMENSION_ROWS.flatMap(([name, { session }]) =>
  session === null ? [] : [[session, name] as const],
);

/** Reads one field of a session, given its row. */
export type SessionField = (segment: Segment, session: number) => FieldValue;

/** What both answers show of a session: who it is and its dimensions. */
export const SHARED_FIELDS: Readonly<Record<string, SessionField>> = {
  visitor_id: visitorIdOf,
  // I-34: unique for the visitor, since a visitor's sessions are in one segment.
  session_id: (_, session) => session + 1,
  ...Object.fromEntries(
    SHOWN_DIMENSIONS.map(([name, dimension]): [string, SessionField] => [
      name,
      ({ dictionary, sessions }, session) =>
        textOf(dictionary.texts(KIND[dimension]), sessions.at(dimension, session)),
    ]),
  ),
  desktop: ({ sessions }, session) => sessions.at('platform', session) === Platform.Desktop,
  mobile: ({ sessions }, session) => sessions.at('platform', session) === Platform.Mobile,
};

/** The shared fields of one session. */
export function sharedFields(segment: Segment, session: number): Record<string, FieldValue> {
  const fields: Record<string, FieldValue> = {};
  for (const [name, read] of Object.entries(SHARED_FIELDS)) fields[name] = read(segment, session);
  return fields;
}

/** the visitor's id as an unsigned decimal number. */
export function visitorIdOf(segment: Segment, session: number): string {
  const { sessions, visitors } = segment;
  const visitor = sessions.at('visitor', session);
  return String(
    (BigInt(visitors.at('high', visitor)) << 32n) | BigInt(visitors.at('low', visitor)),
  );
}

/** The text of an id. */
export function textOf(texts: readonly string[], id: number | undefined): string {
  return texts[id as number] as string;
}

/** The texts of some ids. */
export function textsOf(texts: readonly string[], ids: Uint32Array): string[] {
  return Array.from(ids, (id) => textOf(texts, id));
}

/** An instant as answers show it. */
export function timestampOf(timeMs: number | undefined): string {
  return new Date(timeMs as number).toISOString();
}
