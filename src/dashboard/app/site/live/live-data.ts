/**
 * Who is there now, and what they do, from the stream of a site (O-50).
 *
 * No stream is open while the page is hidden or has left: one in the back-forward cache would keep its
 * connection, and six of them block the host.
 */
import { batch, signal } from '@preact/signals';
import { type ApiError, isPassing, queryText } from '../../data/api.ts';
import { listen } from '../../data/event-stream.ts';
import type { Filter } from '../../view/filters.ts';
import { parametersOf } from '../../view/filters.ts';
import { kept } from '../kept.ts';
import type { Domain } from '../site-data.ts';
import type { Active, Whereabouts } from './live-places.ts';

/** A hit that was stored just now. */
export interface LiveHit {
  readonly time: string;
  readonly path: string;
  readonly title: string;
  readonly event_name: string;
  readonly country_code: string;
  readonly referrer_name: string;
  readonly browser: string;
  readonly os: string;
  readonly platform: string;
  readonly skipped: number;
}

/** A hit of the list. */
export interface ListedHit extends LiveHit {
  readonly key: number;
}

/** Whom it concerns that something came. */
export interface LiveListener {
  /**
   * Other numbers are older than what there is: a hit came, or may have come unseen. @returns whether
   * they are on their way.
   */
  onNews(): boolean;
  /** The stream told who is active. @returns whether where they are is on its way. */
  onActive(active: Active): boolean;
  /** Nobody may listen any more: the session has ended, the site is gone. */
  onGone(): void;
  /** A person wants everything to stand still, or to go on. */
  onPause(isPaused: boolean): void;
}

/** Hits that the list shows; older ones are forgotten. */
const HITS_SHOWN = 8;
/** Pages of active visitors that the stream tells (O-50). */
const PAGES_TOLD = 20;
/** From one picture of hits to the next, at least: more often nobody reads, and each takes a frame. */
const SHOW_MS = 1_000;
/** What comes with a hit is waited for, to be shown in one picture with it: who is active. */
const GATHER_MS = 150;
/** And its numbers, where they are on their way: without them a hit is there within a second (O-51). */
const ANSWER_MS = 600;

/** The stream of one site, from now until `stop`. */
export class LiveData {
  readonly active = signal<Active | null>(null);
  readonly hits = signal<readonly ListedHit[]>([]);
  readonly isPaused = signal(false);
  readonly isOpen = signal(false);
  readonly #domainId: string;
  readonly #listener: LiveListener;
  #filters: readonly Filter[];
  #stream: AbortController | null = null;
  /** What came since the last picture; of hits the newest first. */
  #pending: ListedHit[] = [];
  #pendingActive: Active | null = null;
  /** When the stream told last who is active, by `performance.now()`. */
  #activeMs = 0;
  #timer = 0;
  /** When it is drawn next, and was last, by `performance.now()`. */
  #dueMs = 0;
  #shownMs = 0;
  #keys = 0;

  constructor(domain: Domain, filters: readonly Filter[], listener: LiveListener) {
    this.#domainId = domain.id;
    this.#filters = filters;
    this.#listener = listener;
    document.addEventListener('visibilitychange', this.#onVisibility);
    addEventListener('pagehide', this.#close);
    addEventListener('pageshow', this.#onVisibility);
    this.#open();
  }

  /** What is looked at; hits that do not pass are not told. */
  watch(filters: readonly Filter[]): void {
    if (JSON.stringify(filters) === JSON.stringify(this.#filters)) return;
    this.#filters = filters;
    this.#close();
    this.hits.value = [];
    this.#open();
  }

  /** Stands still, or goes on. */
  toggle(): void {
    const isPaused = !this.isPaused.value;
    this.isPaused.value = isPaused;
    this.#listener.onPause(isPaused);
    this.#close();
    this.#open();
  }

  /** Opens the stream anew, where whoever looks may again. */
  again(): void {
    this.#close();
    this.#open();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    removeEventListener('pagehide', this.#close);
    removeEventListener('pageshow', this.#onVisibility);
    this.#close();
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) this.#close();
    else this.#open();
  };

  readonly #close = (): void => {
    this.#stream?.abort();
    this.#stream = null;
    this.isOpen.value = false;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#pending = [];
    this.#pendingActive = null;
  };

  #open(): void {
    if (this.#stream !== null || document.hidden || this.isPaused.value) return;
    this.#stream = new AbortController();
    const query = queryText({ id: this.#domainId, ...parametersOf(this.#filters) });
    const listener = {
      onOpen: () => {
        this.isOpen.value = true;
        this.#listener.onNews();
      },
      onEvent: (name: string, data: unknown) => this.#take(name, data),
      onLost: (error: ApiError) => {
        this.isOpen.value = false;
        // Asking for the numbers is what tells whether the service is there.
        if (isPassing(error)) this.#listener.onNews();
        else this.#listener.onGone();
      },
    };
    void listen(`/api/v1/statistics/live${query}`, listener, this.#stream.signal);
  }

  #take(name: string, data: unknown): void {
    let isSoon = false;
    if (name === 'active') {
      this.#pendingActive = data as Active;
      this.#activeMs = performance.now();
      isSoon = this.#listener.onActive(data as Active);
    } else if (name === 'hit') {
      this.#pending = [{ ...(data as LiveHit), key: ++this.#keys }, ...this.#pending];
      this.#pending.length = Math.min(this.#pending.length, HITS_SHOWN);
      isSoon = this.#listener.onNews();
    } else return;
    const gatherMs = isSoon ? ANSWER_MS : GATHER_MS;
    // Whoever has just come waits for nothing; who is active is told once a second by itself.
    if (this.active.peek() === null) this.show();
    else if (name === 'active') this.#showWithin(gatherMs);
    else this.#showWithin(Math.max(gatherMs, this.#shownMs + SHOW_MS - performance.now()));
  }

  #showWithin(ms: number): void {
    const dueMs = performance.now() + ms;
    if (this.#timer !== 0 && this.#dueMs <= dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = window.setTimeout(this.show, ms);
  }

  /**
   * Shows what came, now: numbers are drawn anyway. Who was active when they were asked is mostly what
   * the stream is about to tell.
   */
  showWith(places: Whereabouts | null): void {
    const isNewer =
      places !== null && this.active.peek() !== null && places.askedMs > this.#activeMs;
    if (isNewer && places.active !== null && this.#stream !== null) {
      const { visitors, stats } = places.active;
      this.#pendingActive = { visitors, stats: stats.slice(0, PAGES_TOLD) };
    }
    this.show();
  }

  /** Shows what came, now. */
  readonly show = (): void => {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const active = this.#pendingActive;
    const hits = this.#pending;
    if (active === null && hits.length === 0) return;
    this.#shownMs = performance.now();
    this.#pendingActive = null;
    this.#pending = [];
    batch(() => {
      if (active !== null) this.active.value = kept(this.active.peek() ?? undefined, active);
      if (hits.length > 0) this.hits.value = [...hits, ...this.hits.peek()].slice(0, HITS_SHOWN);
    });
  };
}
