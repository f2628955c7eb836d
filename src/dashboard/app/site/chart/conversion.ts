/** The goal that conversions are counted of (D-11): the one chosen, else the first. */
import type { StatisticOf } from '../../data/batch.ts';
import type { View } from '../../view/view.ts';

/** A goal with what reached it. */
export type GoalRow = StatisticOf<'goals'>[number];

/** A condition of a goal stands beside the filters; where they ask for the same, a line cannot say both. */
const TAKEN = ['path', 'pattern', 'event', 'event_meta_key'];

/** The goal of a view; undefined: there is none. */
export function goalOf(of: View, rows: readonly GoalRow[]): GoalRow | undefined {
  return rows.find(({ page_goal: { id } }) => id === of.goal) ?? rows[0];
}

/** Whether the conversion can be drawn with these filters. */
export function isDrawable({ filters }: View): boolean {
  return !filters.some(({ name }) => TAKEN.includes(name) || name.startsWith('meta_'));
}

/** The condition of the view's goal as parameters of a statistic (S-63); null: there is no goal. */
export function goalParameters(
  of: View,
  rows: readonly GoalRow[],
): Readonly<Record<string, string>> | null {
  const row = goalOf(of, rows);
  if (row === undefined || !isDrawable(of)) return null;
  const {
    pattern,
    event_name: event,
    event_meta_key: key,
    event_meta_value: value,
  } = row.page_goal;
  return {
    ...(pattern === null ? {} : { pattern }),
    ...(event === null ? {} : { event }),
    ...(key === null ? {} : { event_meta_key: key }),
    ...(key === null || value === null ? {} : { [`meta_${key}`]: value }),
  };
}
