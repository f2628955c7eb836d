/**
 * Whether a data directory's registry has something new, for all threads of a node: a count in shared
 * memory.
 *
 * Read once per request, data plane included. Whoever has put a record into the directory's store
 * raises it before anybody is told, so that a request that begins afterwards is decided with that
 * record, at whichever thread (M-5).
 */

/** One thread's view of it; pass `memory` to a thread and open it there again. */
export class RegistrySignal {
  readonly memory: Int32Array<SharedArrayBuffer>;

  constructor(memory: Int32Array<SharedArrayBuffer>) {
    this.memory = memory;
  }

  /** Of a node that starts, or of a thread alone. */
  static create(): RegistrySignal {
    return new RegistrySignal(new Int32Array(new SharedArrayBuffer(4)));
  }

  /** How often it was raised; it comes round, so compare for equality only. */
  get count(): number {
    return Atomics.load(this.memory, 0);
  }

  /** There is a record that other threads may not have seen. */
  raise(): void {
    Atomics.add(this.memory, 0, 1);
  }
}
