/**
 * A node's own connection to the others: shared documents, questions, and hints that something moved.
 *
 * Control plane. Hits travel on another connection, so that a burst of them never makes a lease late.
 */

import type { NatsConnection } from 'nats';
import { type Answerer, answerAsks, answerLargeAsks, ask, askSubject } from './asks.ts';
import { type NatsAccess, openNats } from './connection.ts';
import { type BucketOptions, NatsDocuments } from './document.ts';
import { onceElected } from './streams.ts';

/** Who this is among the nodes. */
export interface PeerIdentity {
  /** First part of every name. */
  prefix: string;
  /** Id of this node. */
  node: string;
  /** Shown in the server's list of connections. */
  name: string;
}

/** The connection of one node. */
export class NatsPeer {
  readonly #connection: NatsConnection;
  readonly #prefix: string;
  readonly node: string;

  private constructor(connection: NatsConnection, { prefix, node }: PeerIdentity) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.node = node;
  }

  /** Connects. @throws NATS_UNREACHABLE, NATS_REFUSED, NATS_CREDENTIALS_UNREADABLE. */
  static async open(access: NatsAccess, identity: PeerIdentity): Promise<NatsPeer> {
    return new NatsPeer(await openNats(access, identity.name), identity);
  }

  /** Opens the documents `<prefix>_<name>`. */
  documents(name: string, options: BucketOptions): Promise<NatsDocuments> {
    const bucket = { name: `${this.#prefix}_${name}`, ...options };
    return onceElected(() => NatsDocuments.open(this.#connection, bucket));
  }

  /** Asks a node; see `ask`. */
  ask(node: string, question: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return ask(this.#connection, askSubject(this.#prefix, node), question, timeoutMs);
  }

  /** Answers the questions of others until the connection is closed. */
  answer(answerer: Answerer, onFault: (error: unknown) => void): void {
    answerAsks(this.#connection, askSubject(this.#prefix, this.node), answerer, onFault);
  }

  /** As `answer`, for answers of many bytes. */
  answerLarge(answerer: Answerer, onFault: (error: unknown) => void): void {
    answerLargeAsks(this.#connection, askSubject(this.#prefix, this.node), answerer, onFault);
  }

  /** Tells the other nodes that something moved; may be lost, like any hint. */
  hint(subject: string): void {
    if (!this.#connection.isClosed())
      this.#connection.publish(this.#hintSubject(subject), this.node);
  }

  /** Calls `listener` when another node hints. */
  onHint(subject: string, listener: () => void): void {
    this.#connection.subscribe(this.#hintSubject(subject), {
      callback: (error, message) => {
        if (error === null && message.string() !== this.node) listener();
      },
    });
  }

  /** Tells the other nodes something of a few bytes or many, which may be lost like a hint. */
  tell(subject: string, bytes: Uint8Array): void {
    if (!this.#connection.isClosed()) this.#connection.publish(this.#toldSubject(subject), bytes);
  }

  /** Calls `listener` with what nodes tell, this one among them. */
  onTold(subject: string, listener: (bytes: Uint8Array) => void): void {
    this.#connection.subscribe(this.#toldSubject(subject), {
      callback: (error, message) => {
        if (error === null) listener(message.data);
      },
    });
  }

  /** Sends what is under way, then lets go of the connection. */
  async close(): Promise<void> {
    await this.#connection.drain().catch(() => this.#connection.close());
  }

  #toldSubject(subject: string): string {
    return `${this.#prefix}.told.${subject}`;
  }

  #hintSubject(subject: string): string {
    return `${this.#prefix}.hint.${subject}`;
  }
}
