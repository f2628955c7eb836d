/**
 * Who is there now, and what they do, from the stream of a site (O-50).
 *
 * No stream is open while the page is hidden or has left: one in the back-forward cache would keep its
 * connection, and six of them block the host.
 */
import { signal } from '@preact/signals';
import { type ApiError, isPassing, queryText } from '../../data/api.ts';
import { listen } from '../../data/event-stream.ts';
import type { Filter } from '../../view/filters.ts';
import { parametersOf } from '../../view/filters.ts';
import { kept } from '../kept.ts';
import type { Domain } from '../site-data.ts';
import { LivePlaces } from './live-places.ts';

/** Active visitors, and the pages they are on. */
export interface Active {
  readonly visitors: number;
  readonly stats: readonly {
    readonly path: string;
    readonly title: string;
    readonly visitors: number;
  }[];
}

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
  /** Other numbers are older than what there is: a hit came, or may have come unseen. */
  onNews(): void;
  /** Nobody may listen any more: the session has ended, the site is gone. */
  onGone(): void;
  /** A person wants everything to stand still, or to go on. */
  onPause(isPaused: boolean): void;
}

/** Hits that the list shows; older ones are forgotten. */
const HITS_SHOWN = 8;

/** The stream of one site, from now until `stop`. */
export class LiveData {
  readonly active = signal<Active | null>(null);
  readonly hits = signal<readonly ListedHit[]>([]);
  readonly isPaused = signal(false);
  readonly isOpen = signal(false);
  readonly places: LivePlaces;
  readonly #domainId: string;
  readonly #listener: LiveListener;
  #filters: readonly Filter[];
  #stream: AbortController | null = null;
  /** Of this frame, newest first: they are shown together. */
  #pending: ListedHit[] = [];
  #frame = 0;
  #keys = 0;

  constructor(domain: Domain, filters: readonly Filter[], listener: LiveListener) {
    this.#domainId = domain.id;
    this.#filters = filters;
    this.#listener = listener;
    this.places = new LivePlaces(domain, filters);
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
    this.places.watch(filters);
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
    this.places.stop();
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) this.#close();
    else this.#open();
  };

  readonly #close = (): void => {
    this.#stream?.abort();
    this.#stream = null;
    this.isOpen.value = false;
    this.places.hold(true);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#pending = [];
  };

  #open(): void {
    if (this.#stream !== null || document.hidden || this.isPaused.value) return;
    this.#stream = new AbortController();
    this.places.hold(false);
    const query = queryText({ id: this.#domainId, ...parametersOf(this.#filters) });
    const listener = {
      onOpen: () => {
        this.isOpen.value = true;
        this.#tellNews();
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

  #tellNews(): void {
    this.#listener.onNews();
    this.places.renew();
  }

  #take(name: string, data: unknown): void {
    if (name === 'active') {
      this.active.value = kept(this.active.peek() ?? undefined, data as Active);
      this.places.renew();
    }
    if (name !== 'hit') return;
    this.#pending = [{ ...(data as LiveHit), key: ++this.#keys }, ...this.#pending];
    this.#pending.length = Math.min(this.#pending.length, HITS_SHOWN);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#showHits);
    this.#tellNews();
  }

  readonly #showHits = (): void => {
    this.#frame = 0;
    this.hits.value = [...this.#pending, ...this.hits.value].slice(0, HITS_SHOWN);
    this.#pending = [];
  };
}
