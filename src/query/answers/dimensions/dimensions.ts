/**
 * Visitors by the values of session dimensions: country, browser, utm, channel … (S-51, S-52, S-55).
 */

import type { TextDimension } from '../../../model/dimensions.ts';
import type { SumDimension } from '../../../model/imported-sum.ts';
import { sessionsInScope } from '../../count/session-scope.ts';
import { tallySessions } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { ValueGroups } from '../../group/value-groups.ts';
import { BREAKDOWN_SUMS } from '../../imported/imported-filter.ts';
import { importedRows } from '../../imported/imported-sums.ts';
import {
  type CountedGroups,
  type ImportedGroup,
  withImported,
} from '../../imported/with-imported.ts';
import { type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { BREAKDOWNS } from '../../question/statistics.ts';
import { breakdownOf, familyOf, sessionBreakdown } from '../../rollup/breakdowns.ts';
import { sharesOf } from '../../rollup/denominators.ts';
import { numberingIn } from '../../text/numberings.ts';
import { openTextSpace } from '../../text/text-space.ts';

/** One for each breakdown by session dimensions. */
export const DIMENSIONS: readonly AnsweredStatistic[] = BREAKDOWNS.map((shape) => ({
  ...shape,
  byRows: answerByRows,
  byRollups: answerByRollups,
  takesMetric: true,
}));

/** Of some dimensions there are sums. */
const IMPORTED: Partial<Record<TextDimension, SumDimension>> = BREAKDOWN_SUMS;

type Counted = CountedGroups<string, 'visitors'>;

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
  const texts = columns.map(
    ([name, dimension]) => [name, (group: number) => groups.textOf(group, dimension)] as const,
  );
  const count = Math.min(groups.count, tally.visitors.length);
  return listed(context, {
    present: presentIn(tally.visitors, count),
    texts: Object.fromEntries(texts),
    counts: { visitors: (group) => tally.visitors[group] as number },
  });
}

function answerByRollups(context: QueryContext): ListRow[] {
  const columns = context.statistic.columns ?? [];
  const family = familyOf([...new Set(columns.map(([, dimension]) => dimension))]);
  const rows = breakdownOf(context, sessionBreakdown(family.keys));
  const texts = columns.map(([name, dimension]) => {
    const key = family.keys.indexOf(dimension);
    const read = (at: number) => rows.ids.textOf(family, rows.groups[at] as number, key);
    return [name, read] as const;
  });
  return listed(context, {
    present: rows.present('visitors'),
    texts: Object.fromEntries(texts),
    counts: { visitors: rows.reader('visitors') },
  });
}

/** The rows of a breakdown, wherever its counts come from, with what imports add. */
function listed(context: QueryContext, counted: Counted): ListRow[] {
  const { statistic, query } = context;
  const keys = (statistic.columns ?? []).map(([name]) => name);
  const { present, texts, counts } = withImported(counted, importedGroups(context), keys);
  const { visitors } = counts;
  const all = sharesOf(context).visitors;
  const relative = (group: number) => rate(visitors(group), all);
  return listRows(statistic, query, {
    present,
    fields: { ...texts, visitors, relative_visitors: relative },
  });
}

function importedGroups(context: QueryContext): ImportedGroup<string, 'visitors'>[] {
  const { columns = [], dimension: own } = context.statistic;
  const dimension = IMPORTED[own as TextDimension];
  // A version is nothing that a sum of browsers tells.
  const isTold = columns.every(([, of]) => of === own || of === 'country' || of === 'region');
  if (dimension === undefined || !isTold) return [];
  return importedRows(context, dimension)
    .filter(({ visitors }) => visitors > 0)
    .map(({ value, country, visitors }) => {
      const texts: Record<string, string> = {};
      for (const [name, of] of columns) {
        if (of === own) texts[name] = value;
        else if (of === 'country') texts[name] = country;
      }
      return { texts, counts: { visitors } };
    });
}
