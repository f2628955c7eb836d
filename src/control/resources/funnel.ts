/** Funnels: steps that visitors take on a domain, in order. */
import { randomAlphanumeric } from '../../base/random.ts';
import {
  either,
  exactly,
  integer,
  listOf,
  mapOf,
  number,
  string,
  type TypeOf,
} from '../../base/schema.ts';
import { codePointCount } from '../../base/validate.ts';
import {
  DOMAIN_CHILD_COUNT_MAX,
  ENTITY_ID_LENGTH,
  FUNNEL_STEP_COUNT_MAX,
  FUNNEL_STEP_COUNT_MIN,
  NAME_LENGTH_MAX,
} from '../../model/limits.ts';
import { stepFilterFault } from '../../query/question/conversions.ts';
import { reference, text } from '../descriptor/fields.ts';
import { type AnyRecord, defineResource, type Field } from '../descriptor/resource.ts';
import { TIMES, timesOf } from '../descriptor/wire.ts';
import { READ_SHOWN, WRITE_DOMAINS } from './permissions.ts';

/** Filter parameters, each with a value or several. */
const FILTER = mapOf(either(string, listOf(string)));
const STEP = exactly({
  ...{ id: string, createdMs: number, modifiedMs: number },
  ...{ name: string, filter: FILTER },
});
const STEPS = listOf(STEP);

type FunnelStep = TypeOf<typeof STEP>;

/** A step keeps its id while it keeps its place; answers number it and name the funnel. */
const steps: Field<TypeOf<typeof STEPS>> = {
  schema: STEPS,
  sent: [{ rule: { type: 'array' }, isRequired: true }],
  make: (sent, { before, nowMs }) =>
    draftSteps(sent as readonly unknown[], (before?.['steps'] ?? []) as FunnelStep[], nowMs),
  fault: stepsFault,
  shown: [
    {
      name: 'steps',
      schema: listOf(
        exactly({
          ...{ id: string, ...TIMES, funnel_id: string },
          ...{ name: string, step: integer, filter: FILTER },
        }),
      ),
      of: (value, funnelRecord) => stepsShown(value as FunnelStep[], funnelRecord),
    },
  ],
};

/** What `GET /statistics/funnel` counts. */
export const funnel = defineResource({
  name: 'funnel',
  table: 'funnels',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'funnel',
    read: READ_SHOWN,
    change: WRITE_DOMAINS,
    listBy: { id: 'domainId' },
    listAlsoAt: '/api/v1//api/v1/funnel',
    creates: 'record',
    changes: { by: 'PUT', answers: 'record' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    name: text({ lengthMax: NAME_LENGTH_MAX }),
    steps,
  },
});

/**
 * Steps of a record from what was sent, which may be anything: `stepsFault` refuses what is no step.
 * One more than is allowed is enough to be refused.
 */
function draftSteps(
  sent: readonly unknown[],
  before: readonly FunnelStep[],
  nowMs: number,
): FunnelStep[] {
  return sent.slice(0, FUNNEL_STEP_COUNT_MAX + 1).map((step, index) => {
    const { name, filter } = (step ?? {}) as { name?: unknown; filter?: unknown };
    const known = before[index];
    const drafted = {
      id: known?.id ?? randomAlphanumeric(ENTITY_ID_LENGTH),
      createdMs: known?.createdMs ?? nowMs,
      modifiedMs: nowMs,
      name: typeof name === 'string' ? name.trim() : ((name ?? '') as string),
      filter: filter as FunnelStep['filter'],
    };
    return known !== undefined && isSame(known, drafted) ? known : drafted;
  });
}

function isSame(left: FunnelStep, right: FunnelStep): boolean {
  return left.name === right.name && JSON.stringify(left.filter) === JSON.stringify(right.filter);
}

/** The first fault, and in which step. */
export function stepsFault(drafted: readonly { name: unknown; filter: unknown }[]): string {
  if (drafted.length < FUNNEL_STEP_COUNT_MIN || drafted.length > FUNNEL_STEP_COUNT_MAX) {
    return `must be a list of ${FUNNEL_STEP_COUNT_MIN} to ${FUNNEL_STEP_COUNT_MAX} steps`;
  }
  for (const [index, { name, filter }] of drafted.entries()) {
    const fault = stepNameFault(name) || stepFilterFault(filter);
    if (fault !== '') return `step ${index + 1} ${fault}`;
  }
  return '';
}

function stepNameFault(name: unknown): string {
  if (typeof name !== 'string') return 'must have a text as name';
  if (codePointCount(name) <= NAME_LENGTH_MAX) return '';
  return `must have at most ${NAME_LENGTH_MAX} characters`;
}

function stepsShown(kept: readonly FunnelStep[], funnelRecord: AnyRecord): unknown[] {
  return kept.map((step, index) => ({
    id: step.id,
    ...timesOf(step),
    funnel_id: funnelRecord.id,
    name: step.name,
    step: index + 1,
    filter: step.filter,
  }));
}
