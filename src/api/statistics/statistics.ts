/** GET /api/v1/statistics/…: one endpoint per row of the table of statistics. */
import { toWire } from '../../control/descriptor/wire.ts';
import { keywordsOf } from '../../control/keywords.ts';
import { pinnedFilters } from '../../control/link-bounds.ts';
import type { Domain } from '../../control/resources/domain.ts';
import { funnel, stepsFault } from '../../control/resources/funnel.ts';
import { registeredOf } from '../../control/site-questions.ts';
import { errors } from '../../model/errors.ts';
import { NO_KEYWORDS } from '../../model/keywords.ts';
import { READERS } from '../../model/rights.ts';
import { shownKeywords } from '../../query/answers/keywords.ts';
import { STATISTICS } from '../../query/answers/statistics.ts';
import {
  type FunnelQuestion,
  funnelQuestion,
  type StepFilter,
} from '../../query/question/conversions.ts';
import {
  firstValue,
  parseQueryString,
  type QueryParameters,
} from '../../query/question/parameters.ts';
import {
  parseStatisticsRequest,
  type RequestContext,
  type StatisticsQuery,
} from '../../query/question/request.ts';
import type { Statistic } from '../../query/question/statistics.ts';
import type { Answer, Auth, Call, Endpoint } from '../endpoint.ts';
import {
  type Asked,
  permittedRecord,
  requestedDomain,
  requiredValue,
  viewingOf,
} from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { aliasAt, json, READS } from '../presets.ts';
import { answerSchema } from './answers.ts';
import { parametersOf } from './parameters.ts';

/**
 * pirsch-sdk puts the prefix in front of a path that has it already (src/DECISIONS.md, on funnels).
 */
const SDK_FUNNEL_PATH = '/api/v1//api/v1/statistics/funnel';

/** Whoever sees what the page of a dashboard shows. */
export const READS_STATISTICS: Auth = {
  ...{ callers: READERS, scopes: [{ area: 'statistics', right: 'r' }], role: 'Viewer' },
};

/** All of them read the domain named by `id` and answer what the query says. */
export const statisticsEndpoints: readonly Endpoint[] = STATISTICS.flatMap((statistic) => {
  const endpoint = endpointOf(statistic, false);
  if (statistic.carries !== 'funnel') return [endpoint];
  return [endpoint, aliasAt(SDK_FUNNEL_PATH, endpointOf(statistic, true))];
});

function endpointOf(statistic: Statistic, isSdk: boolean): Endpoint {
  return {
    ...READS,
    path: `/api/v1/statistics/${statistic.name}`,
    summary: `The statistic ${statistic.name} of a domain.`,
    auth: READS_STATISTICS,
    parameters: parametersOf(statistic),
    answer: json(answerSchema(statistic)),
    handle: (call: Call, ports: Ports) => readStatistic({ statistic, isSdk }, call, ports),
  };
}

/** What was asked for, and whether where pirsch-sdk asks. */
interface Question {
  readonly statistic: Statistic;
  readonly isSdk: boolean;
}

async function readStatistic(question: Question, call: Call, ports: Ports): Promise<Answer> {
  const asked: Asked = { call, ports, role: 'Viewer' };
  const query = statisticsQuery(question, parseQueryString(call.query), asked);
  const body = await ports.statistics.run(query, call);
  const isWithout =
    question.statistic.carries === 'keywords' && keywordsOf(ports, query.domainId) === null;
  return isWithout ? { body, headers: NO_CONSOLE } : body;
}

/** An array has no place for it (src/DECISIONS.md, on keywords). */
const NO_CONSOLE = {
  'X-Context': JSON.stringify({ search_console: 'no keywords of a search console are imported' }),
};

/**
 * What a request asks of the query threads.
 *
 * @throws what refuses it: VALIDATION_FAILED, EXPLAIN_LIMITED, and what `requestedDomain` throws.
 */
export function statisticsQuery(
  question: Question,
  parameters: QueryParameters,
  asked: Asked,
): StatisticsQuery {
  const { call } = asked;
  const domain = requestedDomain(asked, parameters);
  const registered = registeredFor(question, { parameters, domain }, asked);
  const within = pinnedFilters(call.credential?.pinned ?? null);
  const context = { domain, nowMs: call.receivedMs, registered, within };
  const query = parseStatisticsRequest(question.statistic, parameters, context);
  if (query.isExplained && call.credential?.domainId !== null) throw errors.EXPLAIN_LIMITED({});
  if (question.statistic.carries !== 'keywords') return query;
  const table = keywordsOf(asked.ports, domain.id) ?? NO_KEYWORDS;
  return { ...query, keywords: shownKeywords(query, table) };
}

interface Request {
  readonly parameters: QueryParameters;
  readonly domain: Domain;
}

/** What the registry has for a statistic: it travels with the query. */
function registeredFor(
  question: Question,
  request: Request,
  asked: Asked,
): NonNullable<RequestContext['registered']> {
  const { statistic } = question;
  if (statistic.carries === 'funnel') return { funnel: requestedFunnel(question, request, asked) };
  return registeredOf(statistic, request.domain, viewingOf(asked));
}

/** A-72; a funnel of another domain is an unknown one. */
function requestedFunnel({ isSdk }: Question, request: Request, asked: Asked): FunnelQuestion {
  const { parameters, domain } = request;
  const typed = firstValue(parameters, 'steps') ?? '';
  if (typed !== '' && firstValue(parameters, 'funnel_id') === undefined) {
    return typedFunnel(typed, request, asked);
  }
  // The package leaves funnel_id out, so that where it asks the only funnel is meant.
  const all = isSdk ? asked.ports.records.list(funnel, 'domainId', domain.id) : [];
  const [only, ...others] = all;
  const isMeant = firstValue(parameters, 'funnel_id') === undefined && others.length === 0;
  const id =
    isMeant && only !== undefined
      ? only.id
      : requiredValue(parameters, 'funnel_id', 'the id of a funnel');
  const found = permittedRecord(asked, funnel, id);
  if (found.domainId !== domain.id) throw errors.RECORD_NOT_FOUND({ kind: funnel.name, id });
  const filters = found.steps.map(({ filter }) => filter);
  return funnelQuestion(filters, toWire(funnel, found, viewingOf(asked)));
}

/** A funnel that nobody has saved, so that its figures are seen while it is typed (D-19). */
function typedFunnel(typed: string, { domain }: Request, asked: Asked): FunnelQuestion {
  const sent = stepsIn(typed);
  const drafted = (sent ?? []).map((step) => {
    const { name = '', filter } = (step ?? {}) as { name?: unknown; filter?: unknown };
    return { name, filter };
  });
  const fault = sent === null ? 'must be a list of steps, as JSON' : stepsFault(drafted);
  if (fault !== '') throw errors.VALIDATION_FAILED({ validation: { steps: fault } });
  const times = { createdMs: asked.call.receivedMs, modifiedMs: asked.call.receivedMs };
  const steps = drafted.map(({ name, filter }) => ({
    ...{ id: '', ...times, name: name as string, filter: filter as StepFilter },
  }));
  const draft = { id: '', ...times, domainId: domain.id, name: '', steps };
  const filters = steps.map(({ filter }) => filter);
  return funnelQuestion(filters, toWire(funnel, draft, viewingOf(asked)));
}

function stepsIn(typed: string): unknown[] | null {
  try {
    const sent: unknown = JSON.parse(typed);
    return Array.isArray(sent) ? sent : null;
  } catch {
    return null;
  }
}
