/**
 * The numbers of one site's view: asked together, kept until the next ones are there.
 *
 * While today is in the range the view is renewed when hits came, at most once every two seconds
 * (D-14). What was shown stays while something newer is asked for, so that nothing flickers.
 */
import { batch, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { AnswerOf } from '../data/api.ts';
import { ApiError } from '../data/api.ts';
import { askState, type Query, type Result } from '../data/batch.ts';
import { Latest } from '../data/latest.ts';
import { Renewal } from '../data/renewal.ts';
import { dayOf, dayText } from '../view/days.ts';
import { parametersOf } from '../view/filters.ts';
import { comparedSpan, isOpen, type Scale, type Span, scalesOf, spanOf } from '../view/range.ts';
import { askedSearch, type View, view } from '../view/view.ts';
import { language } from '../words/words.ts';
import { askCompared, type ComparedRows } from './panels/compared.ts';
import { panelQuestions } from './panels/questions.ts';

export type Domain = Exclude<AnswerOf<'GET /api/v1/domain'>, readonly unknown[]>;

/** What is on the page. */
export interface Shown {
  readonly view: View;
  readonly span: Span;
  readonly compared: Span | null;
  readonly scale: Scale;
  /** By the key of the question. */
  readonly results: ReadonlyMap<string, Result>;
  /** Panel → row → its number in the compared range. */
  readonly comparedRows: ComparedRows;
  /** Of the state of the data that all of them are from. */
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly tookMs: number;
}

const NO_ROWS: ComparedRows = new Map();
/** Without word of hits, a range that is open is looked at every few of these. */
const LOOK_MS = 10_000;
const LOOKS = 3;

/** One site's numbers, from now until `stop`. */
export class SiteData {
  readonly domain: Domain;
  readonly #shown = signal<Shown | null>(null);
  readonly #fault = signal<ApiError | null>(null);
  readonly #isAsking = signal(false);
  readonly #latest = new Latest();
  readonly #renewal = new Renewal(() => this.again());
  readonly #stops: (() => void)[] = [];
  #looks = 0;

  constructor(domain: Domain) {
    this.domain = domain;
    this.#stops.push(
      effect(() => {
        // What lies over the page changes the view, and nothing that is asked here.
        void askedSearch.value;
        void this.#ask(view.peek());
      }),
    );
    const look = setInterval(() => this.#look(), LOOK_MS);
    this.#stops.push(
      () => clearInterval(look),
      () => this.#renewal.stop(),
    );
  }

  /** The latest numbers; null before the first. */
  get shown(): ReadonlySignal<Shown | null> {
    return this.#shown;
  }

  /** Why the latest question was not answered; null: it was. */
  get fault(): ReadonlySignal<ApiError | null> {
    return this.#fault;
  }

  get isAsking(): ReadonlySignal<boolean> {
    return this.#isAsking;
  }

  /** Days and scale of a view. */
  spansOf(of: View): { span: Span; compared: Span | null; scale: Scale } {
    const start = this.domain.statistics_start;
    const calendar = {
      zone: this.domain.timezone,
      language,
      start: start === null ? null : dayOf(start.slice(0, 10)),
    };
    const span = spanOf(of.range, of.custom, calendar);
    const scales = scalesOf(span);
    const scale = of.scale !== '' && scales.includes(of.scale) ? of.scale : (scales[0] ?? 'day');
    return { span, compared: comparedSpan(span, of.comparison, of.comparedWith), scale };
  }

  /** Something came: the view is asked for again, now or when enough time has passed. */
  renew(): void {
    if (this.#mayHaveChanged()) this.#renewal.want();
  }

  /** What is shown stays as it is until something else is looked at, or goes on. */
  hold(isHeld: boolean): void {
    this.#renewal.hold(isHeld);
  }

  /** Asks at once. */
  again(): void {
    void this.#ask(view.peek());
  }

  stop(): void {
    this.#latest.cancel();
    for (const stop of this.#stops) stop();
  }

  /**
   * A hit can change the numbers of a filter that it does not pass itself: where its session goes on.
   * So a filtered view is looked at more often.
   */
  #look(): void {
    this.#looks++;
    if (view.peek().filters.length > 0 || this.#looks % LOOKS === 0) this.renew();
  }

  #mayHaveChanged(): boolean {
    const { span, compared } = this.spansOf(view.peek());
    const shown = this.#shown.peek()?.span;
    const zone = this.domain.timezone;
    // At midnight the range of a name becomes another one.
    const isOther = shown?.from !== span.from || shown?.to !== span.to;
    return isOther || isOpen(span, zone) || (compared !== null && isOpen(compared, zone));
  }

  async #ask(of: View): Promise<void> {
    const { span, compared, scale } = this.spansOf(of);
    const questions = questionsOf(of, { compared, scale });
    const shared = { ...sharedOf(this.domain.id, of), ...daysOf(span) };
    this.#renewal.began();
    this.#isAsking.value = true;
    const startMs = performance.now();
    try {
      const answer = await this.#latest.ask((signal) =>
        askState(shared, [...questions.values()], signal),
      );
      if (answer === null) return;
      const { position, results } = answer;
      const byKey = new Map([...questions.keys()].map((key, at) => [key, results[at] as Result]));
      const before = { ...shared, ...(compared === null ? {} : daysOf(compared)) };
      const comparedRows =
        compared === null
          ? NO_ROWS
          : await this.#latest.ask((signal) => askCompared(of, byKey, before, signal));
      if (comparedRows === null) return;
      this.#renewal.answered();
      batch(() => {
        this.#fault.value = null;
        this.#isAsking.value = false;
        const tookMs = performance.now() - startMs;
        const now = { atMs: Date.now(), tookMs };
        this.#shown.value = {
          view: of,
          span,
          compared,
          scale,
          results: byKey,
          comparedRows,
          position,
          ...now,
        };
      });
    } catch (error) {
      const fault = error instanceof ApiError ? error : new ApiError(0, String(error));
      this.#renewal.failed(fault);
      batch(() => {
        this.#fault.value = fault;
        this.#isAsking.value = false;
      });
    }
  }
}

/** What every question of a view has in common, but the days. */
export function sharedOf(id: string, of: View): Record<string, unknown> {
  return { id, ...parametersOf(of.filters) };
}

/** Days as parameters. */
export function daysOf({ from, to }: Span, of?: View): Record<string, string> {
  const times =
    of !== undefined && from === to ? { from_time: of.fromTime, to_time: of.toTime } : {};
  return { from: dayText(from), to: dayText(to), ...times };
}

function questionsOf(
  of: View,
  { compared, scale }: { compared: Span | null; scale: Scale },
): Map<string, Query> {
  const questions = new Map<string, Query>([
    ['total', { name: 'total' }],
    ['series', seriesOf(of, scale)],
    ['duration', { name: 'duration/session', scale: scaleWord(scale) }],
    ['growth', { name: 'growth' }],
  ]);
  if (compared !== null) {
    questions.set('compared total', { name: 'total', ...daysOf(compared) });
    questions.set('compared series', { ...seriesOf(of, scale), ...daysOf(compared) });
    questions.set('compared duration', {
      ...{ name: 'duration/session', scale: scaleWord(scale) },
      ...daysOf(compared),
    });
  }
  for (const [key, question] of panelQuestions(of)) questions.set(key, question);
  return questions;
}

function seriesOf(_of: View, scale: Scale): Query {
  if (scale === 'hour') return { name: 'hours' };
  if (scale === 'minute') return { name: 'minutes' };
  return { name: 'visitor', scale };
}

/** Durations know no hours. */
function scaleWord(scale: Scale): string {
  return scale === 'hour' || scale === 'minute' ? 'day' : scale;
}

/** An answer of what is shown; null: it failed, or was not asked. */
export function answerOf<Answer>(shown: Shown | null, key: string): Answer | null {
  const result = shown?.results.get(key);
  return result !== undefined && 'answer' in result ? (result.answer as Answer) : null;
}
