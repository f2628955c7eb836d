/**
 * The registry: the records of every resource; everything that is not traffic.
 *
 * Control plane. A small replicated state machine: a change is an appended record. It is checked
 * against the state at the sequence it expects to follow, appended only if that is still the last
 * one (optimistic concurrency; else checked again on the newer state), and applied alike by every
 * thread, process and later node. Each thread opens its own; `keepUp` catches up with the threads of
 * its node, `refresh` with other processes as well, `lookAgain` with other nodes, too (M-5).
 *
 *   change(decide) ── checked on the view ──▶ append if sequence = n ──▶ record n + 1 + entities
 *                          ▲ lost the race: refresh, decide again                 │
 *                          └────────────────── refresh() ◀──── other threads, other processes
 *
 * Alone, a change is appended to the directory's own store before `change` returns. On several nodes
 * it goes through a `RegistryAppender` (`shared-registry.ts`), which puts it into a stream first.
 */
import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { randomKey } from '../../base/random.ts';
import { SharedRun } from '../../base/shared-run.ts';
import { errors } from '../../model/errors.ts';
import {
  REGISTRY_ATTEMPT_COUNT_MAX,
  REGISTRY_LOOK_INTERVAL_MS,
  REGISTRY_LOOK_MS_MAX,
  REGISTRY_WAITING_COUNT_MAX,
} from '../../model/limits.ts';
import type { HistoryPage } from '../../store/registry-history.ts';
import { type Author, RegistryStore, type StoredRecord } from '../../store/registry-store.ts';
import type { Change, Place, Policy } from '../descriptor/resource.ts';
import { checkChange, effectOf, secretsCreated } from './changes.ts';
import { withoutParts } from './file-parts.ts';
import { placeName, RECORD_MEANING } from './history.ts';
import { RegistrySignal } from './registry-signal.ts';
import { withUnused } from './unused.ts';
import { type EntityChange, RegistryView } from './view.ts';

/** Bytes of the installation's keys: as many as SHA-256 puts out. */
const KEY_BYTES = 32;

/** Where the changes of several nodes are put in one order. */
export interface RegistryAppender {
  /**
   * Appends a record directly behind another one.
   *
   * @returns false when somebody else was first. Either way what was appended is in the data
   *   directory's store by then.
   * @throws LOG_UNAVAILABLE, REGISTRY_RECORD_TOO_LARGE.
   */
  append(after: number, record: StoredRecord): Promise<boolean>;
  /** Brings the data directory's store to where the order ends now; rejects when that is not known. */
  catchUp(): Promise<void>;
}

/** Makes changes for the state it is given; `atMs` is the time of the record. */
export type Decide = (view: RegistryView, atMs: number) => readonly Change[];

/** When a change is made, and by whom (M-5). */
export interface Stamp {
  readonly nowMs: number;
  readonly by: Author;
}

/** The program itself. */
const NODE: Author = { kind: 'node', id: '' };

/** One thread's door to the registry of a data directory. */
export class Registry {
  readonly #store: RegistryStore;
  readonly #appender: RegistryAppender | null;
  #view = new RegistryView();
  #sequence = 0;
  #lastMs = 0;
  #visitorKey: Uint8Array = new Uint8Array(0);
  #tokenKey: Uint8Array = new Uint8Array(0);
  /** Changes of one thread take turns: they would only overtake each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #signal: RegistrySignal;
  /** The signal as it was when the view was last brought up to it. */
  #signalled: number;
  #glancedMs = Number.NEGATIVE_INFINITY;
  /** However many requests name what is unknown, the store is looked at so often. */
  readonly #looks = new SharedRun(() => this.#look(), REGISTRY_LOOK_INTERVAL_MS);

  private constructor(
    store: RegistryStore,
    appender: RegistryAppender | null,
    signal: RegistrySignal,
  ) {
    this.#store = store;
    this.#appender = appender;
    this.#signal = signal;
    this.#signalled = signal.count;
    // Entities and sequence come from one snapshot: nothing in between resets the reader.
    store.refresh();
    this.#sequence = store.sequence();
    this.#lastMs = store.record(this.#sequence)?.atMs ?? 0;
    for (const entity of store.entities()) this.#view.adopt(entity);
  }

  /**
   * Opens the registry of a data directory that has it alone, and makes both when there is none.
   *
   * @param nowMs the time of the record that a new registry begins with.
   * @param signal that of the node; default: no other thread changes anything.
   * @throws DATA_DIR_LAYOUT when other nodes have it too.
   */
  static open(dataDir: string, nowMs: number, signal = RegistrySignal.create()): Registry {
    const store = RegistryStore.openOwn(dataDir, RECORD_MEANING);
    const registry = new Registry(store, null, signal);
    if (registry.#view.secrets === null) registry.#changeHere({ nowMs, by: NODE }, newSecrets);
    registry.#readKeys();
    return registry;
  }

  /** Opens a registry that several nodes have; what stands in it comes from their stream. */
  static async openShared(
    dataDir: string,
    nowMs: number,
    appender: RegistryAppender,
    signal = RegistrySignal.create(),
  ): Promise<Registry> {
    const registry = new Registry(new RegistryStore(dataDir, RECORD_MEANING), appender, signal);
    if (registry.#view.secrets === null) await registry.change({ nowMs, by: NODE }, newSecrets);
    registry.#readKeys();
    return registry;
  }

  /** The last record that the view has seen; a change of it means a change of the view. */
  get sequence(): number {
    return this.#sequence;
  }

  /** What stands in the registry; the same object for the registry's whole life. */
  get view(): RegistryView {
    return this.#view;
  }

  /** Keys the visitor ids, 32 bytes. */
  get visitorKey(): Uint8Array {
    return this.#visitorKey;
  }

  /** Signs access tokens, 32 bytes. */
  get tokenKey(): Uint8Array {
    return this.#tokenKey;
  }

  /** Says what the settings of this node allow; changes that are made here are checked by it. */
  follow(policy: Policy): void {
    this.#view.policy = policy;
  }

  /**
   * Applies what threads of this node have appended before now.
   *
   * @cost one read of shared memory when there is nothing.
   */
  keepUp(): void {
    const { count } = this.#signal;
    if (count === this.#signalled) return;
    this.refresh();
    this.#signalled = count;
  }

  /**
   * Applies what anybody has appended before now, other nodes included: for who was about to refuse
   * something that it does not know (M-5).
   *
   * @returns whether the view is another one now. Never rejects: what nobody answers is not known.
   */
  async lookAgain(): Promise<boolean> {
    const before = this.#sequence;
    await this.#looks.ask();
    return this.#sequence !== before;
  }

  /**
   * A look at once, as far as this directory knows: for what is decided hit by hit. It is left out
   * when there was one within the last millisecond.
   *
   * @returns whether the view is another one now.
   */
  glance(): boolean {
    const nowMs = monotonicMs();
    if (nowMs - this.#glancedMs < REGISTRY_LOOK_INTERVAL_MS) return false;
    this.#glancedMs = nowMs;
    return this.refresh();
  }

  /**
   * Applies what others have appended.
   *
   * @returns whether there was anything.
   */
  refresh(): boolean {
    this.#store.refresh();
    if (this.#store.sequence() === this.#sequence) return false;
    for (const { sequence, record } of this.#store.recordsAfter(this.#sequence)) {
      for (const change of record.changes) this.#view.adopt(effectOf(change as Change));
      this.#sequence = sequence;
      this.#lastMs = Math.max(this.#lastMs, record.atMs);
    }
    return true;
  }

  /**
   * Changes the registry: all of the decided changes count, or none.
   *
   * @param decide called again when somebody else was first. No changes: nothing is appended.
   * @returns what was appended; it is in the view.
   * @throws VALIDATION_FAILED when a rule forbids it, REGISTRY_BUSY when others always win, and what
   *   the appender throws.
   */
  async change(stamp: Stamp, decide: Decide): Promise<readonly Change[]> {
    const appender = this.#appender;
    if (appender === null) return this.#changeHere(stamp, decide);
    if (this.#waiting >= REGISTRY_WAITING_COUNT_MAX) {
      throw errors.OVERLOADED({ reason: 'too many changes of the registry at once' });
    }
    this.#waiting++;
    const changed = this.#turn.then(() => this.#changeShared(stamp, decide, appender));
    this.#turn = changed.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return changed;
  }

  /** A part of a file, from disk; null when there is none. @throws STORE_DAMAGED. */
  part(table: string, id: string, index: number): Uint8Array | null {
    return this.#store.part(table, id, index);
  }

  /** The newest changes of what belongs to a place first: its domain's, its organization's (M-8). */
  history(place: Place, page: HistoryPage) {
    this.refresh();
    return this.#store.history(placeName(place), page);
  }

  /** Lets go of the files; nothing may be asked afterwards. */
  async close(): Promise<void> {
    await this.#store.close();
  }

  #changeHere({ nowMs, by }: Stamp, decide: Decide): readonly Change[] {
    for (let attempt = 0; attempt < REGISTRY_ATTEMPT_COUNT_MAX; attempt++) {
      this.refresh();
      const changes = withUnused(decide(this.#view, nowMs), this.#view);
      if (changes.length === 0) return changes;
      const effects = this.#check(changes);
      const record = withoutParts({ atMs: nowMs, by, changes });
      if (!this.#store.append(this.#sequence, record, effects)) continue;
      this.#signal.raise();
      this.refresh();
      return changes;
    }
    throw errors.REGISTRY_BUSY({ attempts: REGISTRY_ATTEMPT_COUNT_MAX });
  }

  /** Records get later times than those before them, whatever the clocks of their nodes say. */
  async #changeShared(
    { nowMs, by }: Stamp,
    decide: Decide,
    appender: RegistryAppender,
  ): Promise<readonly Change[]> {
    for (let attempt = 0; attempt < REGISTRY_ATTEMPT_COUNT_MAX; attempt++) {
      this.refresh();
      const atMs = Math.max(nowMs, this.#lastMs + 1);
      const changes = withUnused(decide(this.#view, atMs), this.#view);
      if (changes.length === 0) return changes;
      this.#check(changes);
      const isFirst = await appender.append(this.#sequence, { atMs, by, changes });
      this.#signal.raise();
      this.refresh();
      if (isFirst) return changes;
    }
    throw errors.REGISTRY_BUSY({ attempts: REGISTRY_ATTEMPT_COUNT_MAX });
  }

  /**
   * Each change is checked on the state that the ones before it leave; so they are applied to the
   * view one by one, and taken back: what is appended comes from the store.
   */
  #check(changes: readonly Change[]): EntityChange[] {
    const undo: EntityChange[] = [];
    const effects: EntityChange[] = [];
    try {
      for (const change of changes) {
        checkChange(change, this.#view);
        const effect = effectOf(change);
        effects.push(effect);
        undo.push(this.#view.apply(effect));
      }
    } finally {
      for (const change of undo.reverse()) this.#view.apply(change);
    }
    return effects;
  }

  async #look(): Promise<void> {
    if (this.#appender !== null) {
      // Without the other nodes what stands here is all there is to know.
      const caughtUp = this.#appender.catchUp().catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, REGISTRY_LOOK_MS_MAX);
      });
      await Promise.race([caughtUp, late]);
      clearTimeout(timer);
    }
    this.refresh();
  }

  #readKeys(): void {
    const secrets = this.#view.secrets;
    assert(secrets !== null, 'an open registry has its keys');
    this.#visitorKey = new Uint8Array(Buffer.from(secrets.visitorKey, 'hex'));
    this.#tokenKey = new Uint8Array(Buffer.from(secrets.tokenKey, 'hex'));
    assert(this.#visitorKey.length === KEY_BYTES, 'the visitor key has its length');
    assert(this.#tokenKey.length === KEY_BYTES, 'the token key has its length');
  }
}

/** Of several that open a new registry at once, the first one's keys stand. */
function newSecrets(view: RegistryView): readonly Change[] {
  if (view.secrets !== null) return [];
  const visitorKey = Buffer.from(randomKey(KEY_BYTES)).toString('hex');
  const tokenKey = Buffer.from(randomKey(KEY_BYTES)).toString('hex');
  return [secretsCreated({ id: 'secrets', visitorKey, tokenKey })];
}
