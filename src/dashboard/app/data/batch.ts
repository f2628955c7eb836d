/** All numbers of one view from one state of the data (D-14). */
import type { Operations } from '../../../client/operations.ts';
import { ApiError, call } from './api.ts';

type StatisticName<Key = keyof Operations> = Key extends `GET /api/v1/statistics/${infer Name}`
  ? Name
  : never;

/** A statistic that a batch may ask for. */
export type Statistic = StatisticName;
/** What it answers. */
export type StatisticOf<Name extends Statistic> =
  Operations[`GET /api/v1/statistics/${Name}`]['answer'];

/** One question of a batch: a statistic, and what differs from the rest of the batch. */
export interface Query {
  readonly name: Statistic;
  readonly [parameter: string]: unknown;
}

/** What came of one question. */
export type Result = { readonly answer: unknown } | { readonly error: ApiError };

/** Questions that one request takes. */
export const QUERIES_MAX = 50;

/** Where batches are asked. */
export const BATCH = '/api/v1/statistics/batch';

/** What a batch is asked with. */
export function batchBody(
  shared: Readonly<Record<string, unknown>>,
  queries: readonly Query[],
): Record<string, unknown> {
  return { ...shared, queries: queries.slice(0, QUERIES_MAX) };
}

/** What came of a batch. */
export interface BatchAnswer {
  /** Of the state that all results are from: while it stays no hit has come. */
  readonly position: number;
  /** In the order of the questions. */
  readonly results: readonly Result[];
}

/** Asks several questions about one domain at one moment. @throws ApiError. */
export async function askAll(
  shared: Readonly<Record<string, unknown>>,
  queries: readonly Query[],
  signal: AbortSignal,
): Promise<readonly Result[]> {
  return (await askState(shared, queries, signal)).results;
}

/** As `askAll`, and which moment it was. @throws ApiError. */
export async function askState(
  shared: Readonly<Record<string, unknown>>,
  queries: readonly Query[],
  signal: AbortSignal,
): Promise<BatchAnswer> {
  const body = batchBody(shared, queries);
  const answer = await call(`POST ${BATCH}`, {}, body, signal);
  const { position, results } = answer;
  return { position, results: results.map(resultOf) };
}

function resultOf(result: unknown): Result {
  const refused = result as { error?: string[]; validation?: Record<string, string> } | null;
  const isRefused =
    refused !== null &&
    typeof refused === 'object' &&
    !Array.isArray(refused) &&
    (Array.isArray(refused.error) || typeof refused.validation === 'object');
  if (!isRefused) return { answer: result };
  const { error = [], validation = {} } = refused;
  const faults = Object.entries(validation).map(([name, fault]) => `${name} ${fault}`);
  return { error: new ApiError(400, [...error, ...faults].join('; '), { validation }) };
}
