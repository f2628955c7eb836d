/**
 * What rates are taken of: the totals of the range without any filter (S-5, S-6, S-43), of what the
 * question may see at all.
 *
 * Control plane. The plan says whether they come from pre-aggregates or from rows.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { type Totals, totalsUnder } from '../count/totals.ts';
import { importedWhole } from '../imported/imported-sums.ts';
import type { QueryContext } from '../plan/query-context.ts';
import { isInside } from '../plan/selection.ts';
import { NO_FILTERS, wholeOf } from '../question/filters.ts';
import { totalsOver } from './totals.ts';

/** Unfiltered totals of whole segments, as long as they get no further page views. */
const wholeTotals = new WeakMap<Segment, Totals>();

/**
 * T_v, T_w and the sessions of the range. `bounces` is not set.
 *
 * @cost from rows: a pass over the segments that the range cuts; the rest is remembered.
 */
export function denominatorsOf(context: QueryContext): Totals {
  const { segments, query, plan } = context;
  if (plan.denominators === 'rollups') return totalsOver(segments, query.range);
  if (query.within !== null) return totalsUnder(context, wholeOf(query));
  const sum = { visitors: 0, views: 0, sessions: 0, bounces: 0 };
  for (const segment of segments) {
    const { visitors, views, sessions } = countedTotals(context, segment);
    sum.visitors += visitors;
    sum.views += views;
    sum.sessions += sessions;
  }
  return sum;
}

/** The same with what imports add to it: of what shares are taken (S-98), but not cr. */
export function sharesOf(context: QueryContext): Totals {
  const own = denominatorsOf(context);
  if (context.imported === null) return own;
  const { visitors, views, sessions } = importedWhole(context);
  return {
    ...own,
    visitors: own.visitors + visitors,
    views: own.views + views,
    sessions: own.sessions + sessions,
  };
}

function countedTotals(context: QueryContext, segment: Segment): Totals {
  const isWhole = isInside(segment, context.query.range);
  const known = isWhole ? wholeTotals.get(segment) : undefined;
  // Page views are only ever appended, so their number tells whether the totals still hold.
  if (known?.views === segment.views.rowCount) return known;
  const totals = totalsUnder({ ...context, segments: [segment] }, NO_FILTERS);
  if (isWhole) wholeTotals.set(segment, totals);
  return totals;
}
