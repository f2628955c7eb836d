/**
 * What a goal and a funnel may hold (A-50 to A-52, A-70, A-71): each rule says what to change.
 *
 * Control plane. The names of the faults are those of the request's fields, so that one answer tells
 * a client everything that is wrong.
 */
import { codePointCount } from '../base/validate.ts';
import type { Funnel, Goal } from '../model/entities.ts';
import {
  EVENT_NAME_LENGTH_MAX,
  FUNNEL_STEP_COUNT_MAX,
  FUNNEL_STEP_COUNT_MIN,
  META_KEY_LENGTH_MAX,
  META_VALUE_LENGTH_MAX,
  NAME_LENGTH_MAX,
} from '../model/limits.ts';
import { stepFilterFault } from '../query/question/conversions.ts';
import { patternFault } from '../query/question/path-pattern.ts';

const METACHARACTERS = /[\\.+*?()|[\]{}^$]/g;
const WILDCARDS = /\\\*\\\*|\\\*/g;

/**
 * The regular expression of a path with wildcards (A-50): `/blog/*` → `(?i)^/blog/[^/]*$`.
 *
 * @returns what begins like a regular expression as it is (A-51).
 */
export function expressionOf(pathPattern: string): string {
  if (pathPattern.startsWith('^') || pathPattern.startsWith('(?')) return pathPattern;
  const literal = pathPattern.replace(METACHARACTERS, '\\$&');
  const body = literal.replace(WILDCARDS, (stars) => (stars.length > 2 ? '.*' : '[^/]*'));
  return `(?i)^${body}$`;
}

/** By field of the request; '' where nothing is wrong. */
export function goalFaults(goal: Goal): Readonly<Record<string, string>> {
  const { pattern, eventName, eventMetaKey, eventMetaValue, customMetricKey } = goal;
  const hasNothing = pattern === null && eventName === null && eventMetaKey === null;
  const missing = hasNothing ? 'is required, or the other of path_pattern and event_name' : '';
  const isLost = eventMetaKey === null && eventMetaValue !== null;
  const hasNoType = customMetricKey !== null && goal.customMetricType === null;
  return {
    name: titleFault(goal.name),
    path_pattern: pattern === null ? missing : patternFault(pattern),
    event_name: missing || lengthFault(eventName, EVENT_NAME_LENGTH_MAX),
    event_meta_key: isLost
      ? 'is required with event_meta_value'
      : lengthFault(eventMetaKey, META_KEY_LENGTH_MAX),
    event_meta_value: lengthFault(eventMetaValue, META_VALUE_LENGTH_MAX),
    custom_metric_key: lengthFault(customMetricKey, META_KEY_LENGTH_MAX),
    custom_metric_type: hasNoType ? 'must be integer or float with custom_metric_key' : '',
  };
}

/** By field of the request; '' where nothing is wrong. */
export function funnelFaults({ name, steps }: Funnel): Readonly<Record<string, string>> {
  return { name: titleFault(name), steps: stepsFault(steps) };
}

/** Steps may still be anything a client sent: the first fault, and in which step. */
function stepsFault(steps: readonly { name: unknown; filter: unknown }[]): string {
  if (steps.length < FUNNEL_STEP_COUNT_MIN || steps.length > FUNNEL_STEP_COUNT_MAX) {
    return `must be a list of ${FUNNEL_STEP_COUNT_MIN} to ${FUNNEL_STEP_COUNT_MAX} steps`;
  }
  for (const [index, { name, filter }] of steps.entries()) {
    const nameFault =
      typeof name === 'string' ? lengthFault(name, NAME_LENGTH_MAX) : 'must have a text as name';
    const fault = nameFault || stepFilterFault(filter);
    if (fault !== '') return `step ${index + 1} ${fault}`;
  }
  return '';
}

function titleFault(name: string): string {
  return name === '' ? 'must not be blank' : lengthFault(name, NAME_LENGTH_MAX);
}

function lengthFault(text: string | null, lengthMax: number): string {
  if (text === null || codePointCount(text) <= lengthMax) return '';
  return `must have at most ${lengthMax} characters`;
}
