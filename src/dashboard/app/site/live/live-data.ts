/**
 * Who is there now, from the stream of a site (O-50).
 *
 * No stream is open while the page is hidden or has left: one in the back-forward cache would keep its
 * connection, and six of them block the host.
 */
import { signal } from '@preact/signals';
import { queryText } from '../../data/api.ts';
import { listen } from '../../data/event-stream.ts';
import type { Filter } from '../../view/filters.ts';
import { parametersOf } from '../../view/filters.ts';

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

/** Hits that the list shows. */
const HITS_SHOWN = 12;

/** The stream of one site. */
export class LiveData {
  readonly active = signal<Active | null>(null);
  readonly hits = signal<readonly (LiveHit & { readonly key: number })[]>([]);
  readonly isPaused = signal(false);
  readonly isOpen = signal(false);
  readonly #domainId: string;
  readonly #onHit: () => void;
  #filters: readonly Filter[] = [];
  #stream: AbortController | null = null;
  #keys = 0;

  /** @param onHit something came: other numbers are older than that. */
  constructor(domainId: string, onHit: () => void) {
    this.#domainId = domainId;
    this.#onHit = onHit;
    document.addEventListener('visibilitychange', this.#onVisibility);
    addEventListener('pagehide', this.#close);
    addEventListener('pageshow', this.#onVisibility);
    this.#open();
  }

  /** What is looked at; hits that do not pass are not told. */
  watch(filters: readonly Filter[]): void {
    if (JSON.stringify(filters) === JSON.stringify(this.#filters)) return;
    this.#filters = filters;
    this.hits.value = [];
    this.#close();
    this.#open();
  }

  /** Stands still, or goes on. */
  toggle(): void {
    this.isPaused.value = !this.isPaused.value;
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
  };

  #open(): void {
    if (this.#stream !== null || document.hidden || this.isPaused.value) return;
    this.#stream = new AbortController();
    const query = queryText({ id: this.#domainId, ...parametersOf(this.#filters) });
    void listen(
      `/api/v1/statistics/live${query}`,
      {
        onEvent: (name, data) => this.#take(name, data),
        onState: (isOpen) => {
          this.isOpen.value = isOpen;
        },
      },
      this.#stream.signal,
    );
  }

  #take(name: string, data: unknown): void {
    if (name === 'active') this.active.value = data as Active;
    if (name !== 'hit') return;
    const hit = { ...(data as LiveHit), key: ++this.#keys };
    this.hits.value = [hit, ...this.hits.value].slice(0, HITS_SHOWN);
    this.#onHit();
  }
}
