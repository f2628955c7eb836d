/**
 * POST /api/v1/statistics/batch: what a page of statistics shows, from one state of the data (D-14).
 *
 * A question is what the GET of its name takes, and is answered like it: its body, or its error in its
 * place. What is wrong with the request as a whole is refused as a whole.
 */
import { monotonicMs } from '../../base/clock.ts';
import { exactly, integer, listOf, type Schema, string } from '../../base/schema.ts';
import { errorBody, errors, OperatingError } from '../../model/errors.ts';
import { asDomainId } from '../../model/ids.ts';
import {
  STATISTICS_BATCH_BODY_BYTES_MAX,
  STATISTICS_BATCH_QUESTION_COUNT_MAX,
  STATISTICS_BATCH_TURN_MS,
} from '../../model/limits.ts';
import { findStatistic } from '../../query/answers/statistics.ts';
import type { BatchEntry } from '../../query/question/batch.ts';
import {
  givenValues,
  overlaid,
  parametersOf,
  type QueryParameters,
} from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { type Asked, requestedDomain } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { json } from '../presets.ts';
import { Problems } from '../problems.ts';
import { READS_STATISTICS, statisticsQuery } from './statistics.ts';

/** As a parameter of the query stands in JSON; in a list it means any of the values. */
const VALUE: Schema = {
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
  ],
};

const QUESTION: Schema = {
  type: 'object',
  properties: { name: { ...string, description: 'What follows /api/v1/statistics/.' } },
  required: ['name'],
  additionalProperties: VALUE,
};

const BODY: Schema = {
  type: 'object',
  properties: {
    id: { ...string, description: 'The id of a domain.' },
    queries: {
      ...{ type: 'array', minItems: 1, maxItems: STATISTICS_BATCH_QUESTION_COUNT_MAX },
      items: QUESTION,
    },
  },
  required: ['id', 'queries'],
  additionalProperties: VALUE,
};

const ANSWER = exactly({
  position: { ...integer, minimum: 0 },
  results: listOf({ description: 'As the GET of the name answers, or its error.' }),
});

/** Not a parameter of statistics, though it stands beside them. */
const QUERIES = 'queries';
const NAME = 'name';
const DOMAIN = 'id';

/** One of the questions as it was sent. */
interface SentQuestion {
  readonly name: string;
  /** Its own, which stand for those of the batch, and the batch's. */
  readonly parameters: QueryParameters;
}

export const batchEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/statistics/batch',
    summary: 'Several statistics of a domain from one state of the data, with shared parameters.',
    auth: READS_STATISTICS,
    isReading: true,
    needsReady: true,
    parameters: [],
    body: {
      ...{ kind: 'json', bytesMax: STATISTICS_BATCH_BODY_BYTES_MAX, validate: null, schema: BODY },
    },
    answer: json(ANSWER),
    handle: readBatch,
  },
];

async function readBatch(call: Call, ports: Ports): Promise<Uint8Array> {
  const asked: Asked = { call, ports, role: 'Viewer' };
  const { shared, questions } = readBody(call.body);
  const domain = requestedDomain(asked, shared);
  const batch = { asked, questions };
  let { entries, mayBeNew } = await entriesOf(batch);
  // A funnel may have been made on another node a moment ago (M-5).
  if (mayBeNew && (await ports.registry.lookAgain()))
    ({ entries, mayBeNew } = await entriesOf(batch));
  return ports.statistics.batch(asDomainId(domain.id), entries, call);
}

/** Reads what all questions ask; others have their turns in between. */
async function entriesOf(batch: {
  readonly asked: Asked;
  readonly questions: readonly SentQuestion[];
}): Promise<{ entries: BatchEntry[]; mayBeNew: boolean }> {
  const entries: BatchEntry[] = [];
  let mayBeNew = false;
  let endMs = monotonicMs() + STATISTICS_BATCH_TURN_MS;
  for (const question of batch.questions) {
    if (monotonicMs() >= endMs) {
      await new Promise(setImmediate);
      endMs = monotonicMs() + STATISTICS_BATCH_TURN_MS;
    }
    try {
      entries.push(entryOf(question, batch.asked));
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      mayBeNew ||= error.mayBeNew;
      entries.push({ refused: errorBody(error) });
    }
  }
  return { entries, mayBeNew };
}

function entryOf({ name, parameters }: SentQuestion, asked: Asked): BatchEntry {
  const statistic = findStatistic(name);
  if (statistic === undefined) {
    throw errors.PATH_NOT_FOUND({ path: `/api/v1/statistics/${name}` });
  }
  return statisticsQuery({ statistic, isSdk: false }, parameters, asked);
}

/** @throws VALIDATION_FAILED naming what is no batch of 1 to 50 questions. */
function readBody(body: unknown): { shared: QueryParameters; questions: SentQuestion[] } {
  const problems = new Problems();
  const sent = isObject(body) ? body : {};
  const shared = valuesOf(sent, '', problems);
  const { [QUERIES]: list } = sent;
  const queries = Array.isArray(list) ? list : [];
  if (!isObject(body)) problems.add('body', 'must be an object');
  else if (queries.length < 1 || queries.length > STATISTICS_BATCH_QUESTION_COUNT_MAX) {
    const most = STATISTICS_BATCH_QUESTION_COUNT_MAX;
    problems.add(QUERIES, `must be a list of 1 to ${most} queries`);
  }
  const questions = problems.isEmpty
    ? queries.map((query, index) => readQuestion(query, shared, { index, problems }))
    : [];
  if (!problems.isEmpty) throw problems.error();
  return { shared: parametersOf(shared), questions };
}

function readQuestion(
  sent: unknown,
  shared: ReadonlyMap<string, readonly string[]>,
  { index, problems }: { index: number; problems: Problems },
): SentQuestion {
  const at = `${QUERIES}.${index}`;
  const query = isObject(sent) ? sent : {};
  const { [NAME]: name } = query;
  if (!isObject(sent)) problems.add(at, 'must be an object');
  else if (typeof name !== 'string') problems.add(`${at}.${NAME}`, 'must be a string');
  if (DOMAIN in query)
    problems.add(`${at}.${DOMAIN}`, 'stands beside the queries, for all of them');
  const own = valuesOf(query, `${at}.`, problems);
  return { name: String(name), parameters: overlaid(own, shared) };
}

/** The parameters among the members of an object, by name. */
function valuesOf(
  sent: Readonly<Record<string, unknown>>,
  prefix: string,
  problems: Problems,
): Map<string, readonly string[]> {
  const members = Object.entries(sent).filter(([name]) => name !== QUERIES && name !== NAME);
  return givenValues(members, (name, message) => problems.add(`${prefix}${name}`, message));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
