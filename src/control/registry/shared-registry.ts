/**
 * The registry that several nodes share: a stream gives the order, each data directory keeps a copy.
 *
 * Control plane. One per process, beside the threads' `Registry`s, which read the copy and hand their
 * changes here. Records are written to the copy by whoever sees them first, each once, by sequence:
 *
 *     Registry.change ──▶ append ──▶ stream ──▶ follow ──▶ copy (LMDB) ──▶ Registry.refresh
 *                            └───── stored: into the copy at once ──▲
 *
 * What a data directory has at the first start with a stream becomes the stream's beginning when the
 * stream is empty; otherwise it must be the same, record by record, as far as it goes.
 */
import { randomAlphanumeric } from '../../base/random.ts';
import { SharedRun } from '../../base/shared-run.ts';
import { RegistryStream, type RegistryStreamOptions } from '../../bus/nats/registry.ts';
import { onceElected } from '../../bus/nats/streams.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { ENTITY_ID_LENGTH, STREAM_LOOK_INTERVAL_MS } from '../../model/limits.ts';
import { type PlacedRecord, RegistryStore, type StoredRecord } from '../../store/registry-store.ts';
import { withParts } from './file-parts.ts';
import { RECORD_MEANING } from './history.ts';
import type { RegistryAppender } from './registry.ts';
import { RegistrySignal } from './registry-signal.ts';
import { decodeRecord, encodeRecord, isSameRecord } from './stream-record.ts';

/** How long a change waits for what others have appended. */
const CATCH_UP_MS = 5_000;
/** How long a start does: for all that there is, from servers that may be electing a leader. */
const FIRST_CATCH_UP_MS = 30_000;
const LOOK_MS = 5;

/** A process's end of the shared registry. */
export class SharedRegistry implements RegistryAppender {
  readonly #store: RegistryStore;
  readonly #stream: RegistryStream;
  readonly #onFault: (error: Error) => void;
  readonly #signal: RegistrySignal;
  readonly #looks = new SharedRun(async () => {
    await this.#catchUp((await this.#stream.end()).last);
  }, STREAM_LOOK_INTERVAL_MS);
  #pending: PlacedRecord[] = [];
  /** Everything up to here is in the copy. */
  #adopted = 0;
  #fault: Error | null = null;

  private constructor(parts: {
    store: RegistryStore;
    stream: RegistryStream;
    onFault: (error: Error) => void;
    signal: RegistrySignal;
  }) {
    this.#store = parts.store;
    this.#stream = parts.stream;
    this.#onFault = parts.onFault;
    this.#signal = parts.signal;
  }

  /**
   * Opens the stream, and brings the directory's copy up to its end.
   *
   * @param onFault later: a record that cannot be applied; the copy is as it was before it.
   * @param signal is raised when the copy has something new.
   * @throws what `RegistryStream.open` throws; DATA_DIR_UNUSABLE, REGISTRY_DIVERGED, REGISTRY_NEWER,
   *   LOG_FOREIGN_RECORD, LOG_UNAVAILABLE.
   */
  static async open(
    dataDir: string,
    options: RegistryStreamOptions,
    onFault: (error: Error) => void,
    signal = RegistrySignal.create(),
  ): Promise<SharedRegistry> {
    const store = new RegistryStore(dataDir, RECORD_MEANING);
    let stream: RegistryStream | null = null;
    try {
      store.refresh();
      const opened = await RegistryStream.open(options, store.stream() === '');
      stream = opened;
      // Its leader may be lost right after it was there.
      await onceElected(() => agree(store, opened));
      store.bindStream(stream.name);
      const shared = new SharedRegistry({ store, stream, onFault, signal });
      await shared.#begin();
      return shared;
    } catch (error) {
      await stream?.close();
      await store.close();
      throw error;
    }
  }

  async append(after: number, given: StoredRecord): Promise<boolean> {
    if (this.#fault !== null) throw this.#fault;
    const record = { ...given, id: randomAlphanumeric(ENTITY_ID_LENGTH) };
    const bytes = encodeRecord(after, record);
    const bytesMax = this.#stream.recordBytesMax;
    if (bytes.length > bytesMax) {
      throw errors.REGISTRY_RECORD_TOO_LARGE({ bytes: bytes.length, bytesMax });
    }
    const sequence = await this.#put(after, bytes, record.id);
    if (sequence !== null) {
      this.#take(sequence, bytes);
      this.#adopt();
    }
    const last = sequence ?? (await this.#stream.end()).last;
    if (last < after) this.#fail(wentBack(this.#stream.name, last, after));
    await this.#catchUp(last);
    // Lost, or stored by an attempt that had no answer: what stands there tells.
    const [next] = this.#store.recordsAfter(after);
    return next?.record.id === record.id;
  }

  catchUp(): Promise<void> {
    return this.#looks.ask();
  }

  async close(): Promise<void> {
    await this.#stream.close();
    // What came last would be written to a store that is closed; the next start reads it again.
    this.#pending = [];
    await this.#store.close();
  }

  async #begin(): Promise<void> {
    this.#adopted = this.#store.sequence();
    this.#stream.follow(this.#adopted, (sequence, bytes) => {
      this.#take(sequence, bytes);
      // Together what came together: a new node gets thousands of records.
      if (this.#pending.length === 1) setImmediate(() => this.#adopt());
    });
    const { last } = await onceElected(() => this.#stream.end());
    await this.#catchUp(last, FIRST_CATCH_UP_MS);
  }

  /** @returns its sequence, null when others were first. */
  async #put(after: number, bytes: Uint8Array, id: string): Promise<number | null> {
    const sequence = await this.#stream.append(after, bytes, id);
    if (sequence !== null) return sequence;
    const { last, given } = await this.#stream.end();
    // Nothing but messages that were deleted stands behind it.
    return last === after ? await this.#stream.append(given, bytes, id) : null;
  }

  #take(sequence: number, bytes: Uint8Array): void {
    if (this.#fault !== null) return;
    const decoded = decodeRecord(sequence, bytes);
    if ('placed' in decoded) {
      this.#pending.push(decoded.placed);
      return;
    }
    const { name: stream } = this.#stream;
    this.#fail(
      'foreign' in decoded
        ? errors.LOG_FOREIGN_RECORD({ stream, sequence, fault: decoded.foreign })
        : errors.REGISTRY_NEWER({ stream, sequence, kind: decoded.newerKind }),
    );
  }

  #adopt(): void {
    const records = this.#pending;
    this.#pending = [];
    const last = records.at(-1);
    if (last === undefined) return;
    try {
      if (!this.#store.adopt(records)) {
        const fault = `a record before ${last.sequence} is missing there`;
        this.#fail(errors.REGISTRY_DIVERGED({ stream: this.#stream.name, fault }));
        return;
      }
    } catch (cause) {
      this.#fail(errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause));
      return;
    }
    this.#store.refresh();
    this.#adopted = Math.max(this.#adopted, last.sequence);
    this.#signal.raise();
  }

  #fail(error: OperatingError): void {
    this.#fault = error;
    this.#stream.unfollow();
    this.#onFault(error);
  }

  async #catchUp(sequence: number, withinMs = CATCH_UP_MS): Promise<void> {
    if (this.#adopted < sequence) this.#stream.nudge();
    for (let waitedMs = 0; this.#adopted < sequence; waitedMs += LOOK_MS) {
      if (this.#fault !== null) break;
      if (waitedMs > withinMs) {
        throw errors.LOG_UNAVAILABLE({ reason: `${this.#stream.name} is not read in time` });
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    if (this.#fault !== null) throw this.#fault;
    this.#store.refresh();
  }
}

function wentBack(stream: string, last: number, known: number): OperatingError {
  const fault = `it ends at ${last}, the directory has ${known} records of it`;
  return errors.REGISTRY_DIVERGED({ stream, fault });
}

/** Makes sure that copy and stream are one registry, of which the copy has the beginning. */
async function agree(store: RegistryStore, stream: RegistryStream): Promise<void> {
  const refuse = (fault: string) => errors.REGISTRY_DIVERGED({ stream: stream.name, fault });
  const bound = store.stream();
  if (bound !== '' && bound !== stream.name) throw refuse(`they belong to the stream ${bound}`);
  const local = store.sequence();
  const { last, given } = await stream.end();
  const common = Math.min(local, last);
  if (common > 0) await compare(common);
  if (local <= last) return;
  if (bound !== '') throw wentBack(stream.name, last, local);
  if (last !== given) throw refuse('its records were removed');
  for (const { sequence, record } of store.recordsAfter(last)) {
    const id = record.id ?? `record ${sequence}`;
    const bytes = encodeRecord(sequence - 1, withParts({ ...record, id }, store));
    const stored = await stream.append(sequence - 1, bytes, `${id} ${record.atMs}`);
    if (stored === null) await compare(sequence);
  }

  async function compare(sequence: number): Promise<void> {
    const bytes = await stream.read(sequence);
    const there = bytes === null ? null : decodeRecord(sequence, bytes);
    const here = store.record(sequence);
    const id = here?.id ?? `record ${sequence}`;
    const isSame =
      here !== null &&
      there !== null &&
      'placed' in there &&
      isSameRecord({ ...here, id }, there.placed.record);
    if (isSame) return;
    throw refuse(
      bound === ''
        ? 'both have accounts already'
        : `record ${sequence} is another one there: the stream was deleted or restored`,
    );
  }
}
