/**
 * Records into the stream, each exactly once: published under an id until the stream says it has it.
 *
 * Data plane at batch granularity: a promise per record, and a record holds many hits. A
 * publication without an answer may have been stored, so it is repeated under the same id, which
 * the stream drops when it has it already; only after a deadline is it given up.
 *
 * A record larger than a message goes in parts. Each part but the first is stored only directly
 * behind the one before it (expected last sequence of the subject), so that a reader sees all parts
 * side by side or an unfinished row of them, which it drops.
 */

import { ErrorCode, headers, type JetStreamClient, type NatsConnection, NatsError } from 'nats';
import { monotonicMs } from '../../base/clock.ts';
import { randomAlphanumeric } from '../../base/random.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { apiCode } from './streams.ts';

/** How long a publication is repeated. */
const PUBLISH_DEADLINE_MS = 10_000;
/** How long one attempt waits for its answer. */
const ATTEMPT_MS = 2_000;
const RETRY_WAIT_MS = 100;
/** Room that headers and protocol take in a message. */
const MESSAGE_HEAD_BYTES = 1_024;
/** Attempts of a record in parts that others keep cutting in two. */
const PARTS_ATTEMPT_COUNT_MAX = 20;

const ID_LENGTH = 12;
/** Codes of the JetStream API. */
const WRONG_LAST_SEQUENCE = 10_071;
const STREAM_FULL = 10_077;

/** `<part>/<parts>`, on every part of a record that has several. */
export const PART_HEADER = 'Footfall-Part';

/** Publishes a node's records. */
export class NatsPublisher {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #stream: string;
  readonly #givesUp: () => boolean;
  // Ids never repeat: a random run, then a count.
  readonly #run = randomAlphanumeric(ID_LENGTH);
  #count = 0;

  /** @param givesUp asked after every attempt without an answer, whether it was the last one. */
  constructor(connection: NatsConnection, stream: string, givesUp = () => false) {
    this.#connection = connection;
    this.#client = connection.jetstream({ timeout: ATTEMPT_MS });
    this.#stream = stream;
    this.#givesUp = givesUp;
  }

  /**
   * Stores a record.
   *
   * @param id given when the record may have been sent before; records in parts have none.
   * @returns its sequence in the stream: that of its last part.
   * @throws LOG_UNAVAILABLE when the stream did not answer in time, LOG_FULL when it has no room.
   */
  async publish(subject: string, bytes: Uint8Array, id = this.#nextId()): Promise<number> {
    const deadlineMs = monotonicMs() + PUBLISH_DEADLINE_MS;
    const partBytes = this.#partBytes();
    if (bytes.length <= partBytes) {
      return await this.#store({ subject, bytes, deadlineMs, id });
    }
    for (let attempt = 0; attempt < PARTS_ATTEMPT_COUNT_MAX; attempt++) {
      try {
        return await this.#storeParts({ subject, bytes, deadlineMs }, partBytes);
      } catch (error) {
        if (apiCode((error as Error).cause) !== WRONG_LAST_SEQUENCE) throw error;
      }
    }
    throw errors.LOG_UNAVAILABLE({ reason: 'others always write between the parts of a record' });
  }

  #partBytes(): number {
    return (this.#connection.info?.max_payload ?? 1_048_576) - MESSAGE_HEAD_BYTES;
  }

  #nextId(): string {
    this.#count++;
    return `${this.#run}-${this.#count}`;
  }

  async #storeParts(
    record: { subject: string; bytes: Uint8Array; deadlineMs: number },
    partBytes: number,
  ): Promise<number> {
    const { bytes } = record;
    const parts = Math.ceil(bytes.length / partBytes);
    let sequence: number | null = null;
    for (let part = 0; part < parts; part++) {
      sequence = await this.#store({
        ...record,
        bytes: bytes.subarray(part * partBytes, (part + 1) * partBytes),
        id: this.#nextId(),
        part: `${part + 1}/${parts}`,
        behind: sequence,
      });
    }
    return sequence as number;
  }

  async #store(message: Message): Promise<number> {
    for (;;) {
      try {
        return await this.#attempt(message);
      } catch (error) {
        const isLast = () => this.#givesUp() || monotonicMs() >= message.deadlineMs;
        if (!isWorthRetrying(error) || isLast()) {
          throw publishError(error);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_WAIT_MS));
    }
  }

  async #attempt({ subject, bytes, id, part, behind }: Message): Promise<number> {
    const head = part === undefined ? {} : { headers: headers() };
    if (part !== undefined) head.headers?.set(PART_HEADER, part);
    const expect = { streamName: this.#stream };
    const after = behind === undefined || behind === null ? {} : { lastSubjectSequence: behind };
    const { seq } = await this.#client.publish(subject, bytes, {
      ...head,
      msgID: id,
      expect: { ...expect, ...after },
    });
    return seq;
  }
}

interface Message {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly id: string;
  readonly deadlineMs: number;
  readonly part?: string;
  /** Sequence of the part before; null for the first. */
  readonly behind?: number | null;
}

/** No answer, or nobody there: it may have been stored, and the id makes a repeat harmless. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof NatsError)) return false;
  const { code } = error;
  if (code === ErrorCode.ConnectionClosed || code === ErrorCode.ConnectionDraining) return false;
  // A full stream says so with the same status as one that elects a leader: it stays full.
  if (apiCode(error) === STREAM_FULL) return false;
  return apiCode(error) === 0 || error.api_error?.code === 503;
}

function publishError(cause: unknown): OperatingError | unknown {
  if (!(cause instanceof NatsError)) return cause;
  if (apiCode(cause) === STREAM_FULL) return errors.LOG_FULL({}, cause);
  const reason = cause.api_error?.description ?? cause.message;
  return errors.LOG_UNAVAILABLE({ reason }, cause);
}
