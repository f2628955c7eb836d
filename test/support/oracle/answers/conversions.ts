/**
 * The oracle's goals and funnels (S-63, A-50, A-51, A-70, A-72).
 *
 * Several sets of filters hold when each holds by itself, so what they select together is what every
 * one of them selects alone.
 */

import type { ModelGoal, ModelStep, ModelSum, World } from '../world.ts';
import { passesSearch, rowsOf, scopedEvents, viewsInRange } from './filters.ts';
import { addSums, filteredDimension, totalSums } from './imported.ts';
import { ordered, type Row } from './lists.ts';
import { allVisitors, eventTotals, hasCustomMetric, totals } from './metrics.ts';
import { listValues, type Question } from './question.ts';

type Values = Question['values'];

/** character by character. */
function expression(pathPattern: string): string {
  if (pathPattern.startsWith('^') || pathPattern.startsWith('(?')) return pathPattern;
  let text = '';
  for (let index = 0; index < pathPattern.length; index++) {
    const character = pathPattern.charAt(index);
    if (character === '*' && pathPattern.charAt(index + 1) === '*') {
      text += '.*';
      index++;
    } else if (character === '*') text += '[^/]*';
    else text += '.+?()|[]{}^$\\'.includes(character) ? `\\${character}` : character;
  }
  return `(?i)^${text}$`;
}

/** The filter parameters that a goal's conditions are. */
function valuesOf(goal: ModelGoal): Values {
  const values: Record<string, readonly string[]> = {};
  if (goal.path_pattern !== '') values.pattern = [expression(goal.path_pattern)];
  if (goal.event_name !== '') values.event = [goal.event_name];
  if (goal.event_meta_key !== '') values.event_meta_key = [goal.event_meta_key];
  if (goal.event_meta_value !== '') values[`meta_${goal.event_meta_key}`] = [goal.event_meta_value];
  return values;
}

/** What of one selection is in another one as well. */
function inBoth<Element>(left: readonly Element[], right: readonly Element[]): Element[] {
  const others = new Set(right);
  return left.filter((element) => others.has(element));
}

/** The figures of `total` under the request's filters and the goal's. */
function figuresOf(question: Question, world: World, goal: ModelGoal): Row {
  const asked: Question = { ...question, values: valuesOf(goal) };
  const event = question.values.event ?? asked.values.event;
  const own = {
    ...(event === undefined ? {} : { event }),
    custom_metric_key: [goal.custom_metric_key],
    custom_metric_type: [goal.custom_metric_type],
  };
  const hasOwn = goal.custom_metric_key !== '' && hasCustomMetric({ ...question, values: own });
  const metric = hasOwn ? { ...question, values: own } : question;
  if (!hasCustomMetric(metric)) {
    const rows = inBoth(rowsOf(question, world), rowsOf(asked, world));
    return addSums(totals(rows, allVisitors(question, world)), goalSums(question, asked, world));
  }
  const events = inBoth(scopedEvents(question, world), scopedEvents(asked, world));
  return eventTotals(metric, events, viewsInRange(question, world));
}

/** The sums of the goal's pages; anything else beside them leaves them out. */
function goalSums(question: Question, asked: Question, world: World): ModelSum[] {
  if (filteredDimension(question) === '') return totalSums(asked, world);
  if (filteredDimension(asked) === '') return totalSums(question, world);
  const all = [totalSums(question, world), totalSums(asked, world)] as const;
  const isOfOne = filteredDimension(question) === filteredDimension(asked);
  return isOfOne ? inBoth(...all) : [];
}

/** S-63. */
export function goals(question: Question, world: World, defined: readonly ModelGoal[]): unknown {
  const rows = defined.map((goal) => {
    const isOfMetric = goal.custom_metric_key !== '';
    const figures = figuresOf(question, world, goal);
    return {
      ...{ name: goal.name, isOfMetric },
      ...{ visitors: figures.visitors, views: figures.views, cr: figures.cr },
      custom_metric_avg: isOfMetric ? figures.custom_metric_avg : 0,
      custom_metric_total: isOfMetric ? figures.custom_metric_total : 0,
    };
  });
  const found = rows.filter(({ name }) => passesSearch(question, String(name)));
  return ordered(question, found, ['-visitors', 'name']).map((row) => {
    const { name, isOfMetric, custom_metric_avg, custom_metric_total, ...stats } = row;
    const metric = isOfMetric === true ? { custom_metric_avg, custom_metric_total } : {};
    return { page_goal: { name }, stats: { ...stats, ...metric } };
  });
}

/** */
export function funnel(question: Question, world: World, steps: readonly ModelStep[]): unknown {
  const own = rowsOf(question, world);
  let left = new Set(world.sessions);
  const visitors = steps.map(({ filter }) => {
    const values = listValues(filter);
    const rows = inBoth(own, rowsOf({ ...question, values }, world));
    left = new Set(inBoth([...left], [...new Set(rows.map(({ session }) => session))]));
    return new Set([...left].map(({ visitor }) => visitor)).size;
  });
  const part = (count: number, whole: number): number => (whole === 0 ? 0 : count / whole);
  const first = visitors[0] ?? 0;
  const data = visitors.map((count, index) => {
    if (index === 0) {
      const nothing = { relative_previous_visitors: 0, dropped: 0, drop_off: 0 };
      const own = { visitors: count, relative_visitors: part(count, first) };
      return { step: 1, ...own, previous_visitors: 0, ...nothing };
    }
    const before = visitors[index - 1] ?? 0;
    return {
      step: index + 1,
      visitors: count,
      relative_visitors: part(count, first),
      previous_visitors: before,
      relative_previous_visitors: part(before, first),
      dropped: before - count,
      drop_off: before === 0 ? 0 : 1 - count / before,
    };
  });
  return { data };
}
