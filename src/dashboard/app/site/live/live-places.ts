/**
 * Where the active visitors are and where they came from (D-15).
 *
 * The stream says who is active and on which pages; this is asked for beside it, in the batch of the
 * view where that is asked for anyway.
 */
import type { Query, Result } from '../../data/batch.ts';
import type { Row } from '../panels/tab.ts';

/** Active visitors, and the pages they are on. */
export interface Active {
  readonly visitors: number;
  readonly stats: readonly {
    readonly path: string;
    readonly title: string;
    readonly visitors: number;
  }[];
}

/** What is known of the active visitors beside their pages. */
export interface Whereabouts {
  /** As the statistic `country` answers. */
  readonly countries: readonly Row[];
  /** As `referrer` answers. */
  readonly sources: readonly Row[];
  /** Who was active at that moment; null: it is not known. */
  readonly active: Active | null;
  /** When it was asked, by `performance.now()`. */
  readonly askedMs: number;
}

/** Rows of sources; all countries are asked for, since the map shows them. */
const SOURCE_ROWS = 20;

/** The questions, which `whereaboutsOf` reads in this order. @param start of the site, in seconds. */
export function placeQuestions(start: number): readonly Query[] {
  const window = { start, from: [], to: [], from_time: [], to_time: [] };
  return [
    { name: 'country', ...window },
    { name: 'referrer', limit: SOURCE_ROWS, ...window },
    { name: 'active', ...window },
  ];
}

/** What came of them. @param askedMs when they were asked. */
export function whereaboutsOf(results: readonly Result[], askedMs: number): Whereabouts {
  const [countries = [], sources = [], active = null] = results.map((result) =>
    'answer' in result ? result.answer : undefined,
  );
  return { countries, sources, active, askedMs } as Whereabouts;
}

/** Whether the stream says nothing that these places do not have yet: it tells the first pages alone. */
export function isOfSame({ active }: Whereabouts, told: Active): boolean {
  if (active === null || active.visitors !== told.visitors) return false;
  const { length } = told.stats;
  return JSON.stringify(active.stats.slice(0, length)) === JSON.stringify(told.stats);
}
