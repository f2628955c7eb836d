/** Conversion goals: what visitors should come to do on a domain (A-50 to A-52, M-60). */
import { nullable, number, string } from '../../base/schema.ts';
import {
  DOMAIN_CHILD_COUNT_MAX,
  EVENT_NAME_LENGTH_MAX,
  GOAL_TARGET_COUNT_MAX,
  META_KEY_LENGTH_MAX,
  META_VALUE_LENGTH_MAX,
  NAME_LENGTH_MAX,
} from '../../model/limits.ts';
import { patternFault } from '../../query/question/path-pattern.ts';
import {
  choice,
  derived,
  flag,
  optionalText,
  reference,
  target,
  text,
} from '../descriptor/fields.ts';
import { defineResource, type Field, type RecordType } from '../descriptor/resource.ts';
import { READ_SHOWN, WRITE_DOMAINS } from './permissions.ts';

const METACHARACTERS = /[\\.+*?()|[\]{}^$]/g;
const WILDCARDS = /\\\*\\\*|\\\*/g;
const TARGET = { max: GOAL_TARGET_COUNT_MAX };

/** What a goal asks, and how much of it: what was reached of another one says nothing (M-60). */
const PROGRESS_OF = [
  ...['pattern', 'eventName', 'eventMetaKey', 'eventMetaValue'],
  ...['customMetricKey', 'customMetricType'],
  ...['visitorGoal', 'crGoal', 'customMetricTotalGoal', 'customMetricAvgGoal'],
];

/** From when progress is counted; records of earlier versions lack it: since they were made. */
const progressSince: Field<number> = {
  schema: number,
  isDerived: true,
  shown: [],
  make: (_, { draft, before, nowMs }) => {
    if (before === null || PROGRESS_OF.some((name) => before[name] !== draft[name])) return nowMs;
    return before['progressSinceMs'] as number;
  },
};

/** The condition is a pattern of paths, an event, or both; targets of 0 are none (A-52). */
export const goal = defineResource({
  name: 'goal',
  table: 'goals',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'goal',
    read: READ_SHOWN,
    change: WRITE_DOMAINS,
    listBy: { id: 'domainId' },
    creates: 'record',
    changes: { by: 'PUT', answers: 'record' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    name: text({ lengthMax: NAME_LENGTH_MAX }),
    pathPattern: optionalText({}),
    pattern: derived(nullable(string), ({ pathPattern }) =>
      typeof pathPattern === 'string' ? expressionOf(pathPattern) : null,
    ),
    eventName: optionalText({ lengthMax: EVENT_NAME_LENGTH_MAX }),
    eventMetaKey: optionalText({ lengthMax: META_KEY_LENGTH_MAX }),
    eventMetaValue: optionalText({ lengthMax: META_VALUE_LENGTH_MAX }),
    customMetricKey: optionalText({ lengthMax: META_KEY_LENGTH_MAX }),
    customMetricType: choice(['integer', 'float'], { absent: null }),
    visitorGoal: target({ ...TARGET, sentAs: 'visitors', isWhole: true }),
    // In percent.
    crGoal: target({ ...TARGET, sentAs: 'cr' }),
    customMetricTotalGoal: target(TARGET),
    customMetricAvgGoal: target(TARGET),
    deleteReached: flag(),
    emailReached: flag(),
    progressSinceMs: progressSince,
  },
  rules: ({ pattern, eventName, eventMetaKey, eventMetaValue, ...metric }) => {
    const hasNothing = pattern === null && eventName === null && eventMetaKey === null;
    const missing = hasNothing ? 'is required, or the other of path_pattern and event_name' : '';
    const isLost = eventMetaKey === null && eventMetaValue !== null;
    const hasNoType = metric.customMetricKey !== null && metric.customMetricType === null;
    return {
      path_pattern: pattern === null ? missing : patternFault(pattern),
      event_name: missing,
      event_meta_key: isLost ? 'is required with event_meta_value' : '',
      custom_metric_type: hasNoType ? 'must be integer or float with custom_metric_key' : '',
    };
  },
});

export type Goal = RecordType<typeof goal>;

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
