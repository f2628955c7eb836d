/**
 * What a service is asked while its disk fails, and what must be there afterwards.
 *
 * Always the same requests, one after the other: hits, events, keep-alives, batches large enough for
 * several files of the log, goals, questions (each saves what it asks about), a deletion. Every request
 * has a page of its own, so that each is looked up by itself.
 */
import { statSync } from 'node:fs';
import { ApiClient } from '../clients/client.ts';
import type { LedgerEntry } from '../clients/load-client.ts';
import { wrongCounts } from '../faults/ledger-check.ts';
import type { RunningService } from '../service.ts';
import { until } from '../until.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const HOSTNAME = 'example.org';
const DAY_MS = 86_400_000;
/** As many bytes as a title may have, so that a few batches fill a file of the log. */
const LONG_TITLE = '\u{1f600}'.repeat(500);
/** Of one visitor, whose session takes no more. */
const LARGE_BATCH_ITEMS = 199;
/** An answer that takes longer is a hang. */
const ANSWER_MS_MAX = 20_000;
const ERASED_MS_MAX = 60_000;

/** Few threads and shards: each opens the same files again. */
export const FEW_THREADS = {
  FOOTFALL_SHARDS: '2',
  FOOTFALL_EDGES: '1',
  FOOTFALL_ACTORS: '1',
  FOOTFALL_QUERY_THREADS: '1',
  FOOTFALL_LOG_LEVEL: 'warn',
};

/** What the first start prints, once. */
interface FirstAccount {
  client_id: string;
  client_secret: string;
  domain_id: string;
  access_key: string;
}

/** A request and what became of it. */
interface Asked extends LedgerEntry {
  readonly endpoint: string;
  readonly body: unknown;
  readonly key: string;
  /** The service has said that nothing of it counts. */
  isRefused: boolean;
  /** Bytes of the record when it was acknowledged; null: it was not. */
  answeredAt: number | null;
}

/** Something else that was changed. */
interface Change {
  readonly name: string;
  attempts: number;
  answeredAt: number | null;
}

/** The requests of one run. */
export class Workload {
  readonly asked: Asked[] = [];
  readonly goals: Change[] = [];
  readonly erasure: Change = { name: 'erasure', attempts: 0, answeredAt: null };
  /** Answers that no disk is a reason for. */
  readonly odd: string[] = [];
  readonly #record: string;
  #baseUrl = '';
  #first: FirstAccount | null = null;
  #token = '';
  #number = 0;

  /** @param record of the shim; '' for none. */
  constructor(record = '') {
    this.#record = record;
  }

  /** Asks a service that has been started on an empty directory, until all is asked or it is gone. */
  async run(running: RunningService): Promise<void> {
    this.#baseUrl = running.baseUrl;
    this.#first = firstAccountOf(running.output);
    if (this.#first === null) {
      this.odd.push('the first account was not printed');
      return;
    }
    const steps = [
      () => this.#signIn(),
      ...[0, 1, 2].map(() => () => this.#askHit('hit', 1)),
      () => this.#askHit('event', 1),
      () => this.#keepAlive(),
      () => this.#makeGoal(),
      () => this.#askOld(),
      () => this.#question(),
      ...Array.from({ length: 12 }, () => () => this.#askHit('hit', LARGE_BATCH_ITEMS)),
      () => this.#question(),
      () => this.#erase(),
      () => this.#askHit('event', 20),
      () => this.#makeGoal(),
      () => Promise.all([0, 1, 2, 3].map(() => this.#askHit('hit', 5))),
      () => this.#question(),
      () => this.#askHit('hit', 1),
    ];
    for (const step of steps) {
      if (running.pid === 0) return;
      await step();
    }
  }

  /**
   * What is wrong on a directory whose disk is whole again; requests with a key are sent again first.
   *
   * @param endsAt bytes of the record that have become true: what was answered later is not owed.
   */
  async wrongOn(running: RunningService, endsAt = Infinity): Promise<string[]> {
    this.#baseUrl = running.baseUrl;
    if (this.#first === null) return this.odd;
    const { client_id, client_secret, domain_id } = this.#first;
    const reader = await signedIn(running.baseUrl, client_id, client_secret);
    if (reader === null) {
      // Before anything was answered an account may not have been there yet.
      const isMissed = [...this.asked, ...this.goals].some((one) => isOwed(one, endsAt));
      return isMissed ? ['the account is gone'] : this.odd;
    }
    const ledger = this.asked.map((entry): Asked => {
      const isKnown = isOwed(entry, endsAt) || entry.fate !== 'acknowledged';
      return { ...entry, fate: isKnown ? entry.fate : 'unknown' };
    });
    for (const entry of ledger) {
      if (entry.hasKey && entry.fate !== 'acknowledged') await this.#send(entry);
    }
    const domain = { id: domain_id };
    const wrong = await wrongCounts({ domain, reader, load: { ledger } });
    wrong.push(...(await this.#wrongRefusals(reader)));
    wrong.push(...(await this.#wrongGoals(reader, endsAt)));
    if (isOwed(this.erasure, endsAt)) wrong.push(...(await this.#wrongErasure(reader)));
    return [...this.odd, ...wrong];
  }

  async #wrongRefusals(reader: ApiClient): Promise<string[]> {
    const wrong: string[] = [];
    for (const entry of this.asked) {
      if (!entry.isRefused || entry.hasKey) continue;
      const views = await viewsOf(reader, { ...this.#today(), path: entry.path });
      if (views > 0) wrong.push(`${entry.path} was refused and is counted ${views} times`);
    }
    return wrong;
  }

  async #wrongGoals(reader: ApiClient, endsAt: number): Promise<string[]> {
    const { body } = await reader.request('GET', `/api/v1/goal?id=${this.#first?.domain_id}`);
    const names = (body as { name: string }[]).map(({ name }) => name);
    return this.goals.flatMap((goal) => {
      const { name, attempts } = goal;
      const found = names.filter((one) => one === name).length;
      if (found === 0 && !isOwed(goal, endsAt)) return [];
      return found >= 1 && found <= attempts ? [] : [`goal ${name} is there ${found} times`];
    });
  }

  /** A deletion is carried out within a minute, over starts (A-81). */
  async #wrongErasure(reader: ApiClient): Promise<string[]> {
    const isGone = async () => (await viewsOf(reader, this.#oldDay())) === 0;
    return until(isGone, ERASED_MS_MAX).then(
      () => [],
      () => ['what was deleted is still counted'],
    );
  }

  async #signIn(): Promise<void> {
    const { client_id, client_secret } = this.#first!;
    const reader = await signedIn(this.#baseUrl, client_id, client_secret);
    this.#token = reader?.bearer ?? '';
  }

  async #askHit(kind: 'hit' | 'event', items: number): Promise<void> {
    const number = this.#number++;
    const path = `/p/${number}`;
    const eventName = kind === 'event' ? `event-${number}` : '';
    const item = (index: number) => ({
      url: `https://${HOSTNAME}${path}`,
      ip: `10.0.${number}.1`,
      user_agent: AGENT,
      title: `${number} ${items > 100 ? `${index} ${LONG_TITLE}` : ''}`,
      ...(kind === 'event' ? { event_name: eventName } : {}),
    });
    const time = new Date().toISOString();
    const isBatch = items > 1;
    const body = isBatch
      ? Array.from({ length: items }, (_, index) => ({ ...item(index), time }))
      : item(0);
    const hasKey = number % 2 === 0;
    const entry: Asked = {
      path,
      // An event without a session opens one and stores one page view with it (I-50).
      views: kind === 'event' ? 1 : items,
      ...{ eventName, events: kind === 'event' ? items : 0 },
      ...{ hasKey, key: hasKey ? `key-${number}` : '' },
      ...{ attempts: 0, fate: 'unknown', isRefused: false, answeredAt: null },
      ...{ endpoint: isBatch ? `${kind}/batch` : kind, body },
    };
    this.asked.push(entry);
    await this.#send(entry);
    // A client whose disk refused tries again; without a key it may not.
    if (hasKey && entry.fate !== 'acknowledged') await this.#send(entry);
  }

  /** Hits of another day, which are deleted later. */
  async #askOld(): Promise<void> {
    const { from } = this.#oldDay();
    const body = ['/old', '/older'].map((path) => ({
      ...{ url: `https://${HOSTNAME}${path}`, ip: '10.9.9.9', user_agent: AGENT },
      time: `${from}T12:00:00Z`,
    }));
    await this.#request('POST', 'hit/batch', body, { bearer: this.#first!.access_key });
  }

  async #keepAlive(): Promise<void> {
    const body = { url: `https://${HOSTNAME}/p/0`, ip: '10.0.0.1', user_agent: AGENT };
    await this.#request('POST', 'session', body, { bearer: this.#first!.access_key });
  }

  async #send(entry: Asked): Promise<void> {
    entry.attempts++;
    const more: Record<string, string> = entry.hasKey ? { 'Idempotency-Key': entry.key } : {};
    const bearer = this.#first!.access_key;
    const answer = await this.#request('POST', entry.endpoint, entry.body, { bearer, more });
    if (answer === null) return;
    entry.fate = answer.status === 200 ? 'acknowledged' : 'refused';
    entry.isRefused = answer.text.includes('nothing of the request counts');
    if (answer.status === 200) entry.answeredAt = this.#recorded();
  }

  async #makeGoal(): Promise<void> {
    const name = `goal ${this.goals.length}`;
    const goal: Change = { name, attempts: 0, answeredAt: null };
    this.goals.push(goal);
    const body = { domain_id: this.#first!.domain_id, name, path_pattern: '/p/*' };
    await this.#change(goal, () => this.#request('POST', 'goal', body, { bearer: this.#token }));
  }

  async #erase(): Promise<void> {
    const { from, to } = this.#oldDay();
    const path = `statistics?id=${this.#first!.domain_id}&from=${from}&to=${to}`;
    const erase = () => this.#request('DELETE', path, undefined, { bearer: this.#token });
    await this.#change(this.erasure, erase);
  }

  /** A second try when it was refused, as people do. */
  async #change(change: Change, make: () => Promise<{ status: number } | null>): Promise<void> {
    while (change.attempts < 2 && change.answeredAt === null) {
      change.attempts++;
      const answer = await make();
      if (answer?.status === 200) change.answeredAt = this.#recorded();
    }
  }

  async #question(): Promise<void> {
    const { id, from, to } = this.#today();
    const path = `statistics/total?id=${id}&from=${from}&to=${to}`;
    await this.#request('GET', path, undefined, { bearer: this.#token });
  }

  #today() {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const now = Date.now();
    return { id: this.#first!.domain_id, from: day(now - DAY_MS), to: day(now + DAY_MS) };
  }

  #oldDay() {
    const day = new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10);
    return { id: this.#first!.domain_id, from: day, to: day };
  }

  #recorded(): number {
    return this.#record === '' ? 0 : (statSync(this.#record, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** null when no answer came. */
  async #request(
    method: string,
    path: string,
    body: unknown,
    { bearer, more = {} }: { bearer: string; more?: Record<string, string> },
  ): Promise<{ status: number; text: string } | null> {
    const headers: Record<string, string> = { Authorization: `Bearer ${bearer}`, ...more };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    try {
      const answer = await fetch(`${this.#baseUrl}/api/v1/${path}`, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      const { status } = answer;
      const text = await answer.text();
      // Without a token nobody was signed in: the disk refused that.
      const isTold = status === 200 || status === 503 || (bearer === '' && status === 401);
      if (!isTold) this.odd.push(`${method} ${path} is answered ${status}: ${text}`);
      return { status, text };
    } catch (error) {
      const isHang = (error as Error).name === 'TimeoutError';
      if (isHang) this.odd.push(`${method} ${path} is not answered`);
      return null;
    }
  }
}

function isOwed({ answeredAt }: Pick<Change, 'answeredAt'>, endsAt: number): boolean {
  return answeredAt !== null && answeredAt <= endsAt;
}

function firstAccountOf(output: string): FirstAccount | null {
  const line = output.split('\n').find((text) => text.includes('"message":"listening on'));
  return line === undefined ? null : (JSON.parse(line) as { first: FirstAccount }).first;
}

async function signedIn(baseUrl: string, id: string, secret: string): Promise<ApiClient | null> {
  return ApiClient.withSecret(baseUrl, id, secret).catch(() => null);
}

async function viewsOf(
  reader: ApiClient,
  parameters: { id: string; from: string; to: string; path?: string },
): Promise<number> {
  return ((await reader.statistics('total', parameters)) as { views: number }).views;
}

/** What `footfall verify` says of a directory whose service has ended. */
export async function isSound(running: RunningService): Promise<boolean> {
  const found = await running.command<{ is_sound: boolean }>(['verify']);
  return found.is_sound;
}
