/**
 * The numbers of one site's view: asked together, kept until the next ones are there.
 *
 * While today is in the range the view is renewed when hits came, at most once every two seconds
 * (D-14). What was shown stays while something newer is asked for, so that nothing flickers.
 */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { AnswerOf } from '../data/api.ts';
import { ApiError, faultOf, sentMs } from '../data/api.ts';
import { askAll, type Query, type Result } from '../data/batch.ts';
import { Latest } from '../data/latest.ts';
import { Renewal } from '../data/renewal.ts';
import { parametersOf } from '../view/filters.ts';
import { type Frame, isOpen, type Scale, type Span } from '../view/range.ts';
import { askedSearch, type View, view } from '../view/view.ts';
import { language } from '../words/language.ts';
import { type Asked, askView } from './ask-view.ts';
import { type GoalRow, goalParameters, isDrawable } from './chart/conversion.ts';
import { NoteList } from './chart/note-list.ts';
import { frameParameters } from './chart/parameters.ts';
import { chartQuestions } from './chart/questions.ts';
import { type Frames, framesOf } from './frames.ts';
import { isSamePart, keptFields, keptOf } from './kept.ts';
import {
  type Active,
  isOfSame,
  placeQuestions,
  type Whereabouts,
  whereaboutsOf,
} from './live/live-places.ts';
import type { ComparedRows } from './panels/compared.ts';
import { panelQuestions } from './panels/questions.ts';

export type Domain = Exclude<AnswerOf<'GET /api/v1/domain'>, readonly unknown[]>;

/** What is on the page. */
export interface Shown {
  readonly view: View;
  /** Of all but the chart. */
  readonly span: Frame;
  readonly compared: Span | null;
  readonly scale: Scale;
  /** All ranges of the view. */
  readonly frames: Frames;
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

const NO_RESULTS: ReadonlyMap<string, Result> = new Map();
/** Without word of hits, a range that is open is looked at every few of these. */
const LOOK_MS = 10_000;
const LOOKS = 3;

/** One site's numbers, from now until `stop`. */
export class SiteData {
  readonly domain: Domain;
  /** What happened to the site, told on its chart. */
  readonly notes: NoteList;
  readonly #shown = signal<Shown | null>(null);
  readonly #fault = signal<ApiError | null>(null);
  readonly #isAsking = signal(false);
  readonly #latest = new Latest();
  readonly #places = signal<Whereabouts | null>(null);
  readonly #renewal = new Renewal(() => this.#renewNow());
  readonly #stops: (() => void)[] = [];
  /** Whether the view itself is to be asked for again, not only where the active visitors are. */
  #isViewStale = true;
  #isHeld = false;
  #looks = 0;

  constructor(domain: Domain) {
    this.domain = domain;
    this.notes = new NoteList(domain.id);
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

  /**
   * The latest numbers as far as some questions go, by their keys: what it was while their answers stay,
   * so that a hit redraws what it changes, and nothing else.
   */
  part(isOf: (key: string) => boolean): ReadonlySignal<Shown | null> {
    let last: Shown | null = null;
    return computed(() => {
      const shown = this.#shown.value;
      if (last === null || shown === null || !isSamePart(last, shown, isOf)) last = shown;
      return last;
    });
  }

  /** Where the active visitors are (D-15); null before the first answer. */
  get places(): ReadonlySignal<Whereabouts | null> {
    return this.#places;
  }

  /** Why the latest question was not answered; null: it was. */
  get fault(): ReadonlySignal<ApiError | null> {
    return this.#fault;
  }

  /** Whether another view was asked for than what is shown; that the same is renewed is no news. */
  get isAsking(): ReadonlySignal<boolean> {
    return this.#isAsking;
  }

  /** Days and scale of a view; `span` is that of the panels. */
  spansOf(of: View): { span: Frame; compared: Frame | null; scale: Scale; frames: Frames } {
    const frames = framesNow(of, this.domain);
    return { span: frames.focus, compared: frames.compared, scale: frames.scale, frames };
  }

  /**
   * Something came: the view is asked for again, now or when enough time has passed.
   *
   * @returns whether numbers are on their way, with which what came may be shown.
   */
  renew(): boolean {
    this.#isViewStale ||= this.#mayHaveChanged();
    this.#renewal.want();
    return this.#renewal.isSoon;
  }

  /** The stream told who is active: of others it is to be known where they are. @returns as `renew`. */
  renewPlaces(told: Active): boolean {
    const places = this.#places.peek();
    if (places === null || !isOfSame(places, told)) this.#renewal.want();
    return this.#renewal.isSoon;
  }

  /** What is shown stays as it is until something else is looked at, or goes on. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
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
    const isDue = view.peek().filters.length > 0 || this.#looks % LOOKS === 0;
    if (isDue && this.#mayHaveChanged()) this.renew();
  }

  #mayHaveChanged(): boolean {
    const { frame: span, compared } = this.spansOf(view.peek()).frames;
    const shown = this.#shown.peek()?.frames.frame;
    const zone = this.domain.timezone;
    // At midnight the range of a name becomes another one.
    const isOther = shown?.from !== span.from || shown?.to !== span.to;
    return isOther || isOpen(span, zone) || (compared !== null && isOpen(compared, zone));
  }

  #renewNow(): void {
    if (this.#isViewStale) this.again();
    else void this.#askPlaces();
  }

  async #ask(of: View): Promise<void> {
    const spans = this.spansOf(of);
    const shown = this.#shown.peek();
    const at = { domain: this.domain, frames: spans.frames };
    const asked = askedOf(of, at, this.#placeQuestions(), shown);
    this.#isViewStale = false;
    this.#isAsking.value = shown?.view !== of;
    const startMs = sentMs();
    const answer = await this.#answerTo((signal) => askView(asked, signal));
    if (answer === null) return;
    if (answer instanceof ApiError) {
      this.#isViewStale = true;
      return;
    }
    const { position, results, comparedRows, beside } = answer;
    batch(() => {
      this.#isAsking.value = false;
      this.#takePlaces(beside, startMs);
      const now = { atMs: Date.now(), tookMs: performance.now() - startMs };
      const next = { view: of, ...spans, results, comparedRows, position, ...now };
      this.#shown.value = keptOf(this.#shown.peek(), next);
    });
    // Only now it is known which goals there are.
    const isMissing = of.metric === 'conversion' && goalRows(shown).length === 0 && isDrawable(of);
    if (isMissing && goalRows(this.#shown.peek()).length > 0) await this.#ask(of);
  }

  async #askPlaces(): Promise<void> {
    const questions = this.#placeQuestions();
    const shared = sharedOf(this.domain.id, view.peek());
    const startMs = performance.now();
    const answer = await this.#answerTo((signal) => askAll(shared, questions, signal));
    if (answer !== null && !(answer instanceof ApiError)) this.#takePlaces(answer, startMs);
  }

  #placeQuestions(): readonly Query[] {
    return this.#isHeld ? [] : placeQuestions(this.domain.active_visitors_seconds);
  }

  #takePlaces(results: readonly Result[], askedMs: number): void {
    if (results.length === 0) return;
    this.#places.value = keptFields(this.#places.peek(), whereaboutsOf(results, askedMs));
  }

  /** @returns null: something else was asked meanwhile; an error, which the page tells. */
  async #answerTo<Answer>(
    question: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | ApiError | null> {
    try {
      const asked = this.#latest.ask(question);
      // Counted from when it was sent: two are two seconds apart also where the machine is slow.
      this.#renewal.began();
      const answer = await asked;
      if (answer === null) return null;
      this.#renewal.answered();
      this.#fault.value = null;
      return answer;
    } catch (error) {
      const fault = faultOf(error);
      this.#renewal.failed(fault);
      batch(() => {
        this.#fault.value = fault;
        this.#isAsking.value = false;
      });
      return fault;
    }
  }
}

/** What every question of a view has in common, but the days. */
export function sharedOf(id: string, of: View): Record<string, unknown> {
  return { id, ...parametersOf(of.filters) };
}

/** A range as parameters. */
export function daysOf({ from, to, ...times }: Span & Partial<Frame>): Record<string, string> {
  return frameParameters({ from, to, fromTime: times.fromTime ?? '', toTime: times.toTime ?? '' });
}

/** The ranges of a view of a site, at this moment. */
export function framesNow(of: View, domain: Domain): Frames {
  return framesOf(of, domain, { language, nowMs: Date.now() });
}

/** What is asked for a view. @param shown what is on the page; null: nothing is. */
export function askedOf(
  of: View,
  { domain, frames }: { readonly domain: Domain; readonly frames: Frames },
  beside: readonly Query[],
  shown: Shown | null,
): Asked {
  const { focus, compared, before } = frames;
  return {
    ...{ of, beside, questions: questionsOf(of, frames, goalParameters(of, goalRows(shown))) },
    shared: { ...sharedOf(domain.id, of), ...daysOf(focus) },
    before: compared === null ? null : daysOf(before),
    known: shown?.view === of ? shown.results : NO_RESULTS,
  };
}

function questionsOf(
  of: View,
  frames: Frames,
  goal: Readonly<Record<string, unknown>> | null,
): Map<string, Query> {
  const questions = new Map<string, Query>(chartQuestions(of, frames, goal));
  for (const [key, question] of panelQuestions(of)) questions.set(key, question);
  return questions;
}

/** An answer of what is shown; null: it failed, or was not asked. */
export function answerOf<Answer>(shown: Shown | null, key: string): Answer | null {
  const result = shown?.results.get(key);
  return result !== undefined && 'answer' in result ? (result.answer as Answer) : null;
}

/** The goals that an answer has. @param prefix '' or 'compared '. */
export function goalRows(shown: Shown | null, prefix = ''): readonly GoalRow[] {
  return answerOf<readonly GoalRow[]>(shown, `${prefix}goals`) ?? [];
}
