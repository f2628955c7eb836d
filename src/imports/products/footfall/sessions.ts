/**
 * Sessions of an export of our own with their views and events: three files of a month, side by side.
 *
 * Rows of one session stand together and sessions have the same order in all of them, so a row that is
 * not of the session at hand is of a later one, or of none.
 */
import { DIMENSION_COLUMNS, PLATFORM_TEXTS } from '../../../exports/columns.ts';
import type { TextDimension } from '../../../model/dimensions.ts';
import type { Hit } from '../../../model/hit.ts';
import {
  hitOfEvent,
  hitOfSession,
  hitOfView,
  type StoredPage,
  type StoredVisitor,
} from '../../../model/stored-rows.ts';
import { type ImportedSession, ImportFault } from '../../adapter.ts';
import type { OwnRow } from './rows.ts';

/** The rows of the three files of a month; nothing where there is none. */
export interface MonthRows {
  readonly sessions: AsyncIterable<readonly OwnRow[]>;
  readonly views: AsyncIterable<readonly OwnRow[]>;
  readonly events: AsyncIterable<readonly OwnRow[]>;
}

/** The sessions of a month, in portions. @throws ImportFault. */
export async function* sessionsOf(month: MonthRows): AsyncGenerator<ImportedSession[]> {
  const views = new RowCursor(month.views);
  const events = new RowCursor(month.events);
  for await (const rows of month.sessions) {
    const sessions: ImportedSession[] = [];
    for (const row of rows) {
      const key = keyOf(row);
      const visitor = visitorOf(row);
      const hits: Hit[] = [sessionHit(row, visitor)];
      for (let view = await views.of(key); view !== null; view = await views.of(key)) {
        hits.push(hitOfView(visitor, { ...pageOf(view), pairs: view.pairs('tags') }));
      }
      for (let event = await events.of(key); event !== null; event = await events.of(key)) {
        hits.push(eventHit(event, visitor));
      }
      sessions.push({ kind: 'session', at: row.time('start'), hits, place: row.place });
    }
    yield sessions;
  }
  await views.end();
  await events.end();
}

/** Stands on a row until somebody takes it. */
class RowCursor {
  readonly #portions: AsyncIterator<readonly OwnRow[]>;
  #rows: readonly OwnRow[] = [];
  #at = 0;
  #key = '';

  constructor(portions: AsyncIterable<readonly OwnRow[]>) {
    this.#portions = portions[Symbol.asyncIterator]();
  }

  /** The next row, if it is of this session; null if it is not. */
  async of(key: string): Promise<OwnRow | null> {
    const row = this.#rows[this.#at] ?? (await this.#next());
    if (row === null) return null;
    if (this.#key === '') this.#key = keyOf(row);
    if (this.#key !== key) return null;
    this.#at++;
    this.#key = '';
    return row;
  }

  /** @throws ImportFault for a row that was of no session. */
  async end(): Promise<void> {
    const row = this.#rows[this.#at] ?? (await this.#next());
    if (row === null) return;
    const found = keyOf(row).replaceAll(' ', ', ');
    throw new ImportFault(
      row.place,
      'a session of the sessions of this month, in their order',
      found,
    );
  }

  async #next(): Promise<OwnRow | null> {
    for (;;) {
      const { value, done } = await this.#portions.next();
      if (done === true) return null;
      this.#rows = value;
      this.#at = 0;
      const [first] = this.#rows;
      if (first !== undefined) return first;
    }
  }
}

/** What tells sessions apart. */
function keyOf(row: OwnRow): string {
  const { low, high } = row.id('visitor_id');
  return `${row.day('day')} ${high}-${low} ${row.count('session_id')}`;
}

function visitorOf(row: OwnRow): StoredVisitor {
  return { day: row.day('day'), ...row.id('visitor_id') };
}

function sessionHit(row: OwnRow, visitor: StoredVisitor): Hit {
  const startMs = row.time('start');
  const lastMs = row.time('time');
  if (lastMs < startMs) {
    throw new ImportFault(row.place, "a time that is not before 'start' under 'time'");
  }
  const platform = PLATFORM_TEXTS.indexOf(row.text('platform'));
  if (platform < 0) {
    const known = PLATFORM_TEXTS.filter(Boolean).join(' or ');
    throw new ImportFault(
      row.place,
      `${known}, or nothing, under 'platform'`,
      row.text('platform'),
    );
  }
  const dimensions = DIMENSION_COLUMNS.map(([column, name]) => [name, row.text(column)]);
  return hitOfSession({
    ...(Object.fromEntries(dimensions) as Record<TextDimension, string>),
    ...{ visitor, startMs, lastMs, platform },
    ...{ entryPath: row.text('entry_path'), entryTitle: row.text('entry_title') },
    ...{ exitPath: row.text('exit_path'), exitTitle: row.text('exit_title') },
    ...{ pageViews: row.count('page_views'), isBounce: row.flag('is_bounce') },
    keepAlives: row.count('extended'),
  });
}

function eventHit(row: OwnRow, visitor: StoredVisitor): Hit {
  return hitOfEvent(visitor, {
    ...{ ...pageOf(row), pairs: row.pairs('meta') },
    ...{ name: row.text('name'), durationSeconds: row.count('duration_seconds') },
  });
}

function pageOf(row: OwnRow): Omit<StoredPage, 'pairs'> {
  return { timeMs: row.time('time'), path: row.text('path'), title: row.text('title') };
}
