/** GET /api/v1/statistics/…: one endpoint per row of the table of statistics (contract 4.4). */
import type { Domain } from '../../model/entities.ts';
import { errors } from '../../model/errors.ts';
import { STATISTICS } from '../../query/answers/statistics.ts';
import {
  type FunnelQuestion,
  funnelQuestion,
  goalQuestion,
} from '../../query/question/conversions.ts';
import {
  firstValue,
  parseQueryString,
  type QueryParameters,
} from '../../query/question/parameters.ts';
import { parseStatisticsRequest, type RequestContext } from '../../query/question/request.ts';
import type { Statistic } from '../../query/question/statistics.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { funnelShape, visibleFunnel } from '../manage/funnel.ts';
import { goalShape } from '../manage/goal.ts';
import { requestedDomain, requiredValue } from '../manage/requested-domain.ts';
import type { Ports } from '../ports.ts';

/** pirsch-sdk puts the prefix in front of a path that has it already (src/DECISIONS.md, on funnels). */
const SDK_FUNNEL_PATH = '/api/v1//api/v1/statistics/funnel';

/** All of them read the domain named by `id` and answer what the query says. */
export const statisticsEndpoints: readonly Endpoint[] = STATISTICS.flatMap((statistic) => {
  const path = `/api/v1/statistics/${statistic.name}`;
  const paths = statistic.carries === 'funnel' ? [path, SDK_FUNNEL_PATH] : [path];
  return paths.map((known) => endpointAt(known, statistic));
});

function endpointAt(path: string, statistic: Statistic): Endpoint {
  const isSdk = path === SDK_FUNNEL_PATH;
  return {
    method: 'GET',
    path,
    scope: { area: 'statistics', right: 'r' },
    allowsAccessKeys: false,
    needsReady: true,
    body: null,
    ...(statistic.context === undefined ? {} : { context: statistic.context }),
    handle: (call: Call, ports: Ports) => readStatistic({ statistic, isSdk }, call, ports),
  };
}

/** What was asked for, and whether where pirsch-sdk asks. */
interface Asked {
  readonly statistic: Statistic;
  readonly isSdk: boolean;
}

function readStatistic(asked: Asked, call: Call, ports: Ports): Promise<Uint8Array> {
  const { statistic, isSdk } = asked;
  const parameters = parseQueryString(call.query);
  const domain = requestedDomain(parameters, call, ports);
  const context: RequestContext = { domain, nowMs: call.receivedMs };
  const registered = registeredFor(statistic, { parameters, domain, isSdk }, call, ports);
  const query = parseStatisticsRequest(statistic, parameters, { ...context, registered });
  if (query.isExplained && call.credential?.domainId !== null) throw errors.EXPLAIN_LIMITED({});
  return ports.statistics.run(query, call);
}

/** What the registry has for a statistic: it travels with the query. */
function registeredFor(
  { carries }: Statistic,
  request: FunnelRequest,
  call: Call,
  ports: Ports,
): NonNullable<RequestContext['registered']> {
  const { domain } = request;
  switch (carries) {
    case 'goals': {
      const goals = ports.goals.ofDomain(domain.id);
      return { goals: goals.map((goal) => goalQuestion(goal, goalShape(goal))) };
    }
    case 'funnel':
      return { funnel: requestedFunnel(request, call, ports) };
    case 'member count':
      return { memberCount: ports.access.memberCount(domain) };
    default:
      return {};
  }
}

interface FunnelRequest {
  readonly parameters: QueryParameters;
  readonly domain: Domain;
  readonly isSdk: boolean;
}

/** A-72; a funnel of another domain is an unknown one. */
function requestedFunnel(request: FunnelRequest, call: Call, ports: Ports): FunnelQuestion {
  const { parameters, domain, isSdk } = request;
  // The package leaves funnel_id out, so that where it asks the only funnel is meant.
  const [only, ...others] = isSdk ? ports.funnels.ofDomain(domain.id) : [];
  const isMeant = firstValue(parameters, 'funnel_id') === undefined && others.length === 0;
  const funnelId =
    isMeant && only !== undefined
      ? only.id
      : requiredValue(parameters, 'funnel_id', 'the id of a funnel');
  const funnel = visibleFunnel(funnelId, call, ports);
  if (funnel.domainId !== domain.id) throw errors.FUNNEL_NOT_FOUND({ funnelId });
  const filters = funnel.steps.map(({ filter }) => filter);
  return funnelQuestion(filters, funnelShape(funnel));
}
