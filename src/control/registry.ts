/**
 * The registry: users, domains, clients; everything that is not traffic.
 *
 * Control plane. A small replicated state machine: a change is an appended record. It is checked
 * against the state at the sequence it expects to follow, appended only if that is still the last
 * one (optimistic concurrency; else checked again on the newer state), and applied alike by every
 * thread, process and later node. Each thread opens its own; `refresh` catches up with the others
 * and costs a single lookup when nothing has changed.
 *
 *   change(decide) ── checked on the view ──▶ append if sequence = n ──▶ record n + 1 + entities
 *                          ▲ lost the race: refresh, decide again                 │
 *                          └────────────────── refresh() ◀──── other threads, other processes
 */
import { assert } from '../base/assert.ts';
import { randomKey } from '../base/random.ts';
import { errors } from '../model/errors.ts';
import { REGISTRY_ATTEMPT_COUNT_MAX } from '../model/limits.ts';
import { RegistryStore } from '../store/registry-store.ts';
import { type Change, checkChange, effectOf } from './changes.ts';
import { type EntityChange, RegistryView } from './view.ts';

/** Bytes of the installation's keys: as many as SHA-256 puts out. */
const KEY_BYTES = 32;

/** One thread's door to the registry of a data directory. */
export class Registry {
  readonly #store: RegistryStore;
  #view = new RegistryView();
  #sequence = 0;
  #visitorKey: Uint8Array = new Uint8Array(0);
  #tokenKey: Uint8Array = new Uint8Array(0);

  private constructor(store: RegistryStore) {
    this.#store = store;
  }

  /**
   * Opens the registry of a data directory, and makes both when there is none.
   *
   * @param nowMs the time of the record that a new registry begins with.
   */
  static open(dataDir: string, nowMs: number): Registry {
    const registry = new Registry(new RegistryStore(dataDir));
    registry.#load();
    if (registry.#view.secrets === null) registry.#createSecrets(nowMs);
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

  /**
   * Applies what others have appended.
   *
   * @returns whether there was anything.
   */
  refresh(): boolean {
    this.#store.refresh();
    if (this.#store.sequence() === this.#sequence) return false;
    for (const record of this.#store.recordsAfter(this.#sequence)) {
      for (const change of record.changes) this.#view.apply(effectOf(change as Change));
      this.#sequence++;
    }
    return true;
  }

  /**
   * Changes the registry: all of the decided changes count, or none.
   *
   * @param decide makes the changes for the state it is given; called again when somebody else
   *   was first. No changes: nothing is appended.
   * @returns what was appended.
   * @throws VALIDATION_FAILED when a rule forbids it, REGISTRY_BUSY when others always win.
   */
  change(nowMs: number, decide: (view: RegistryView) => readonly Change[]): readonly Change[] {
    for (let attempt = 0; attempt < REGISTRY_ATTEMPT_COUNT_MAX; attempt++) {
      this.refresh();
      const changes = decide(this.#view);
      if (changes.length === 0 || this.#tryAppend(nowMs, changes)) return changes;
    }
    throw errors.REGISTRY_BUSY({ attempts: REGISTRY_ATTEMPT_COUNT_MAX });
  }

  /** Lets go of the files; nothing may be asked afterwards. */
  async close(): Promise<void> {
    await this.#store.close();
  }

  /**
   * Each change is checked on the state that the ones before it leave; so they are applied to the
   * view one by one, and taken back if any is refused or the append is lost.
   */
  #tryAppend(nowMs: number, changes: readonly Change[]): boolean {
    const undo: EntityChange[] = [];
    const effects: EntityChange[] = [];
    let isAppended = false;
    try {
      for (const change of changes) {
        checkChange(change, this.#view);
        const effect = effectOf(change);
        effects.push(effect);
        undo.push(this.#view.apply(effect));
      }
      isAppended = this.#store.append(this.#sequence, { atMs: nowMs, changes }, effects);
    } finally {
      if (isAppended) this.#sequence++;
      else for (const change of undo.reverse()) this.#view.apply(change);
    }
    return isAppended;
  }

  /** Entities and sequence come from one snapshot: nothing in between resets the reader. */
  #load(): void {
    this.#store.refresh();
    this.#sequence = this.#store.sequence();
    for (const entity of this.#store.entities()) this.#view.apply(entity as EntityChange);
  }

  /** Of several processes that open a new registry at once, the first one's keys stand. */
  #createSecrets(nowMs: number): void {
    const id = 'secrets';
    const visitorKey = Buffer.from(randomKey(KEY_BYTES)).toString('hex');
    const tokenKey = Buffer.from(randomKey(KEY_BYTES)).toString('hex');
    this.change(nowMs, (view) =>
      view.secrets === null
        ? [{ kind: 'secrets-created', payload: { id, visitorKey, tokenKey } }]
        : [],
    );
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
