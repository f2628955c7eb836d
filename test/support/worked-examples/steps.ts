/**
 * The steps that worked examples are told in: open a domain, send hits, check a statistic.
 *
 * `later` checks statistics that a bench may not have yet; a bench without them skips that check.
 */
import { expect } from 'vitest';
import type { Bench } from '../judge/bench.ts';
import type { RawParameters } from '../oracle/answers/question.ts';
import { Cast, parseNotation } from '../traffic/notation.ts';

/** One worked example, to be run on any bench. */
export interface WorkedExample {
  id: string;
  title: string;
  run: (open: () => Promise<Bench>) => Promise<void>;
}

export type Row = Record<string, unknown>;

/** A day of 2024, or a range of them. */
export function days(from: string, to = from): RawParameters {
  return { from: `2024-${from}`, to: `2024-${to}` };
}

/** The day of the notation's default date. */
export const DAY = days('05-06');

/** Sends a text and gives a bench on it. */
export async function site(
  open: () => Promise<Bench>,
  text: string,
  cast = new Cast(),
): Promise<Bench> {
  const bench = await open();
  await bench.send(parseNotation(text, cast));
  return bench;
}

/** A list statistic. */
export async function rows(bench: Bench, name: string, parameters: RawParameters): Promise<Row[]> {
  return (await bench.ask(name, parameters)) as Row[];
}

const ROUNDED = 4;

/** Rates are shown with four digits. */
export function expectClose(actual: unknown, wanted: number): void {
  expect(actual).toBeCloseTo(wanted, ROUNDED);
}

/** Checks `total` against the numbers of a table; undefined ones are not looked at. */
export async function expectTotal(
  bench: Bench,
  wanted: Readonly<Record<string, number>>,
  parameters: RawParameters = DAY,
): Promise<void> {
  const total = (await bench.ask('total', parameters)) as Record<string, number>;
  for (const [name, value] of Object.entries(wanted)) {
    expect({ [name]: total[name] }).toEqual({ [name]: expect.closeTo(value, ROUNDED) });
  }
}

/** Fields of every row, in the order given. */
export function pick(list: readonly Row[], ...names: string[]): unknown[][] {
  return list.map((row) => names.map((name) => row[name]));
}

/** The one session of the day, in `session/list`. */
export async function expectSession(
  bench: Bench,
  wanted: Row,
  parameters: RawParameters = DAY,
): Promise<void> {
  const list = await rows(bench, 'session/list', parameters);
  expect(list).toEqual([expect.objectContaining(wanted)]);
}

/** Means per bucket in `duration/session` and `duration/page`. */
export async function expectDurations(
  bench: Bench,
  wanted: { session?: number[]; page?: number[] },
  parameters: RawParameters = DAY,
): Promise<void> {
  for (const [name, values] of Object.entries(wanted)) {
    const list = await rows(bench, `duration/${name}`, parameters);
    expect(list.map((row) => row.average_time_spent_seconds)).toEqual(values);
  }
}

/** Time on page beside the page statistics. */
export const TIME = { include_avg_time_on_page: 'true' };
