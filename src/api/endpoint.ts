/**
 * What an endpoint is: a row of data and a plain function. `edge` interprets it, OpenAPI is derived
 * from it; nothing here knows HTTP beyond method, path, status and headers.
 */
import type { Schema } from '../base/schema.ts';
import type { Validator } from '../base/validate.ts';
import type { RawHit } from '../ingest/raw-hit.ts';
import type { Credential } from '../model/credential.ts';
import type { OperatingError } from '../model/errors.ts';
import type { CallerKind, Role, ScopeArea } from '../model/rights.ts';
import type { Ports } from './ports.ts';

/** One area and right of a client. */
export interface Scope {
  readonly area: ScopeArea;
  readonly right: 'r' | 'w';
}

/** What it takes to be let in (M-3): one row per endpoint, read by `edge/authorize.ts`. */
export interface Auth {
  readonly callers: readonly CallerKind[];
  /** Any of them will do; none: whatever the caller's scopes are. */
  readonly scopes: readonly Scope[];
  /** On the object that the request names (`api/manage/permitted.ts`); null: it names none. */
  readonly role: Role | null;
}

/** A parameter of the query, or a header. */
export interface Parameter {
  readonly name: string;
  /** In the path there is at most one: what stands for `{name}` at its end. */
  readonly in: 'query' | 'header' | 'path';
  readonly description: string;
  readonly schema: Schema;
  readonly isRequired?: true;
  /** May be sent several times, to mean any of the values. */
  readonly repeats?: true;
}

/** A body an endpoint reads. */
export interface BodyRule {
  /** Of hits only the fields of `RawHit` are read, and each is there, undefined if it was not sent. */
  readonly kind: 'json' | 'hits' | 'multipart' | 'text' | 'file';
  readonly bytesMax: number;
  /** Null when the handler checks the body itself, because more than its schema decides. */
  readonly validate: Validator | null;
  /** What clients are told of it. */
  readonly schema: Schema;
  /**
   * Of a file: takes it piece by piece, however large it is, and answers; `handle` is not called. The
   * caller is known, and what they may do is checked here.
   */
  open?(call: Call, ports: Ports): BodySink;
}

/** Where a body goes that is not gathered. */
export interface BodySink {
  /** Takes a piece, which stays as it is. @returns whether there is room for more now. */
  write(piece: Buffer): boolean;
  /** Resolves once there is; rejects when nothing comes of it any more. */
  room(): Promise<void>;
  /** That was all. */
  end(): Promise<Answer>;
  /** Nothing more comes, and nothing is to be kept. */
  abort(): void;
}

/** How a good answer looks. Errors are JSON in the shape of A-11 everywhere. */
export interface AnswerRule {
  /** `file` and `stream` say their type themselves, `redirect` where it leads: see `FullAnswer`. */
  readonly kind: 'json' | 'html' | 'csv' | 'gif' | 'script' | 'file' | 'stream' | 'redirect';
  readonly status: number;
  /** Of JSON; null of everything else. */
  readonly schema: Schema | null;
  /** A few bytes: nobody looks whether the client takes them compressed. */
  readonly isBrief?: true;
  /** What is at this address never changes: whoever asks may keep it for a year. */
  readonly isImmutable?: true;
  /** Of a file: its answers are compressed in advance; others are sent as they are. */
  readonly isPacked?: true;
  /** How long whoever asked may keep a good answer, in seconds; what is refused is kept by nobody. */
  readonly cacheSeconds?: number;
  /** It holds a secret: no cache may keep it. */
  readonly isSecret?: true;
  /** Of this type: what whoever asks for an image is shown with the status of an error. */
  readonly errorImage?: Uint8Array;
}

/** What the HTTP request of a visitor's browser says of it. */
export interface Visitor {
  /** Address, user agent, languages and client hints; what the page says comes beside them. */
  readonly raw: RawHit;
  /** What the form of the request says (I-10 to I-13): a drop reason; 0 says nothing. */
  readonly requestVerdict: number;
}

/** One request, as far as a handler may know it. */
export interface Call {
  /** When it arrived: milliseconds since the epoch. */
  readonly receivedMs: number;
  /** What follows `?`, as sent. */
  readonly query: string;
  /** The header Host, as sent; '' without one. */
  readonly host: string;
  /** Whether a browser sent the cookie of a session, with no body; whether that goes on is not asked. */
  readonly hasSession: boolean;
  /** What stands for the parameter of the path, as sent; '' where the path has none. */
  readonly pathPart: string;
  /** The header Idempotency-Key; null without one, which is not the same as an empty one. */
  readonly idempotencyKey: string | null;
  /** What is said of a file that is brought: X-Filename, '' without it, and its length, 0 without it. */
  readonly file: { readonly name: string; readonly bytes: number } | null;
  /** Who asks; null on public endpoints only, of which those that greet people are told of them. */
  readonly credential: Credential | null;
  /** Whoever sent it; null where the endpoint does not ask. */
  readonly visitor: Visitor | null;
  /** Asked by HEAD: answered like GET, and nothing is done. */
  readonly isHead: boolean;
  /** The parsed body; null without a body rule. Of multipart its parts. */
  readonly body: unknown;
  /**
   * For work that is of no use without its client: called once if it leaves before the answer.
   */
  onLeft(listener: () => void): void;
  /**
   * For handlers that answer later: what to call once, with null to give `answer` or with the error. An
   * error as the answer is what is told of items that are stored as dropped.
   */
  whenStored(answer: string | Uint8Array | OperatingError): (error: Error | null) => void;
  /**
   * Counts this request under another name as well, in the window of its endpoint's kind: a login
   * under its email address (M-90). Before what it costs is done, so that many at once count as many.
   *
   * @returns takes it back, once what counts turns out not to have happened.
   * @throws RATE_LIMITED.
   */
  countAs(name: string): () => void;
}

/** A part of a multipart body. */
export interface Part {
  readonly name: string;
  /** '' when the client named none. */
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** An answer with headers of its own: the type of a file, where a redirect leads, a cookie. */
export interface FullAnswer {
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** The body by codings, where it is always the same: who takes one is sent it. */
  readonly packed?: Packed;
}

/** The same bytes, compressed in advance. */
export interface Packed {
  readonly br?: Uint8Array;
  readonly gzip: Uint8Array;
}

/** A file that is read piece by piece, as fast as its client takes it. */
export interface FileAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly byteCount: number;
  /**
   * One byte or more from an offset on; null when they are gone: then the connection ends. What takes
   * a while is waited for.
   */
  bytesAt(offset: number): Uint8Array | null | Promise<Uint8Array | null>;
  /** Called once when it is over, whether all of it was taken or the client has left. */
  close?(): void;
}

/** Where events of a stream go. */
export interface EventSink {
  /** @param data a line: JSON has no line breaks. */
  send(event: string, data: string): void;
}

/** Events as they come, as long as client and service like. */
export interface StreamAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** What it is about: of one thing there are so many streams at most. */
  readonly of: string;
  /** Whether a caller, who is still known, may still listen: asked every second. */
  isAllowed(credential: Credential): boolean;
  /** Begins. @returns what ends it. */
  open(sink: EventSink): () => void;
}

/** Text or bytes; null when the handler answers later, through `whenStored`. */
export type Answer = string | Uint8Array | FullAnswer | FileAnswer | StreamAnswer | null;

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
  /** One sentence for clients. */
  readonly summary: string;
  /** Null: public. */
  readonly auth: Auth | null;
  /**
   * Without credentials, and yet no page of another site may have a browser send it: signing
   * somebody in as somebody else would be its (M-80).
   */
  readonly isForOwnPages?: true;
  /** Pages of every site may have browsers send it and may read the answer. */
  readonly isForAnyPage?: true;
  /** The handler asks for `Call.visitor`. */
  readonly readsVisitor?: true;
  /** Public, and yet the handler is told who has signed in: whoever has not is answered as well. */
  readonly greetsPerson?: true;
  /** It changes nothing, although it is no GET: what it asks does not fit into an address. */
  readonly isReading?: true;
  /** False: answered also while starting and stopping. */
  readonly needsReady: boolean;
  readonly parameters: readonly Parameter[];
  /** Null: a body is ignored. */
  readonly body: BodyRule | null;
  readonly answer: AnswerRule;
  /** Statuses of refusals beside those that follow from auth, body and parameters. */
  readonly refusals?: readonly number[];
  /** An old or doubled path that does the same: OpenAPI leaves it out. */
  readonly isAlias?: true;
  readonly handle: Handler;
}
