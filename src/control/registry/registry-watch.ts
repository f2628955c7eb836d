/**
 * Whether other processes have appended to a registry, for a thread that needs none of its records.
 *
 * Control plane. The main thread has it: it tells all others by the signal. A registry in memory is some
 * 500 bytes a record for each thread that has one.
 */
import { RegistryStore } from '../../store/registry-store.ts';
import type { Resource } from '../descriptor/resource.ts';
import type { RegistrySignal } from './registry-signal.ts';

/** Looks at the registry of a data directory, which is there. */
export class RegistryWatch {
  readonly #store: RegistryStore;
  readonly #signal: RegistrySignal;
  #sequence: number;

  /**
   * @param isShared whether other nodes have it, too.
   * @throws DATA_DIR_UNUSABLE; DATA_DIR_LAYOUT when they should not.
   */
  constructor(dataDir: string, signal: RegistrySignal, isShared: boolean) {
    this.#store = isShared
      ? new RegistryStore(dataDir, null)
      : RegistryStore.openOwn(dataDir, null);
    this.#signal = signal;
    this.#store.refresh();
    this.#sequence = this.#store.sequence();
  }

  /** Nobody has appended anything yet. */
  get isNew(): boolean {
    return this.#sequence === 0;
  }

  /** Raises the signal if anybody has appended since the look before. */
  look(): void {
    this.#store.refresh();
    const sequence = this.#store.sequence();
    if (sequence === this.#sequence) return;
    this.#sequence = sequence;
    this.#signal.raise();
  }

  /** Whether there is a record of a resource. */
  has({ table }: Resource): boolean {
    this.#store.refresh();
    return this.#store.hasEntity(table);
  }

  /** Lets go of the files. */
  async close(): Promise<void> {
    await this.#store.close();
  }
}
