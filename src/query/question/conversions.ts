/**
 * What a query carries from the registry: the goals of the domain, or a funnel, with their conditions.
 *
 * Control plane. The edge reads the records and makes filters of them; like those of the request these
 * are plain data and travel to the query threads. Here is also what a step's filter may be.
 */

import {
  INPUT_TEXT_LENGTH_MAX,
  META_KEY_LENGTH_MAX,
  PARAMETER_VALUE_COUNT_MAX,
} from '../../model/limits.ts';
import {
  type CustomMetric,
  isFilterParameter,
  parseFilters,
  type QueryFilters,
} from './filters.ts';
import { parametersOf } from './parameters.ts';

/** Filters of one step: parameter → value or values. */
export type StepFilter = Readonly<Record<string, string | readonly string[]>>;

/** What of a goal decides who has reached it (A-50, S-63). */
export interface GoalCondition {
  readonly name: string;
  readonly pattern: string | null;
  readonly eventName: string | null;
  readonly eventMetaKey: string | null;
  readonly eventMetaValue: string | null;
  readonly customMetricKey: string | null;
  readonly customMetricType: 'integer' | 'float' | null;
}

/** A goal as a query carries it: plain data. */
export interface GoalQuestion {
  /** The record as it is answered. */
  readonly shape: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly filters: QueryFilters;
  /** QueryContext while an event is asked for, by the goal or by the request (S-8). */
  readonly metric: CustomMetric | null;
}

/** What a goal asks. @param shape the record as it is answered. */
export function goalQuestion(
  goal: GoalCondition,
  shape: Readonly<Record<string, unknown>>,
): GoalQuestion {
  const values = new Map<string, readonly string[]>();
  const { pattern, eventName, eventMetaKey, eventMetaValue } = goal;
  if (pattern !== null) values.set('pattern', [pattern]);
  if (eventName !== null) values.set('event', [eventName]);
  if (eventMetaKey !== null) values.set('event_meta_key', [eventMetaKey]);
  if (eventMetaKey !== null && eventMetaValue !== null) {
    values.set(`meta_${eventMetaKey}`, [eventMetaValue]);
  }
  const { customMetricKey: key, customMetricType: type } = goal;
  return {
    shape,
    name: goal.name,
    // The registry took the goal, so nothing in it can be wrong.
    filters: parseFilters(parametersOf(values), new Map()),
    metric: key === null || type === null ? null : { key, type },
  };
}

/** A funnel as a query carries it: plain data. */
export interface FunnelQuestion {
  /** The record as it is answered. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly steps: readonly QueryFilters[];
}

/** Code points of a parameter's name: the longest is `meta_` with a key. */
const NAME_LENGTH_MAX = 'meta_'.length + META_KEY_LENGTH_MAX;

/** What a funnel asks. @param definition the record as it is answered. */
export function funnelQuestion(
  filters: readonly StepFilter[],
  definition: Readonly<Record<string, unknown>>,
): FunnelQuestion {
  const steps = filters.map((filter) => parseFilters(stepParameters(filter), new Map()));
  return { definition, steps };
}

/** What is wrong with the filter of a step as it was sent; '' when nothing is. */
export function stepFilterFault(sent: unknown): string {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return 'must have a filter: an object of filter parameters';
  }
  for (const [name, value] of Object.entries(sent)) {
    if (!isFilterParameter(name)) {
      return `must use filter parameters only; '${shortened(name)}' is none`;
    }
    if (Array.from(name).length > NAME_LENGTH_MAX) {
      return `must not name a key over ${META_KEY_LENGTH_MAX} characters`;
    }
    const fault = filterValueFault(value);
    if (fault !== '') return `${fault} in '${name}'`;
  }
  const problems = new Map<string, string>();
  parseFilters(stepParameters(sent as StepFilter), problems);
  for (const [name, text] of problems) return `must be changed: '${name}' ${text}`;
  return '';
}

/** What is wrong with what stands under the name of a filter: a text, or a list of them. */
export function filterValueFault(value: unknown): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length > PARAMETER_VALUE_COUNT_MAX) {
    return `must have at most ${PARAMETER_VALUE_COUNT_MAX} values`;
  }
  for (const text of values) {
    if (typeof text !== 'string') return 'must have a text or a list of texts';
    if (Array.from(text).length > INPUT_TEXT_LENGTH_MAX) {
      return `must have at most ${INPUT_TEXT_LENGTH_MAX} characters`;
    }
  }
  return '';
}

function shortened(name: string): string {
  return Array.from(name).slice(0, NAME_LENGTH_MAX).join('');
}

function stepParameters(filter: StepFilter) {
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(filter)) {
    values.set(name, typeof value === 'string' ? [value] : value);
  }
  return parametersOf(values);
}
