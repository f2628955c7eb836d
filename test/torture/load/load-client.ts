/**
 * One client of the load: sends a request until it knows what became of it, then the next one.
 *
 * With a key no answer, or a refusal, means: again, to any node. Without one a refusal means that
 * it does not count, and may be sent again; no answer leaves a doubt, which the judge settles.
 * Where nodes have spools a client is tied to one of them: what another one takes meanwhile would
 * overtake what waits, and order is part of the model.
 */
import type { BatchAnswer } from '../../support/clients/client.ts';
import { difference } from '../../support/judge/difference.ts';
import { type CollectionAnswer, collect } from '../../support/oracle/collect/collect.ts';
import { type Item, modelHitOf, wireOf } from '../../support/traffic/notation.ts';
import { pause } from '../cluster/child.ts';
import type { Node } from '../cluster/cluster.ts';
import { Stream } from '../random.ts';
import { type Answer, HttpClient } from './http-client.ts';
import type { Ledger } from './ledger.ts';
import type { Site } from './sites.ts';
import type { Sending, Visits } from './visits.ts';

/** A client gives a node up after this long; without a key it waits for its answer. */
const PATIENCE_MS = 1_500;
const PATIENCE_WITHOUT_KEY_MS = 60_000;
/** A request without an answer is given up: by then the cluster is whole again. */
const GIVE_UP_MS = 90_000;
const REST_MS_MAX = 60;
/** While faults last on or the cluster recovers: the model's world must stay small. */
const CALM_REST_MS_MAX = 900;
/** Share of the requests with a key whose client goes away before the answer. */
const HANGS_UP = 0.03;
/** Share of the acknowledged requests that are sent again later. */
const REPEATED = 0.05;
/** Share of the refused requests without a key that are sent again. */
const TRIED_AGAIN = 0.5;

const ENDPOINTS = { pv: 'hit', ev: 'event', ka: 'session' } as const;

/** A request that was acknowledged: what it is answered whenever it is sent. */
export interface Known {
  sending: Sending;
  site: Site;
  /** In which it was sent first. */
  round: number;
  node: Node | null;
  answer: CollectionAnswer;
}

/** What clients share. */
export interface Load {
  nodes: readonly Node[];
  sites: readonly Site[];
  ledger: Ledger;
  round: number;
  /** The round's load is over; from now on it only sees whether hits are taken. */
  isCalm: boolean;
  /** Each client sends to one node only. */
  isTiedToNode: boolean;
  /** Acknowledged requests to be sent again. */
  repeats: Known[];
}

/** One client in one round. */
export class LoadClient {
  readonly #http = new HttpClient();
  readonly #load: Load;
  readonly #visits: Visits;
  readonly #rests: Stream;
  /** The only one it sends to; null: to any. */
  readonly #node: Node | null;

  constructor(load: Load, visits: Visits, seed: readonly (string | number)[]) {
    this.#load = load;
    this.#visits = visits;
    this.#rests = new Stream(...seed, 'rests');
    this.#node = load.isTiedToNode ? new Stream(...seed, 'node').pick(load.nodes) : null;
  }

  /** Sends until told to stop; what it has begun it brings to its end. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const { repeats } = this.#load;
      if (repeats.length > 0 && this.#rests.chance(0.1)) {
        const [known] = repeats.splice(this.#rests.whole(0, repeats.length - 1), 1);
        await this.#repeat(known as Known);
      } else await this.#deliver(this.#visits.next());
      const { isCalm } = this.#load;
      await pause(this.#rests.next() * (isCalm ? CALM_REST_MS_MAX : REST_MS_MAX));
    }
    this.#http.close();
  }

  async #deliver(sending: Sending): Promise<void> {
    const { ledger, round } = this.#load;
    const site = this.#load.sites[sending.domain] as Site;
    const { length } = sending.items;
    site.addOpen(round, length);
    const { answer, unknown, arrivals } = await this.#insist(sending, site, this.#node);
    if (answer.status !== 200) {
      this.#doubt(sending, site, answer);
      return;
    }
    site.addOpen(round, -length);
    ledger.ingestion.add(0);
    ledger.counts.acknowledged += length;
    ledger.counts.resolved += unknown;
    const wanted = this.#count(sending, site);
    // Any attempt but the one that counts may have been counted as a repeat (I-76).
    if (sending.key !== '') site.sent(round).repeats[1] += length * (arrivals - 1);
    const known = { sending, site, round, node: this.#node, answer: wanted };
    this.#check(known, answer);
    if (sending.key !== '' && this.#rests.chance(REPEATED)) {
      this.#load.repeats.push(known);
    }
  }

  /** Puts the request into the model. */
  #count({ items, key, isBatch }: Sending, site: Site): CollectionAnswer {
    // A single hit has the time of its arrival: this is near enough for all but figures of time.
    const nowMs = Date.now();
    const hits = items.map((item) =>
      modelHitOf(isBatch ? item : { ...item, timeMs: nowMs }, site.name),
    );
    const { round } = this.#load;
    site.sent(round).items += items.length;
    return collect(site.world(round), hits, key);
  }

  /** Without a key: refused for good, or nobody knows. */
  #doubt(sending: Sending, site: Site, { status, text }: Answer): void {
    const { ledger, round } = this.#load;
    if (sending.key !== '') {
      ledger.differs(
        `a request with a key is still answered ${status} ${text} after ${GIVE_UP_MS} ms`,
      );
      return;
    }
    const item = sending.items[0] as Item;
    // What reached nobody was not even refused; with a spool a refusal is none (DECISIONS 32).
    const fate = status === 0 || this.#load.isTiedToNode ? 'unknown' : 'refused';
    const { botReason } = modelHitOf(item, site.name);
    if (botReason !== '' && fate === 'unknown') {
      const { unsure } = site.sent(round);
      unsure.set(botReason, (unsure.get(botReason) ?? 0) + 1);
    }
    site.doubts.push({
      path: item.path,
      fate,
      adopt: () => this.#count(sending, site),
    });
  }

  /** Sends to that node, or to one after the other, until there is an answer that settles it. */
  async #insist(
    sending: Sending,
    site: Site,
    tied: Node | null,
  ): Promise<{ answer: Answer; unknown: number; arrivals: number }> {
    const { counts } = this.#load.ledger;
    const startMs = performance.now();
    let [unknown, arrivals] = [0, 0];
    for (;;) {
      const answer = await this.#send(sending, site, tied ?? this.#rests.pick(this.#load.nodes));
      counts.attempts++;
      const { status } = answer;
      if (status === 0) unknown++;
      if (status !== -1) arrivals++;
      if (status === -1) counts.unreachable++;
      else if (status === 0) counts.unknown++;
      else if (status === 503) counts.refused++;
      else if (status !== 200) this.#wrong(sending, answer);
      // On its way when the servers went: with a spool that is told at once, and may be stored.
      const isRefused = status === 503 && (tied !== null || !this.#rests.chance(TRIED_AGAIN));
      const isSettled = sending.key === '' && (status === 0 || isRefused);
      const isLate = performance.now() - startMs > GIVE_UP_MS;
      if (status === 200 || isSettled || isLate) return { answer, unknown, arrivals };
      await pause(10 + this.#rests.next() * 40);
    }
  }

  #wrong({ kind, items }: Sending, { status, text }: Answer): void {
    this.#load.ledger.differs(
      `${items.length} good ${ENDPOINTS[kind]} were answered ${status} ${text.slice(0, 200)}`,
    );
  }

  #send({ kind, isBatch, items, key }: Sending, site: Site, node: Node): Promise<Answer> {
    const wires = items.map((item) => wireOf(item, site.name));
    const headers: Record<string, string> = { Authorization: `Bearer ${site.made.access_key}` };
    if (key !== '') headers['Idempotency-Key'] = key;
    const hangsUp = key !== '' && this.#rests.chance(HANGS_UP);
    return this.#http.send({
      url: `${node.baseUrl}/api/v1/${ENDPOINTS[kind]}${isBatch ? '/batch' : ''}`,
      method: 'POST',
      headers,
      body: JSON.stringify(isBatch ? wires : wires[0]),
      timeoutMs: key === '' ? PATIENCE_WITHOUT_KEY_MS : PATIENCE_MS,
      ...(hangsUp ? { hangsUpAfterMs: this.#rests.next() * 8 } : {}),
    });
  }

  /** Once more what was acknowledged before: the same answer, and counted as repeat only (I-76). */
  async #repeat(known: Known): Promise<void> {
    const { sending, site, round, node } = known;
    const { answer, arrivals } = await this.#insist(sending, site, node);
    const { repeats } = site.sent(round);
    repeats[1] += sending.items.length * arrivals;
    if (answer.status !== 200) return;
    repeats[0] += sending.items.length;
    this.#load.ledger.counts.repeated++;
    this.#check(known, answer);
  }

  #check({ sending, answer: wanted }: Known, { text }: Answer): void {
    if (!sending.isBatch) return;
    const { accepted, rejected } = JSON.parse(text) as BatchAnswer;
    const got = { accepted, rejected: rejected.map(({ index }) => index) };
    const found = difference(got, wanted, 'answer of a batch');
    if (found !== '') this.#load.ledger.differs(found);
  }
}
