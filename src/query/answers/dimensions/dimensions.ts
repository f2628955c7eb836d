/**
 * Visitors by the values of session dimensions: country, browser, utm, channel … (S-51, S-52, S-55).
 */

import { sessionsInScope } from '../../count/session-scope.ts';
import { tallySessions } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { ValueGroups } from '../../group/value-groups.ts';
import { type FieldValue, type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { BREAKDOWNS } from '../../question/statistics.ts';
import { breakdownOf, familyOf, sessionBreakdown } from '../../rollup/breakdowns.ts';
import { denominatorsOf } from '../../rollup/denominators.ts';
import { numberingIn } from '../../text/numberings.ts';
import { openTextSpace } from '../../text/text-space.ts';

/** One for each breakdown by session dimensions. */
export const DIMENSIONS: readonly AnsweredStatistic[] = BREAKDOWNS.map((shape) => ({
  ...shape,
  byRows: answerByRows,
  byRollups: answerByRollups,
  takesMetric: true,
}));

type Fields = Record<string, (group: number) => FieldValue>;

function answerByRows(context: QueryContext): ListRow[] {
  const { query, run, statistic } = context;
  const columns = statistic.columns ?? [];
  const space = openTextSpace(query.domainId);
  const groups = numberingIn(space, statistic.name, () => new ValueGroups(space, columns));
  const tally = tallyOver(context, [], 0, (segment, into) => {
    const sessions = sessionsInScope(context, segment);
    const grouped = groups.assign(segment, sessions, run);
    into.reserve(groups.count);
    tallySessions(segment, sessions, grouped, { into, run });
  });
  const fields = visitorFields(context, (group) => tally.visitors[group] as number);
  for (const [name, dimension] of columns) {
    fields[name] = (group) => groups.textOf(group, dimension);
  }
  const count = Math.min(groups.count, tally.visitors.length);
  return listRows(statistic, query, { present: presentIn(tally.visitors, count), fields });
}

function answerByRollups(context: QueryContext): ListRow[] {
  const { query, statistic } = context;
  const columns = statistic.columns ?? [];
  const family = familyOf([...new Set(columns.map(([, dimension]) => dimension))]);
  const rows = breakdownOf(context, sessionBreakdown(family.keys));
  const fields = visitorFields(context, rows.reader('visitors'));
  for (const [name, dimension] of columns) {
    const key = family.keys.indexOf(dimension);
    fields[name] = (at) => rows.ids.textOf(family, rows.groups[at] as number, key);
  }
  return listRows(statistic, query, { present: rows.present('visitors'), fields });
}

function visitorFields(context: QueryContext, visitors: (group: number) => number): Fields {
  const all = denominatorsOf(context).visitors;
  return { visitors, relative_visitors: (group) => rate(visitors(group), all) };
}
