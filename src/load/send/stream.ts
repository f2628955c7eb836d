/**
 * A stretch of load: requests by a schedule over a number of connections, and what became of each.
 *
 * Control plane around a hot loop. Timers are good to a millisecond, so requests are sent at most that
 * late by a tick, and in between whenever an answer comes. How late the load program itself was is
 * counted apart (`sentLate`): only a reader who knows it can tell a slow target from a slow load.
 */
import { monotonicMs } from '../../base/clock.ts';
import type { Answer } from './answer.ts';
import { Connection, type Endpoint, type Watcher } from './connection.ts';
import { Latencies, type Percentiles } from './latencies.ts';
import type { Requests } from './requests.ts';
import { Schedule } from './schedule.ts';

const TICK_MS = 1;
const SECOND_MS = 1_000;

/** What is sent, where, and how fast. */
export interface StreamPlan {
  readonly endpoint: Endpoint;
  readonly requests: Requests;
  /** Requests a second; null: as fast as they are answered. */
  readonly rate: number | null;
  readonly connections: number;
  readonly seconds: number;
  /** Before them, at the same rate; counted, but in no latency. */
  readonly warmUpSeconds: number;
  /** After that long without an answer a request counts as unanswered. */
  readonly patienceMs: number;
  /** Whether an answer of 2xx refuses all the same; absent: none does. */
  readonly isRefused?: (answer: string) => boolean;
}

/** What became of requests. */
export interface Fates {
  sent: number;
  /** Answered 2xx, and not refused in the answer. */
  accepted: number;
  refused: number;
  /** No answer came: the connection broke, or the patience was over. */
  unanswered: number;
}

/** One second of a stretch. */
export interface Second extends Fates {
  /** Since the first request, the warm-up included. */
  readonly second: number;
  readonly isWarmUp: boolean;
  readonly p50: number;
  readonly p99: number;
}

/** What came of a stretch. */
export interface StreamResult {
  /** Of everything that was sent, the warm-up included. */
  readonly total: Readonly<Fates>;
  /** Of what was due after the warm-up. */
  readonly measured: Readonly<Fates>;
  /** Due after the warm-up, but never sent: no connection was free until the patience was over. */
  readonly notSent: number;
  /** From the moment due to the whole answer; whoever waits in vain counts with how long. */
  readonly latencies: Latencies;
  readonly sentLate: Percentiles;
  /** Seconds from the end of the warm-up to the last answer. */
  readonly seconds: number;
  /** Share of one core that this process took meanwhile. */
  readonly ownCpuShare: number;
  readonly perSecond: readonly Second[];
  /** Answers that refused, by status; and reasons of lost connections: how often each. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly losses: ReadonlyMap<string, number>;
  /** The first answer that refused. */
  readonly firstRefusal: string | null;
  /** It was told to stop before it was over. */
  readonly wasStopped: boolean;
}

const noFates = (): Fates => ({ sent: 0, accepted: 0, refused: 0, unanswered: 0 });

/** Runs once. */
export class Stream implements Watcher {
  readonly #plan: StreamPlan;
  readonly #schedule: Schedule;
  readonly #connections: Connection[] = [];
  readonly #latencies = new Latencies();
  readonly #lateness = new Latencies();
  readonly #interval = new Latencies();
  readonly #total = noFates();
  readonly #measured = noFates();
  readonly #perSecond: Second[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #losses = new Map<string, number>();
  readonly #warmUpMs: number;
  readonly #endMs: number;
  #counted = noFates();
  #firstRefusal: string | null = null;
  #startMs = Number.NaN;
  #opened = 0;
  #waiting = 0;
  #wasStopped = false;
  #cpuBefore: NodeJS.CpuUsage | null = null;
  #onStarted: () => void = () => undefined;

  constructor(plan: StreamPlan) {
    this.#plan = plan;
    this.#warmUpMs = plan.warmUpSeconds * SECOND_MS;
    this.#endMs = this.#warmUpMs + plan.seconds * SECOND_MS;
    const seconds = plan.warmUpSeconds + plan.seconds;
    this.#schedule = new Schedule({ ...plan, seconds });
  }

  /**
   * Opens the connections, and resolves once all of them are open, or as many as open in time.
   *
   * @param waitMs for servers that take no more.
   */
  open(waitMs: number): Promise<void> {
    const { endpoint, connections, requests } = this.#plan;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#onStarted = () => {
        clearTimeout(timer);
        resolve();
      };
      for (let index = 0; index < connections; index++) {
        const of = { endpoint, index, bytesMax: requests.bytesMax, watcher: this };
        this.#connections.push(new Connection(of));
      }
    });
  }

  /** Ends it early; what is under way is still waited for. */
  stop(): void {
    this.#wasStopped = true;
  }

  /** Sends, and waits for the answers. @param onSecond told of every second that is over. */
  async run(onSecond: (second: Second) => void): Promise<StreamResult> {
    this.#startMs = monotonicMs();
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const nowMs = monotonicMs() - this.#startMs;
        if (!this.#wasStopped) this.#sendDue(nowMs);
        this.#beginMeasuring(nowMs);
        if (nowMs >= (this.#perSecond.length + 1) * SECOND_MS) this.#endSecond(nowMs, onSecond);
        if (!this.#isOver(nowMs)) return;
        clearInterval(timer);
        resolve();
      }, TICK_MS);
    });
    const nowMs = monotonicMs() - this.#startMs;
    const notSent = this.#giveUp(nowMs);
    this.#endSecond(nowMs, onSecond);
    for (const connection of this.#connections) connection.close();
    return this.#result(nowMs, notSent);
  }

  onOpen(connection: number): void {
    if (++this.#opened === this.#plan.connections) this.#onStarted();
    this.#free(connection);
  }

  onAnswer(connection: number, answer: Answer): void {
    const nowMs = monotonicMs() - this.#startMs;
    const dueMs = this.#schedule.dueOf(connection);
    if (Number.isNaN(dueMs)) return;
    this.#waiting--;
    const isMeasured = dueMs >= this.#warmUpMs;
    if (this.#isAccepted(answer)) {
      this.#total.accepted++;
      if (isMeasured) this.#measured.accepted++;
    } else {
      this.#total.refused++;
      if (isMeasured) this.#measured.refused++;
      this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1);
      this.#firstRefusal ??= answer.bytes.toString('utf8');
    }
    this.#recordLatency(nowMs - dueMs, isMeasured);
    this.#free(connection, nowMs);
  }

  onLost(connection: number, reason: string): void {
    const dueMs = this.#schedule.dueOf(connection);
    if (!Number.isNaN(dueMs)) {
      this.#waiting--;
      this.#total.unanswered++;
      if (dueMs >= this.#warmUpMs) this.#measured.unanswered++;
      this.#losses.set(reason, (this.#losses.get(reason) ?? 0) + 1);
    }
    this.#schedule.remove(connection);
  }

  #free(connection: number, nowMs = monotonicMs() - this.#startMs): void {
    this.#schedule.free(connection, Number.isNaN(nowMs) ? 0 : nowMs);
    if (!Number.isNaN(nowMs) && !this.#wasStopped) this.#sendDue(nowMs);
  }

  #sendDue(nowMs: number): void {
    for (;;) {
      const at = this.#schedule.take(nowMs);
      if (at < 0) return;
      const connection = this.#connections[at]!;
      this.#waiting++;
      this.#total.sent++;
      if (this.#schedule.takenDueMs >= this.#warmUpMs) {
        this.#measured.sent++;
        this.#lateness.record(this.#schedule.takenLateMs);
      }
      connection.send(this.#plan.requests.writeNext(connection.buffer));
    }
  }

  #isAccepted({ status, bytes }: Answer): boolean {
    if (status < 200 || status > 299) return false;
    const { isRefused } = this.#plan;
    return isRefused === undefined || !isRefused(bytes.toString('latin1'));
  }

  #recordLatency(ms: number, isMeasured: boolean): void {
    this.#interval.record(ms);
    if (isMeasured) this.#latencies.record(ms);
  }

  #beginMeasuring(nowMs: number): void {
    if (this.#cpuBefore === null && nowMs >= this.#warmUpMs) this.#cpuBefore = process.cpuUsage();
  }

  /** Over once everything is answered; whoever waits too long is given up on. */
  #isOver(nowMs: number): boolean {
    const isSent = this.#wasStopped || this.#schedule.isSent(nowMs);
    if (isSent && this.#waiting === 0) return true;
    return nowMs > this.#endMs + this.#plan.patienceMs || (this.#wasStopped && this.#isLate(nowMs));
  }

  #isLate(nowMs: number): boolean {
    return this.#connections.every((_, at) => {
      const dueMs = this.#schedule.dueOf(at);
      return Number.isNaN(dueMs) || nowMs - dueMs > this.#plan.patienceMs;
    });
  }

  #endSecond(nowMs: number, onSecond: (second: Second) => void): void {
    const { sent, accepted, refused, unanswered } = this.#total;
    const before = this.#counted;
    const second: Second = {
      second: this.#perSecond.length + 1,
      isWarmUp: nowMs <= this.#warmUpMs + TICK_MS * 100 && this.#warmUpMs > 0,
      sent: sent - before.sent,
      accepted: accepted - before.accepted,
      refused: refused - before.refused,
      unanswered: unanswered - before.unanswered,
      p50: this.#interval.at(0.5),
      p99: this.#interval.at(0.99),
    };
    this.#counted = { ...this.#total };
    this.#interval.reset();
    this.#perSecond.push(second);
    onSecond(second);
    for (const [at, connection] of this.#connections.entries()) {
      if (nowMs - this.#schedule.dueOf(at) > this.#plan.patienceMs) {
        connection.reset('no answer in time');
      }
    }
  }

  /** What waits at the end counts with how long it has waited. @returns what was never sent. */
  #giveUp(nowMs: number): number {
    for (const [at] of this.#connections.entries()) {
      const dueMs = this.#schedule.dueOf(at);
      if (Number.isNaN(dueMs)) continue;
      if (dueMs >= this.#warmUpMs) this.#latencies.record(nowMs - dueMs);
      this.onLost(at, 'no answer in time');
    }
    if (this.#wasStopped) return 0;
    const backlog = this.#schedule.backlog(nowMs);
    let notSent = 0;
    for (let index = 0; index < backlog; index++) {
      const dueMs = this.#schedule.dueOfUnsent(index);
      if (dueMs < this.#warmUpMs) continue;
      this.#latencies.record(nowMs - dueMs);
      notSent++;
    }
    return notSent;
  }

  #result(nowMs: number, notSent: number): StreamResult {
    const seconds = Math.max(0, nowMs - this.#warmUpMs) / SECOND_MS;
    const { user, system } = process.cpuUsage(this.#cpuBefore ?? process.cpuUsage());
    return {
      total: this.#total,
      measured: this.#measured,
      notSent,
      latencies: this.#latencies,
      sentLate: this.#lateness.percentiles,
      seconds,
      ownCpuShare: seconds === 0 ? Number.NaN : (user + system) / (seconds * 1e6),
      perSecond: this.#perSecond,
      statuses: this.#statuses,
      losses: this.#losses,
      firstRefusal: this.#firstRefusal,
      wasStopped: this.#wasStopped,
    };
  }
}
