/** Decides of each row of a source whether it is imported, and keeps what is made of it in the stage. */
import { localDayOf, startOfLocalDayMs } from '../../base/zone.ts';
import { SUM_COUNT_MAX, SUM_DIMENSIONS, storedSum } from '../../model/imported-sum.ts';
import { HIT_TIME_MS_MIN } from '../../model/limits.ts';
import { type ImportedRow, type ImportedSum, ImportFault } from '../adapter.ts';
import { type NativeHits, packHit } from './native-hits.ts';
import type { StagedHits } from './portions.ts';
import type { Stage } from './stage.ts';

/** As many digits as a day of the year 9999 has. */
const DAY_DIGITS = 7;

/** What it needs of an import. */
export interface IntakeTask {
  readonly timezone: string;
  readonly fromDay: number | null;
  readonly toDay: number | null;
  readonly nativeMs: number;
}

/** The rows of one import. */
export class RowIntake {
  readonly #stage: Stage;
  readonly #hits: NativeHits;
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #fromDay: number;
  readonly #toDay: number;

  constructor(task: IntakeTask, stage: Stage, hits: NativeHits) {
    const { timezone, fromDay, toDay, nativeMs } = task;
    this.#stage = stage;
    this.#hits = hits;
    const fromMs = fromDay === null ? HIT_TIME_MS_MIN : startOfLocalDayMs(timezone, fromDay);
    this.#fromMs = Math.max(fromMs, HIT_TIME_MS_MIN);
    const endMs = toDay === null ? nativeMs : startOfLocalDayMs(timezone, toDay + 1);
    this.#toMs = Math.min(endMs, nativeMs);
    this.#fromDay = fromDay ?? 0;
    this.#toDay = Math.min(toDay ?? Number.POSITIVE_INFINITY, localDayOf(timezone, nativeMs) - 1);
  }

  /** @throws ImportFault. */
  take(row: ImportedRow): void {
    if ('dimension' in row) this.#takeSum(row);
    else if (!(row.at >= this.#fromMs && row.at < this.#toMs)) this.#skip(row);
    else if (row.kind === 'session') this.#keep(row.at, row.hits.map(packHit));
    else {
      const hit = this.#hits.of(row);
      if (hit === null) this.#stage.skip();
      else this.#keep(row.at, [packHit(hit)]);
    }
  }

  #keep(at: number, hits: StagedHits): void {
    this.#stage.addHits(at, hits);
  }

  #skip({ at, place }: { at: number; place: ImportedSum['place'] }): void {
    if (Number.isNaN(at)) throw new ImportFault(place, 'a time');
    this.#stage.skip();
  }

  #takeSum(row: ImportedSum): void {
    const sum = storedSum(row);
    const { day } = sum;
    if (Number.isNaN(day)) throw new ImportFault(row.place, 'a day like 2026-11-20', row.date);
    if (day < this.#fromDay || day > this.#toDay) {
      this.#stage.skip();
      return;
    }
    checkCounts(row);
    const place = String(day).padStart(DAY_DIGITS, '0');
    const dimension = String.fromCharCode(97 + SUM_DIMENSIONS.indexOf(sum.dimension));
    this.#stage.addSum(`${place}${dimension}${sum.country}\t${sum.value}`, sum, day);
  }
}

/** What nobody counted is a fault of the file: cut, it would be a number that nobody wrote. */
function checkCounts({ place, visitors, views, sessions, seconds = 0 }: ImportedSum): void {
  const most = Math.max(visitors, views, sessions, seconds);
  if (most > SUM_COUNT_MAX) throw new ImportFault(place, `at most ${SUM_COUNT_MAX}`, String(most));
}
