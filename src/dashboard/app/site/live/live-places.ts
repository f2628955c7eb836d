/**
 * Where the active visitors are and where they came from (D-15).
 *
 * The stream says who is active and on which pages; this is asked for beside it, when that changed.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import { faultOf } from '../../data/api.ts';
import { askAll, type Query } from '../../data/batch.ts';
import { Latest } from '../../data/latest.ts';
import { Renewal } from '../../data/renewal.ts';
import { type Filter, parametersOf } from '../../view/filters.ts';
import { kept } from '../kept.ts';
import type { Row } from '../panels/tab.ts';
import type { Domain } from '../site-data.ts';

/** What is known of the active visitors beside their pages. */
export interface Whereabouts {
  /** As the statistic `country` answers. */
  readonly countries: readonly Row[];
  /** As `referrer` answers. */
  readonly sources: readonly Row[];
}

/** Rows of sources; all countries are asked for, since the map shows them. */
const SOURCE_ROWS = 20;

const QUERIES: readonly Query[] = [{ name: 'country' }, { name: 'referrer', limit: SOURCE_ROWS }];

/** Of one site, from the first `renew` until `stop`. */
export class LivePlaces {
  readonly #shown = signal<Whereabouts | null>(null);
  readonly #domain: Domain;
  readonly #latest = new Latest();
  readonly #renewal = new Renewal(() => void this.#ask());
  #filters: readonly Filter[];

  constructor(domain: Domain, filters: readonly Filter[]) {
    this.#domain = domain;
    this.#filters = filters;
  }

  /** Null before the first answer. */
  get shown(): ReadonlySignal<Whereabouts | null> {
    return this.#shown;
  }

  watch(filters: readonly Filter[]): void {
    this.#filters = filters;
    this.#latest.cancel();
    this.#renewal.want(true);
  }

  /** Who is active may have changed. */
  renew(): void {
    this.#renewal.want();
  }

  hold(isHeld: boolean): void {
    this.#renewal.hold(isHeld);
  }

  stop(): void {
    this.#latest.cancel();
    this.#renewal.stop();
  }

  async #ask(): Promise<void> {
    const { id, active_visitors_seconds: start } = this.#domain;
    this.#renewal.began();
    try {
      const shared = { id, start, ...parametersOf(this.#filters) };
      const answer = await this.#latest.ask((signal) => askAll(shared, QUERIES, signal));
      this.#renewal.answered();
      if (answer === null) return;
      const [countries = [], sources = []] = answer.map((result) =>
        'answer' in result ? (result.answer as readonly Row[]) : [],
      );
      this.#shown.value = kept(this.#shown.peek() ?? undefined, { countries, sources });
    } catch (error) {
      this.#renewal.failed(faultOf(error));
    }
  }
}
