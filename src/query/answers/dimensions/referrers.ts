/**
 * Referrers by name, or by name and URL when one of them is filtered (S-50).
 */

import { KIND } from '../../../segment/memory/dictionary.ts';
import { PairIndex } from '../../../segment/memory/pair-index.ts';
import { aggregateOver } from '../../cache/cached-aggregate.ts';
import { sessionsInScope } from '../../count/session-scope.ts';
import { Tally, tallySessions } from '../../count/tally.ts';
import { ReferrerGroups } from '../../group/referrer-groups.ts';
import { importedRows } from '../../imported/imported-sums.ts';
import { type CountedGroups, withImported } from '../../imported/with-imported.ts';
import { type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { asc, desc, numbers, texts } from '../../question/statistics.ts';
import { REFERRERS as BY_NAME, breakdownOf } from '../../rollup/breakdowns.ts';
import { sharesOf } from '../../rollup/denominators.ts';
import { numberingIn } from '../../text/numberings.ts';
import { openTextSpace } from '../../text/text-space.ts';

export const REFERRERS: AnsweredStatistic = {
  name: 'referrer',
  unit: 'sessions',
  dimension: 'referrerName',
  fields: [
    ...texts('referrer', 'referrer_name', 'referrer_icon'),
    ...numbers('visitors', 'sessions', 'relative_visitors', 'bounces', 'bounce_rate'),
  ],
  order: [desc('visitors'), asc('referrer_name'), asc('referrer')],
  searched: ['referrer_name', 'referrer'],
  byRows: answerByRows,
  byRollups: answerByRollups,
  takesMetric: true,
  also: 'URLs',
};

function answerByRows(context: QueryContext): ListRow[] {
  const { query, run, plan } = context;
  const space = openTextSpace(query.domainId);
  const pairs = plan.byUrl ? numberingIn(space, 'referrers', () => new PairIndex()) : null;
  const { tally, groups } = aggregateOver(context, [], {
    empty: () => ({ tally: new Tally(), groups: new ReferrerGroups(space, pairs) }),
    copy: (sum) => ({ tally: sum.tally.copy(), groups: sum.groups.copy() }),
    bytes: (sum) => sum.tally.bytes + sum.groups.bytes,
    add: (segment, into) => {
      const sessions = sessionsInScope(context, segment);
      const grouped = into.groups.assign(segment, sessions, run);
      into.tally.reserve(into.groups.count);
      tallySessions(segment, sessions, grouped, { into: into.tally, run });
    },
  });
  const visitors = (group: number): number => tally.visitors[group] as number;
  const sessions = (group: number): number => tally.sessions[group] as number;
  const bounces = (group: number): number => tally.bounces[group] as number;
  const count = Math.min(groups.count, tally.sessions.length);
  return listed(context, {
    present: presentIn(tally.sessions, count),
    texts: {
      referrer: (group) => groups.urlOf(group),
      referrer_name: (group) => groups.nameOf(group),
      referrer_icon: (group) => groups.iconOf(group),
    },
    counts: { visitors, sessions, bounces },
  });
}

function answerByRollups(context: QueryContext): ListRow[] {
  const rows = breakdownOf(context, BY_NAME);
  const { space } = rows.ids;
  const [urls, icons] = [rows.reader('url'), rows.reader('icon')];
  return listed(context, {
    present: rows.present('sessions'),
    texts: {
      referrer: (at) => space.texts(KIND.referrer)[urls(at)] as string,
      referrer_name: rows.textReader(KIND.referrerName),
      referrer_icon: (at) => space.texts(KIND.referrerIcon)[icons(at)] as string,
    },
    counts: {
      visitors: rows.reader('visitors'),
      sessions: rows.reader('sessions'),
      bounces: rows.reader('bounces'),
    },
  });
}

type Counted = CountedGroups<
  'referrer' | 'referrer_name' | 'referrer_icon',
  'visitors' | 'sessions' | 'bounces'
>;

/** The rows, wherever their counts come from, with what imports add: they know names only (S-98). */
function listed(context: QueryContext, counted: Counted): ListRow[] {
  const imported = importedRows(context, 'referrer')
    .filter(({ visitors, sessions }) => visitors > 0 || sessions > 0)
    .map(({ value, visitors, sessions, bounces }) => ({
      texts: { referrer_name: value },
      counts: { visitors, sessions, bounces },
    }));
  const keys = ['referrer_name', ...(context.plan.byUrl ? ['referrer' as const] : [])] as const;
  const { present, texts, counts } = withImported(counted, imported, keys);
  const { visitors, sessions, bounces } = counts;
  const all = sharesOf(context).visitors;
  return listRows(context.statistic, context.query, {
    present,
    fields: {
      ...texts,
      ...counts,
      relative_visitors: (group) => rate(visitors(group), all),
      bounce_rate: (group) => rate(bounces(group), sessions(group)),
    },
  });
}
