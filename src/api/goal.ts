/** GET and POST /api/v1/goal: the conversion goals of a domain (contract 4.10, A-50 to A-52). */
import { compileValidator } from '../base/validate.ts';
import type { Goal } from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import { BODY_BYTES_MAX, GOAL_TARGET_COUNT_MAX, INPUT_TEXT_LENGTH_MAX } from '../model/limits.ts';
import { parseQueryString } from '../query/question/parameters.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { Ports } from './ports.ts';
import { requestedDomain, visibleDomain } from './requested-domain.ts';

const PATH = '/api/v1/goal';
const REQUIRED_TEXT = {
  type: 'string',
  textLengthMax: INPUT_TEXT_LENGTH_MAX,
  notBlank: true,
} as const;
const TEXT = { type: ['string', 'null'], textLengthMax: INPUT_TEXT_LENGTH_MAX } as const;
const TARGET = { type: ['number', 'null'], minimum: 0, maximum: GOAL_TARGET_COUNT_MAX } as const;
const FLAG = { type: ['boolean', 'null'] } as const;

const validate = compileValidator({
  required: ['domain_id', 'name'],
  fields: {
    domain_id: REQUIRED_TEXT,
    name: REQUIRED_TEXT,
    path_pattern: TEXT,
    event_name: TEXT,
    event_meta_key: TEXT,
    event_meta_value: TEXT,
    custom_metric_key: TEXT,
    custom_metric_type: TEXT,
    visitors: { ...TARGET, type: ['integer', 'null'] },
    cr: TARGET,
    custom_metric_total_goal: TARGET,
    custom_metric_avg_goal: TARGET,
    delete_reached: FLAG,
    email_reached: FLAG,
  },
});

interface GoalBody {
  readonly domain_id: string;
  readonly name: string;
  readonly path_pattern?: string | null;
  readonly event_name?: string | null;
  readonly event_meta_key?: string | null;
  readonly event_meta_value?: string | null;
  readonly custom_metric_key?: string | null;
  readonly custom_metric_type?: string | null;
  readonly visitors?: number | null;
  readonly cr?: number | null;
  readonly custom_metric_total_goal?: number | null;
  readonly custom_metric_avg_goal?: number | null;
  readonly delete_reached?: boolean | null;
  readonly email_reached?: boolean | null;
}

/** The list of a domain's goals, and a new one. */
export const goalEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: PATH,
    scope: { area: 'domains', right: 'r' },
    allowsAccessKeys: false,
    needsReady: true,
    body: null,
    handle: listGoals,
  },
  {
    method: 'POST',
    path: PATH,
    scope: { area: 'domains', right: 'w' },
    allowsAccessKeys: false,
    needsReady: true,
    body: { bytesMax: BODY_BYTES_MAX, validate },
    handle: createGoal,
  },
];

/** The record of the contract, every field present. */
export function goalShape(goal: Goal): Readonly<Record<string, unknown>> {
  return {
    id: goal.id,
    def_time: new Date(goal.createdMs).toISOString(),
    mod_time: new Date(goal.modifiedMs).toISOString(),
    domain_id: goal.domainId,
    name: goal.name,
    path_pattern: goal.pathPattern,
    pattern: goal.pattern,
    event_name: goal.eventName,
    event_meta_key: goal.eventMetaKey,
    event_meta_value: goal.eventMetaValue,
    custom_metric_key: goal.customMetricKey,
    custom_metric_type: goal.customMetricType,
    visitor_goal: goal.visitorGoal,
    cr_goal: goal.crGoal,
    custom_metric_total_goal: goal.customMetricTotalGoal,
    custom_metric_avg_goal: goal.customMetricAvgGoal,
    delete_reached: goal.deleteReached,
    email_reached: goal.emailReached,
  };
}

function listGoals(call: Call, ports: Ports): string {
  const domain = requestedDomain(parseQueryString(call.query), call, ports);
  return JSON.stringify(ports.goals.ofDomain(domain.id).map(goalShape));
}

async function createGoal(call: Call, ports: Ports): Promise<string> {
  const body = call.body as GoalBody;
  const domain = visibleDomain(body.domain_id, call, ports);
  const goal = await ports.goals.create(
    {
      domainId: domain.id,
      name: body.name,
      pathPattern: body.path_pattern ?? '',
      eventName: body.event_name ?? '',
      eventMetaKey: body.event_meta_key ?? '',
      eventMetaValue: body.event_meta_value ?? '',
      customMetricKey: body.custom_metric_key ?? '',
      customMetricType: metricType(body.custom_metric_type ?? ''),
      visitorGoal: body.visitors ?? 0,
      crGoal: body.cr ?? 0,
      customMetricTotalGoal: body.custom_metric_total_goal ?? 0,
      customMetricAvgGoal: body.custom_metric_avg_goal ?? 0,
      deleteReached: body.delete_reached ?? false,
      emailReached: body.email_reached ?? false,
    },
    call.receivedMs,
  );
  return JSON.stringify(goalShape(goal));
}

/** Blank is unset (F-7). */
function metricType(text: string): 'integer' | 'float' | null {
  const type = text.trim();
  if (type === '') return null;
  if (type === 'integer' || type === 'float') return type;
  throw errors.VALIDATION_FAILED({
    validation: { custom_metric_type: 'must be integer or float' },
  });
}
