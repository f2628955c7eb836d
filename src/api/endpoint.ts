/**
 * What an endpoint is: a row of data and a plain function. `edge` interprets it; nothing here knows
 * HTTP beyond method, path and status.
 */
import type { Validator } from '../base/validate.ts';
import type { Credential } from '../model/credential.ts';
import type { ScopeArea } from '../model/entities.ts';
import type { Ports } from './ports.ts';

/** What a client needs to be let in. */
export interface Scope {
  readonly area: ScopeArea;
  readonly right: 'r' | 'w';
}

/** A body an endpoint reads. */
export interface BodyRule {
  readonly bytesMax: number;
  /** Null when the handler checks the body itself, because more than its schema decides. */
  readonly validate: Validator | null;
  /** Hits: only the fields of `RawHit` are read, and each is there, undefined if it was not sent. */
  readonly holdsHits?: true;
}

/** One request, as far as a handler may know it. */
export interface Call {
  /** When it arrived: milliseconds since the epoch. */
  readonly receivedMs: number;
  /** What follows `?`, as sent. */
  readonly query: string;
  /** The header Idempotency-Key; null without one, which is not the same as an empty one. */
  readonly idempotencyKey: string | null;
  /** Who asks; null on public endpoints only. */
  readonly credential: Credential | null;
  /** The parsed body; null without a body rule. */
  readonly body: unknown;
  /**
   * For work that is of no use without its client: called once if it leaves before the answer.
   */
  onLeft(listener: () => void): void;
  /**
   * For handlers that answer later: what to call once, with null to answer `json` or with the error.
   */
  whenStored(json: string | Uint8Array): (error: Error | null) => void;
}

/** JSON as text or bytes; null when the handler answers later, through `whenStored`. */
export type Answer = string | Uint8Array | null;

/**
 * Work in slices of about a millisecond, and then the answer: whoever runs it lets others go first in
 * between (`edge/body/large-requests.ts`).
 */
export type Slices = Generator<undefined, Answer>;

/** Answers a call; an error it throws or rejects with is answered in the shape of A-11. */
export type Handler = (call: Call, ports: Ports) => Answer | Promise<Answer> | Slices;

/** One endpoint. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Null: public. */
  readonly scope: Scope | null;
  /** Access keys may only collect. */
  readonly allowsAccessKeys: boolean;
  /** False: answered also while starting and stopping. */
  readonly needsReady: boolean;
  /** Null: a body is ignored. */
  readonly body: BodyRule | null;
  /** Its answers of 200 are a few bytes: nobody looks whether the client takes them compressed. */
  readonly isBrief?: true;
  /** An answer of 200 holds a secret: no cache may keep it. */
  readonly isSecret?: true;
  /** Said beside every answer of 200, in the header X-Context: an array has no place for it. */
  readonly context?: Readonly<Record<string, string>>;
  readonly handle: Handler;
}
