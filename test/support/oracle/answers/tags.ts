/** The oracle's statistics of tags (S-64 to S-66). */

import type { World } from '../world.ts';
import { rowsOf } from './filters.ts';
import { atLeastOne, groupBy, ordered } from './lists.ts';
import { allSharing, allViews, visitorsOf } from './metrics.ts';
import { firstPlain, type Question } from './question.ts';

/** S-64. */
export function tags(question: Question, world: World): unknown {
  const totalVisitors = atLeastOne(allSharing(question, world));
  const rows = rowsOf(question, world);
  const totalViews = allViews(question, world);
  const keys = [...new Set(rows.flatMap((view) => Object.keys(view.tags)))];
  const groups = keys.map((key) => {
    const views = rows.filter((view) => key in view.tags);
    return {
      key,
      visitors: visitorsOf(views),
      views: views.length,
      relative_visitors: visitorsOf(views) / totalVisitors,
      relative_views: views.length / atLeastOne(totalViews),
    };
  });
  return ordered(question, groups, ['-visitors', 'key']);
}

/** S-65, S-66. */
export function tagDetails(question: Question, world: World): unknown {
  const key = firstPlain(question, 'tag');
  if (key === undefined) return [];
  const having = rowsOf(question, world).filter((view) => key in view.tags);
  const groups = groupBy(having, (view) => view.tags[key] ?? '').map(([value, views]) => ({
    ...{ key, value },
    visitors: visitorsOf(views),
    views: views.length,
    relative_visitors: visitorsOf(views) / atLeastOne(allSharing(question, world)),
    relative_views: views.length / atLeastOne(allViews(question, world)),
  }));
  return ordered(question, groups, ['-visitors', 'value']);
}
