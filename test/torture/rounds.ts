/**
 * The run: rounds of load and faults, and after each the cluster healed, waited for and judged.
 */

import { pause } from './cluster/child.ts';
import type { AccountSecrets, Cluster } from './cluster/cluster.ts';
import { CLOCK_FAULTS, type Fault, type FaultKind, happen } from './faults/faults.ts';
import { planFaults, printFault } from './faults/schedule.ts';
import { judgeDeliveries } from './judge/deliveries.ts';
import { compareLedger, judge } from './judge/judge.ts';
import { probe } from './judge/prober.ts';
import { rangeOf } from './judge/questions.ts';
import { Reader } from './judge/reader.ts';
import type { Ledger } from './load/ledger.ts';
import { type Known, type Load, LoadClient } from './load/load-client.ts';
import type { Receiver } from './load/receiver.ts';
import { dayOf, GENERATION_ROUNDS, makeSites, type Site, TIMED_COUNT } from './load/sites.ts';
import { Visits } from './load/visits.ts';
import { Stream } from './random.ts';

/** A fault answers for the silence up to so long after its end. */
const AFTERMATH_MS = 6_000;
/** A question that takes longer, when everybody is ready, is told of in the report. */
const SLOW_MS = 8_000;
/** The load goes on so long after the last fault. */
const AFTER_FAULTS_MS = 300;
/** Share of the rounds with a request that is larger than a message of NATS. */
const WITH_LARGE = 0.1;
/** Share of the questions after a round; all are asked after every tenth and the last. */
const ASKED = 0.35;

/** What a run is asked for. */
export interface RunOptions {
  seed: number;
  rounds: number;
  firstRound: number;
  nodes: number;
  /** NATS servers. */
  natsServers: number;
  spool: boolean;
  clients: number;
  seconds: number;
  faults: readonly FaultKind[];
  /** Stops after the first round with a difference. */
  stopsEarly: boolean;
}

/** A run on a cluster that has been started. */
export class Run {
  readonly #cluster: Cluster;
  readonly #options: RunOptions;
  readonly #ledger: Ledger;
  readonly #reader: Reader;
  readonly #receiver: Receiver;
  readonly #say: (line: string) => void;
  #sites: Site[] = [];
  /** Of generations that are over. */
  readonly #former: Site[][] = [];
  #generationDate = '';
  readonly #repeats: Known[] = [];

  constructor(
    cluster: Cluster,
    options: RunOptions & { secrets: AccountSecrets; ledger: Ledger; receiver: Receiver },
    say: (line: string) => void,
  ) {
    this.#cluster = cluster;
    this.#options = options;
    this.#ledger = options.ledger;
    this.#reader = new Reader(cluster.nodes, options.secrets);
    this.#receiver = options.receiver;
    this.#say = say;
  }

  /** Every round, then a last look at all of them. @throws Error when the cluster does not recover. */
  async rounds(isInterrupted: () => boolean): Promise<void> {
    const { firstRound, rounds, stopsEarly } = this.#options;
    for (let round = firstRound; round < firstRound + rounds; round++) {
      if (isInterrupted() || (stopsEarly && this.#ledger.counts.different > 0)) break;
      this.#ledger.round = round;
      await this.#round(round);
      this.#ledger.counts.rounds++;
    }
    await this.#lookBack();
    this.#reader.http.close();
  }

  async #round(round: number): Promise<void> {
    const startMs = performance.now();
    const { counts } = this.#ledger;
    const before = { ...counts };
    if (this.#sites.length === 0 || round % GENERATION_ROUNDS === 0) await this.#renew(round);
    const faults = this.#plan(round);
    const recoveryMs = await this.#storm(round, faults);
    const judgedMs = performance.now();
    const isOneDay = this.#isOneDay();
    for (const site of this.#sites) {
      await judge(this.#case(round), site, { isOneDay, share: this.#shareOf(round) });
      await judgeDeliveries({ receiver: this.#receiver, ledger: this.#ledger }, site);
    }
    this.#say(
      `round ${round}: ${faults.map(printFault).join(', ') || 'no fault'}; ` +
        `${counts.acknowledged - before.acknowledged} hits acknowledged, ` +
        `${counts.refused - before.refused} refusals, ${counts.unknown - before.unknown} unknown, ` +
        `ready again after ${recoveryMs.toFixed(0)} ms, ` +
        `${counts.compared - before.compared} answers compared in ` +
        `${(performance.now() - judgedMs).toFixed(0)} ms, ` +
        `${counts.deliveries - before.deliveries} requests to webhooks, ` +
        `${counts.different - before.different} different; ` +
        `${((performance.now() - startMs) / 1_000).toFixed(1)} s`,
    );
  }

  #plan(round: number): Fault[] {
    const { seed, faults: kinds, nodes, natsServers: servers, seconds } = this.#options;
    const hurt = { kinds, nodes, servers, loadMs: seconds * 1_000 };
    return planFaults(new Stream(seed, round, 'faults'), hurt);
  }

  #case(round: number) {
    const { nodes } = this.#cluster;
    return { nodes, reader: this.#reader, ledger: this.#ledger, seed: this.#options.seed, round };
  }

  /** Whether figures by day of live sites are certain. */
  #isOneDay(): boolean {
    return new Date().toISOString().startsWith(this.#generationDate);
  }

  #shareOf(round: number): number {
    const { firstRound, rounds } = this.#options;
    const isFull = round % GENERATION_ROUNDS === GENERATION_ROUNDS - 1;
    return isFull || round === firstRound + rounds - 1 ? 1 : ASKED;
  }

  async #renew(round: number): Promise<void> {
    if (this.#sites.length > 0) this.#former.push(this.#sites);
    this.#generationDate = new Date().toISOString().slice(0, 10);
    const generation = Math.floor(round / GENERATION_ROUNDS);
    this.#sites = await makeSites(
      this.#cluster,
      { reader: this.#reader, receiver: this.#receiver },
      generation,
    );
  }

  /** Load and faults, then calm. @returns how long it took until everything answered again. */
  async #storm(round: number, faults: readonly Fault[]): Promise<number> {
    const { nodes } = this.#cluster;
    const load: Load = {
      ...{ nodes, sites: this.#sites, ledger: this.#ledger, round, repeats: this.#repeats },
      ...{ isCalm: false, isTiedToNode: this.#cluster.hasSpool },
    };
    let isOver = false;
    const hasClockSteps = faults.some(({ kind }) => CLOCK_FAULTS.includes(kind));
    if (hasClockSteps) for (const site of this.#sites) site.hasClockSteps = true;
    const clients = this.#clients(load, hasClockSteps);
    // What is due again is so by the clock of its node, which may be set back by more than a round.
    this.#receiver.isPatient = hasClockSteps;
    const running = clients.map((client) => client.run(() => isOver));
    const random = new Stream(this.#options.seed, round, 'probes');
    const probing = probe(load, this.#reader, random, () => isOver);
    const beginMs = performance.now();
    const calming = setTimeout(() => {
      load.isCalm = true;
      this.#receiver.isPatient = true;
    }, this.#options.seconds * 1_000);
    const spans = await Promise.all(faults.map((fault) => this.#suffer(fault, beginMs)));
    const healedMs = performance.now();
    const recoveryMs = await this.#recover(round, healedMs);
    const leftMs = this.#options.seconds * 1_000 - (performance.now() - beginMs);
    await pause(Math.max(leftMs, AFTER_FAULTS_MS));
    isOver = true;
    clearTimeout(calming);
    await Promise.all([...running, probing]);
    // What was sent last may have been spooled.
    if (this.#cluster.hasSpool) await this.#cluster.ready();
    this.#ledger.recoveriesMs.push(recoveryMs);
    const endMs = performance.now();
    for (const { kind, fromMs, toMs } of spans) {
      this.#ledger.suffered(kind, fromMs, Math.min(toMs + AFTERMATH_MS, endMs));
    }
    this.#ledger.ingestion.clear();
    this.#ledger.statistics.clear();
    return recoveryMs;
  }

  #clients(load: Load, hasClockSteps: boolean): LoadClient[] {
    const { seed, clients } = this.#options;
    const { round } = load;
    const hasLarge = new Stream(seed, round, 'large').chance(WITH_LARGE);
    return Array.from({ length: clients }, (_, client) => {
      const visits = new Visits({
        random: new Stream(seed, round, 'visits', client),
        ...{ round, client, live: TIMED_COUNT },
        timed: Array.from({ length: TIMED_COUNT }, (_none, index) => index),
        dayMs: dayOf(round),
        isLarge: hasLarge && client === 0,
        hasClockSteps,
      });
      return new LoadClient(load, visits, [seed, round, client]);
    });
  }

  async #suffer(fault: Fault, beginMs: number) {
    await pause(beginMs + fault.atMs - performance.now());
    const fromMs = performance.now();
    await happen(this.#cluster, fault);
    return { kind: fault.kind, fromMs, toMs: performance.now() };
  }

  /** Every node ready and answering for every site. @returns milliseconds since the last fault. */
  async #recover(round: number, healedMs: number): Promise<number> {
    await this.#cluster.ready();
    const { nodes } = this.#cluster;
    const asked = this.#sites.flatMap((site) =>
      nodes.map(async (node) => {
        const parameters = { id: site.made.id, ...rangeOf(site, round) };
        const startMs = performance.now();
        await this.#reader.patiently(node, 'total', parameters);
        this.#notice(`${node.child.name} for ${site.name}`, performance.now() - startMs);
      }),
    );
    await Promise.all(asked);
    return performance.now() - healedMs;
  }

  #notice(who: string, tookMs: number): void {
    if (tookMs < SLOW_MS) return;
    const { slow, round } = this.#ledger;
    slow.push(`round ${round}: ${who} took ${tookMs.toFixed(0)} ms for a total after the faults`);
  }

  /** Nothing of an earlier round has changed since. */
  async #lookBack(): Promise<void> {
    const { firstRound, rounds } = this.#options;
    for (const [index, sites] of [...this.#former, this.#sites].entries()) {
      const generation = Math.floor(firstRound / GENERATION_ROUNDS) + index;
      for (const site of sites) {
        await judgeDeliveries({ receiver: this.#receiver, ledger: this.#ledger }, site);
        const of = site.isLive ? [generation * GENERATION_ROUNDS] : site.rounds;
        for (const round of of) {
          if (round < firstRound + rounds) await compareLedger(this.#case(round), site, round);
        }
      }
    }
  }
}
