/**
 * Keeps the keys of the days (P-22): makes them ahead of their day, and destroys them 48 h after
 * its end.
 *
 * Control plane, on the main thread, once a second. A key is on disk before any thread sees it:
 * what is acknowledged under it is counted under it after a kill, too. It is gone from memory
 * before it is gone from disk, since only the disk can fail; what failed is tried again.
 *
 *     made (agreed on) ─▶ file ─▶ memory of all threads ─▶ … ─▶ memory ─▶ file: overwritten
 */

import type { Clock } from '../../base/clock.ts';
import type { SharedDayKeys } from '../../ingest/visitor/day-keys.ts';
import { hasDayKey } from '../../model/key-days.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import type { DayKeyFile } from '../../store/day-key-file.ts';
import {
  agreedKeys,
  type CommonKeys,
  type DayKeyMap,
  isSameKey,
  neededDays,
} from './agreed-keys.ts';

/** How often it is looked whether the nodes still agree: servers may have lost their memory. */
const AGREE_MS = 2 * SECOND_MS;
/** So long a node that needs a key waits for the others before it makes one for itself. */
const APART_MS = MINUTE_MS;
const NONE: DayKeyMap = new Map();

/** What it is made of. */
export interface KeeperParts {
  readonly file: Pick<DayKeyFile, 'found' | 'put' | 'erase'>;
  readonly memory: SharedDayKeys;
  /** null: this node is alone. */
  readonly common: CommonKeys | null;
  readonly nowMs: Clock;
  /** Never stepped. */
  readonly monotonicMs: Clock;
  /** Keys came or went, or it is another day: what was derived from them is to be forgotten. */
  onChange(): void;
  /** What is told of days. */
  tell(what: 'made' | 'destroyed' | 'replaced', days: readonly number[]): void;
  /** The disk refuses: once, until it goes well again. */
  onFault(error: unknown): void;
  /** The other nodes cannot be asked for a minute: once, until they can. */
  onApart(error: unknown): void;
}

/** The keys of a node. */
export class KeyKeeper {
  readonly #parts: KeeperParts;
  /** On disk and in memory. */
  readonly #keys = new Map<number, Uint8Array>();
  /** On disk only: to be overwritten there. */
  readonly #over = new Set<number>();
  #isAsking = false;
  #isClosed = false;
  #isFaulty = false;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** Since when the others do not answer, and why; null: they do. */
  #apart: { readonly sinceMs: number; readonly cause: unknown; isTold: boolean } | null = null;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    const { file, memory } = parts;
    memory.today = this.#today();
    for (const [day, key] of file.found) {
      this.#keys.set(day, key);
      // One that is over is never used again, also where the disk does not let it go.
      if (hasDayKey(day, memory.today)) memory.put(day, key);
    }
  }

  /** Days whose keys this node holds, those among them that could not be destroyed. */
  get heldCount(): number {
    return this.#keys.size + this.#over.size;
  }

  /** Keys that should be gone from the disk and are not. */
  get overdueCount(): number {
    return this.#over.size;
  }

  /** The first look: every day that needs a key has one. @throws what keeps it from that. */
  async open(): Promise<void> {
    this.#turn();
    await this.#keepUp();
    if (this.#isMissing(this.#parts.memory.today)) throw this.#apart?.cause;
  }

  /** A look; it never rejects. What is over goes at once, also while the others are waited for. */
  async look(): Promise<void> {
    const faults: unknown[] = [];
    try {
      this.#turn();
    } catch (error) {
      faults.push(error);
    }
    try {
      await this.#keepUp();
    } catch (error) {
      faults.push(error);
    }
    if (faults.length > 0 && !this.#isFaulty) this.#parts.onFault(faults[0]);
    this.#isFaulty = faults.length > 0;
  }

  /** Overwrites what is in memory. */
  close(): void {
    this.#isClosed = true;
    this.#parts.memory.eraseAll();
    for (const key of this.#keys.values()) key.fill(0);
    this.#keys.clear();
  }

  #today(): number {
    return Math.floor(this.#parts.nowMs() / DAY_MS);
  }

  #isMissing(today: number): boolean {
    return neededDays(today).some((day) => !this.#keys.has(day));
  }

  #turn(): void {
    const { memory } = this.#parts;
    const today = this.#today();
    const isNewDay = memory.today !== today;
    memory.today = today;
    const wentCount = this.#letGo(today);
    if (isNewDay || wentCount > 0) this.#parts.onChange();
    this.#destroy();
  }

  async #keepUp(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const agreed = await this.#agreed(this.#parts.memory.today);
      if (!this.#isClosed) this.#take(agreed);
    } finally {
      this.#isAsking = false;
    }
  }

  /** Destroys what is over in memory, at once. @returns how many. */
  #letGo(today: number): number {
    const over = [...this.#keys.keys()].filter((day) => !hasDayKey(day, today));
    for (const day of over) {
      this.#parts.memory.erase(day);
      this.#keys.get(day)?.fill(0);
      this.#keys.delete(day);
      this.#over.add(day);
    }
    return over.length;
  }

  #destroy(): void {
    const days = [...this.#over].toSorted((left, right) => left - right);
    if (days.length === 0) return;
    const gone: number[] = [];
    try {
      for (const day of days) {
        this.#parts.file.erase(day);
        this.#over.delete(day);
        gone.push(day);
      }
    } finally {
      if (gone.length > 0) this.#parts.tell('destroyed', gone);
    }
  }

  /** What the days' keys are; nothing when it is not the time to ask, or nobody answers. */
  async #agreed(today: number): Promise<DayKeyMap> {
    const { common, monotonicMs } = this.#parts;
    const isMissing = this.#isMissing(today);
    if (common === null) return isMissing ? agreedKeys(NONE, this.#keys, today) : NONE;
    const nowMs = monotonicMs();
    if (!isMissing && nowMs - this.#askedMs < AGREE_MS) return NONE;
    this.#askedMs = nowMs;
    try {
      const agreed = await common.agree(this.#keys, today);
      this.#apart = null;
      return agreed;
    } catch (cause) {
      // Servers that elect a leader do not answer for some seconds.
      this.#apart ??= { sinceMs: nowMs, cause, isTold: false };
      if (nowMs - this.#apart.sinceMs < APART_MS) return NONE;
      if (!this.#apart.isTold) this.#parts.onApart(cause);
      this.#apart.isTold = true;
      return this.#ownKeys(today);
    }
  }

  /** Of a node that is apart from the others: of the days that hits come from now, and no others. */
  #ownKeys(today: number): DayKeyMap {
    const needed = neededDays(today, 1);
    if (needed.every((day) => this.#keys.has(day))) return NONE;
    const all = agreedKeys(NONE, this.#keys, today);
    return new Map([...all].filter(([day]) => needed.includes(day)));
  }

  #take(agreed: DayKeyMap): void {
    const { today } = this.#parts.memory;
    const news = [...agreed].filter(([day, key]) => {
      // Another day may have begun meanwhile.
      return hasDayKey(day, today) && !isSameKey(this.#keys.get(day), key);
    });
    const made: number[] = [];
    const replaced: number[] = [];
    try {
      for (const [day, key] of news.toSorted(([left], [right]) => left - right)) {
        this.#parts.file.put(day, key);
        this.#over.delete(day);
        const before = this.#keys.get(day);
        this.#keys.set(day, key);
        this.#parts.memory.put(day, key);
        before?.fill(0);
        (before === undefined ? made : replaced).push(day);
      }
    } finally {
      if (made.length > 0) this.#parts.tell('made', made);
      if (replaced.length > 0) this.#parts.tell('replaced', replaced);
      if (made.length + replaced.length > 0) this.#parts.onChange();
    }
  }
}
