/**
 * Makes answers about single sessions comparable: the oracle has no ids of the service's making.
 *
 * Ids and what the oracle does not know are left out; sessions of one time and start, whose order
 * hangs on the ids, are put into an order of their own.
 */
import type { RawParameters } from '../oracle/answers/question.ts';

type Row = Record<string, unknown>;

const UNKNOWN_TO_THE_ORACLE = ['visitor_id', 'session_id', 'referrer_icon'];

/** The rows of `session/list` in a canonical order, and whether they came in order (S-90). */
export function comparableSessions(answer: unknown): unknown {
  const rows = answer as Row[];
  const keyOf = (row: Row): string => `${row.time} ${row.start}`;
  const keys = rows.map(keyOf);
  const texts = rows.map((row) => `${keyOf(row)} ${JSON.stringify(sorted(row))}`);
  return {
    isOrdered: keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') <= key),
    rows: texts.sort(),
  };
}

/** The fields both know, by name. */
function sorted(row: Row): [string, unknown][] {
  return Object.entries(row)
    .filter(([name]) => !UNKNOWN_TO_THE_ORACLE.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Pairs of ids, the service's and the oracle's, of sessions that no other one looks like. */
export function sessionIds(answer: unknown, wanted: unknown): [RawParameters, RawParameters][] {
  const textOf = (row: Row): string => JSON.stringify(sorted(row));
  const idsOf = ({ visitor_id, session_id }: Row): RawParameters => ({
    visitor_id: String(visitor_id),
    session_id: Number(session_id),
  });
  const rows = answer as Row[];
  return (wanted as Row[]).flatMap((row): [RawParameters, RawParameters][] => {
    const alike = rows.filter((other) => textOf(other) === textOf(row));
    return alike.length === 1 ? [[idsOf(alike[0] as Row), idsOf(row)]] : [];
  });
}

/** The items of `session/details` as texts. */
export function comparableDetails(answer: unknown): string[] {
  return (answer as { page_view: Row | null; event: Row | null }[]).map((item) =>
    JSON.stringify([item.page_view, item.event].map((row) => row && sorted(row))),
  );
}
