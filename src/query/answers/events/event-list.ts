/**
 * Events by name and all of their metadata, whatever the order of its keys (S-62).
 */

import { KIND } from '../../../segment/memory/dictionary.ts';
import { PairIndex } from '../../../segment/memory/pair-index.ts';
import { eventsInScope, tallyEvents } from '../../count/event-scope.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { groupByComposite } from '../../group/composite-groups.ts';
import { MetadataSets } from '../../group/metadata-sets.ts';
import { type ListRow, listRows, presentIn } from '../../list/listing.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { WorkingWords } from '../../plan/query-run.ts';
import { gather } from '../../plan/selection.ts';
import { asc, desc, numbers, texts } from '../../question/statistics.ts';
import { breakdownOf, EVENT_SETS } from '../../rollup/breakdowns.ts';
import { numberingIn } from '../../text/numberings.ts';
import { openTextSpace, spaceIds } from '../../text/text-space.ts';
import { EVENT_SHAPE } from './events.ts';

/** Working arrays. */
const EVENT_NAMES = new WorkingWords();
const META_SETS = new WorkingWords();
const EVENT_GROUPS = new WorkingWords();

export const EVENT_LIST: AnsweredStatistic = {
  ...EVENT_SHAPE,
  name: 'event/list',
  fields: [...texts('name'), { name: 'meta', type: 'object' }, ...numbers('visitors', 'count')],
  order: [desc('count'), asc('name'), asc('meta')],
  byRows: answerByRows,
  byRollups: answerByRollups,
};

function answerByRows(context: QueryContext): ListRow[] {
  const { query, run } = context;
  const space = openTextSpace(query.domainId);
  const sets = numberingIn(space, 'metadata', () => new MetadataSets(space));
  const pairs = numberingIn(space, 'events with metadata', () => new PairIndex());
  const tally = tallyOver(context, ['event list'], 0, (segment, into) => {
    const selection = eventsInScope(context, segment);
    if (selection.count === 0) return;
    const { count } = selection;
    const columns = {
      firsts: gather(selection, segment.events.columns.name, run, EVENT_NAMES),
      seconds: sets.assign(segment, selection, META_SETS.raw(run, count)),
      count,
    };
    const maps = { firsts: spaceIds(space, segment, KIND.eventName), seconds: null };
    const groups = EVENT_GROUPS.raw(run, count);
    const grouped = { selection, ...groupByComposite(columns, maps, pairs, groups) };
    into.reserve(pairs.count);
    tallyEvents(segment, grouped, into, context);
  });
  const setOf = (group: number) => pairs.seconds[group] as number;
  return listRows(context.statistic, query, {
    present: presentIn(tally.rows, Math.min(pairs.count, tally.rows.length)),
    fields: {
      name: (group) => space.texts(KIND.eventName)[pairs.firsts[group] as number] as string,
      meta: (group) => sets.objectOf(setOf(group)),
      visitors: (group) => tally.visitors[group] as number,
      count: (group) => tally.rows[group] as number,
    },
    orders: { meta: (group) => sets.jsonOf(setOf(group)) },
  });
}

function answerByRollups(context: QueryContext): ListRow[] {
  const rows = breakdownOf(context, EVENT_SETS);
  const { groups, ids } = rows;
  const { eventSets, metaSets, space } = ids;
  const names = space.texts(KIND.eventName);
  const setOf = (at: number): number => eventSets.seconds[groups[at] as number] as number;
  const nameOf = (at: number): number => eventSets.firsts[groups[at] as number] as number;
  return listRows(context.statistic, context.query, {
    present: rows.present('count'),
    fields: {
      name: (at) => names[nameOf(at)] as string,
      meta: (at) => metaSets.objectOf(setOf(at)),
      visitors: rows.reader('visitors'),
      count: rows.reader('count'),
    },
    orders: { meta: (at) => metaSets.jsonOf(setOf(at)) },
  });
}
