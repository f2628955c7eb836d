/**
 * Questions about a domain, from its record and what the registry has for a statistic: whoever
 * asks, over HTTP or from inside, is answered by the same (O-31).
 *
 * Control plane. Pure.
 */
import { localDayOf } from '../base/zone.ts';
import { errorBody, errors, OperatingError } from '../model/errors.ts';
import { findStatistic } from '../query/answers/statistics.ts';
import type { BatchEntry } from '../query/question/batch.ts';
import { goalQuestion } from '../query/question/conversions.ts';
import { givenValues, parametersOf } from '../query/question/parameters.ts';
import type { QueryRange } from '../query/question/range.ts';
import {
  parseStatisticsRequest,
  type RequestContext,
  type StatisticsQuery,
} from '../query/question/request.ts';
import type { Statistic } from '../query/question/statistics.ts';
import type { Look, Viewing } from './descriptor/resource.ts';
import { toWire } from './descriptor/wire.ts';
import { type Domain, domain } from './resources/domain.ts';
import { type Goal, goal } from './resources/goal.ts';
import { memberCount } from './roles.ts';

/**
 * What the registry has for a statistic of a domain: it travels with the question. A funnel is named by
 * whoever asks, so it is not in it.
 */
export function registeredOf(
  { carries }: Statistic,
  site: Domain,
  viewing: Viewing,
): NonNullable<RequestContext['registered']> {
  const { view } = viewing;
  if (carries === 'member count') return { memberCount: memberCount(view, site) };
  if (carries !== 'goals') return {};
  const goals = view.of(goal, 'domainId', site.id);
  return { goals: goals.map((record) => goalQuestion(record, toWire(goal, record, viewing))) };
}

/**
 * A question as a batch of the API has it: what follows /api/v1/statistics/, and its parameters.
 */
export interface SiteQuestion {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Instead of days: from this instant up to now, the hit of either included. */
  readonly sinceMs?: number;
  /** Instead of all goals of the domain. */
  readonly goal?: Goal;
}

/**
 * A question that the service asks for itself, as the API reads it.
 *
 * @param nowMs the moment that it is asked of: what "today" is, and where growth ends (S-72).
 * @returns in place of one that the API would refuse its refusal: a zone may have been changed.
 */
export function siteQuestion(
  { name, parameters = {}, sinceMs, goal: only }: SiteQuestion,
  site: Domain,
  { view, nowMs }: { readonly view: Look; readonly nowMs: number },
): BatchEntry {
  try {
    const statistic = findStatistic(name);
    if (statistic === undefined) throw errors.PATH_NOT_FOUND({ path: name });
    const days = sinceMs === undefined ? {} : ANY_DAYS;
    const values = parametersOf(givenValues(Object.entries({ ...days, ...parameters }), () => {}));
    const viewing = insideViewing(view);
    const registered =
      only === undefined
        ? registeredOf(statistic, site, viewing)
        : { goals: [goalQuestion(only, toWire(goal, only, viewing))] };
    const query = parseStatisticsRequest(statistic, values, { domain: site, nowMs, registered });
    return sinceMs === undefined ? query : { ...query, range: rangeSince(sinceMs, query, nowMs) };
  } catch (error) {
    if (!(error instanceof OperatingError)) throw error;
    return { refused: errorBody(error) };
  }
}

/** Of a question whose range is said by its instants. */
const ANY_DAYS = { from: '2000-01-01', to: '2000-01-01' };

/** Longer than a request may have it: goals stay for years. */
function rangeSince(
  startMs: number,
  { range: { zone } }: StatisticsQuery,
  nowMs: number,
): QueryRange {
  const [fromDay, toDay] = [localDayOf(zone, startMs), localDayOf(zone, nowMs)];
  return { zone, startMs, endMs: nowMs + 1, fromDay, toDay };
}

/** The service itself sees what the Owner of a domain does. */
function insideViewing(view: Look): Viewing {
  const roleOn: Viewing['roleOn'] = ({ kind }) => (kind === domain.name ? 'Owner' : null);
  return { view, userId: '', roleOn };
}
