/**
 * A site of a Footfall that is under load, asked for what only Footfall tells: what it has counted
 * (P-31), and its statistics. Control plane.
 */
import { systemClock } from '../base/clock.ts';
import { errors } from '../model/errors.ts';
import { DAY_MS } from '../model/limits.ts';
import type { WholeRequest } from './send/requests.ts';

/** A service that was killed may be back by then. */
const AWAY_MS_MAX = 60_000;
const AWAY_RETRY_MS = 500;
const ANSWER_MS_MAX = 15_000;
const FAULT_LENGTH_MAX = 200;

/** What has become of the items of a site, so far. */
export interface Counted {
  readonly received: number;
  readonly stored: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly duplicates: number;
}

interface DayRow {
  readonly received: number;
  readonly stored: { readonly page_views: number; readonly events: number };
  readonly dropped: Readonly<Record<string, number>>;
  readonly duplicates: number;
}

/** A client of one service and one of its sites. */
export class FootfallSite {
  readonly #url: URL;
  readonly #client: { readonly client_id: string; readonly client_secret: string };
  #token = '';
  #domain = { id: '', hostname: '' };

  private constructor(url: URL, clientId: string, clientSecret: string) {
    this.#url = url;
    this.#client = { client_id: clientId, client_secret: clientSecret };
  }

  /**
   * Signs in and finds the site.
   *
   * @param of.hostname '' where the client sees one site only.
   * @throws BENCH_REFUSED in one sentence: unreachable, a wrong client, no such site.
   */
  static async open(of: {
    url: URL;
    clientId: string;
    clientSecret: string;
    hostname: string;
  }): Promise<FootfallSite> {
    const service = new FootfallSite(of.url, of.clientId, of.clientSecret);
    await service.#signIn();
    const found = (await service.#ask('/api/v1/domain')) as { id: string; hostname: string }[];
    const named = found.filter(({ hostname }) => of.hostname === '' || hostname === of.hostname);
    const [domain] = named;
    if (domain === undefined || named.length > 1) {
      const names = found.map(({ hostname }) => hostname).slice(0, 5);
      const reason =
        domain === undefined
          ? `the client sees no site ${of.hostname}`.trim()
          : `the client sees ${named.length} sites (${names.join(', ')}…): name one by --hostname`;
      throw errors.BENCH_REFUSED({ reason });
    }
    service.#domain = domain;
    return service;
  }

  get hostname(): string {
    return this.#domain.hostname;
  }

  /** May send hits for an hour. */
  get token(): string {
    return this.#token;
  }

  /** Everything that was acknowledged before; waits for a service that is being restarted. */
  async counted(): Promise<Counted> {
    const deadlineMs = systemClock() + AWAY_MS_MAX;
    for (;;) {
      try {
        // A token that has ended with a long run is no fault.
        await this.#signIn();
        return await this.#sums();
      } catch (error) {
        if (systemClock() > deadlineMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, AWAY_RETRY_MS));
      }
    }
  }

  /** A question about today; yesterday is in it, since a run may go over midnight. */
  question(name: string): WholeRequest {
    const query = `id=${this.#domain.id}&from=${dayOf(-DAY_MS)}&to=${dayOf(DAY_MS)}`;
    const headers = { authorization: `Bearer ${this.#token}` };
    return { method: 'GET', path: `/api/v1/statistics/${name}?${query}`, headers, body: '' };
  }

  async #sums(): Promise<Counted> {
    const path = `/api/v1/ledger?id=${this.#domain.id}&from=${dayOf(-DAY_MS)}&to=${dayOf(DAY_MS)}`;
    const days = (await this.#ask(path)) as DayRow[];
    const dropped: Record<string, number> = {};
    for (const day of days) {
      for (const [reason, count] of Object.entries(day.dropped)) {
        dropped[reason] = (dropped[reason] ?? 0) + count;
      }
    }
    const sum = (of: (day: DayRow) => number) => days.reduce((total, day) => total + of(day), 0);
    return {
      received: sum((day) => day.received),
      stored: sum(({ stored }) => stored.page_views + stored.events),
      dropped,
      duplicates: sum((day) => day.duplicates),
    };
  }

  async #signIn(): Promise<void> {
    const answer = (await this.#ask('/api/v1/token', this.#client)) as { access_token: string };
    this.#token = answer.access_token;
  }

  async #ask(path: string, body?: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` };
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(new URL(path, this.#url), { headers, signal, ...sent });
      text = await answer.text();
    } catch (error) {
      const reason = `${this.#url.origin} cannot be reached: ${faultOf(error)}`;
      throw errors.BENCH_REFUSED({ reason }, error);
    }
    if (!answer.ok) {
      const said = text.slice(0, FAULT_LENGTH_MAX);
      const [where] = path.split('?', 1);
      throw errors.BENCH_REFUSED({
        reason: `${this.#url.origin}${where} answered ${answer.status}: ${said}`,
      });
    }
    return jsonOf(text, `${this.#url.origin}${path}`);
  }
}

function jsonOf(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = `${from} answered no JSON: it is no Footfall`;
    throw errors.BENCH_REFUSED({ reason }, error);
  }
}

/** The system's word for it: `fetch` hides it in the cause. */
function faultOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}

function dayOf(fromNowMs: number): string {
  return new Date(systemClock() + fromNowMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
