/**
 * One request and its reply: the interpreter of an endpoint's row.
 *
 * Data plane for collection. Everything needed of the request is read before its handler returns to
 * uWebSockets.js; the abort callback is set before anything else can happen; a reply is written once
 * at most, in one cork, a long one compressed. Whatever a handler throws is answered.
 *
 *   begin → (body arrives in pieces) → handle → answer
 *      │             large: waits for its turn ┘ │         aborted: nothing is written any more
 *      └── refused at any point ─────────────────┘
 *
 * What is refused because something is not known, a bearer or an object, is looked for in the registry
 * once more (M-5), and then goes on from where it was refused; a body that comes meanwhile is kept.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type {
  Answer,
  BodyRule,
  Call,
  Endpoint,
  FileAnswer,
  FullAnswer,
  Packed,
  Slices,
  StreamAnswer,
} from '../api/endpoint.ts';
import { Problems } from '../api/problems.ts';
import { assert, must } from '../base/assert.ts';
import { monotonicMs } from '../base/clock.ts';
import type { Credential } from '../model/credential.ts';
import { errorBody, errors, OperatingError } from '../model/errors.ts';
import { DISCARDED_BODY_BYTES_MAX, LARGE_REQUEST_BYTES_MIN } from '../model/limits.ts';
import { bodyRefusal, checkReady, extendedCookie, rateOf, senderOf } from './admission.ts';
import { identifyOrNot, keptSender, permit, type Sender } from './authorize.ts';
import { PartialBody } from './body/body.ts';
import type { AwaitedBody } from './body/body-watch.ts';
import { readForm } from './body/form.ts';
import type { LargeRequest } from './body/large-requests.ts';
import { PouredBody } from './body/poured-body.ts';
import { knownError, toldError } from './fault-log.ts';
import { acceptedCodings, type Coding } from './http/accept-encoding.ts';
import { compress } from './http/compress.ts';
import { isForeignPage, sessionCookie } from './http/cookie.ts';
import { writeFile } from './http/file-reply.ts';
import { LastAnswer } from './http/last-answer.ts';
import { type Reply, writeReply } from './http/reply.ts';
import { framingFault, isChunked, readHead, requestHead } from './http/request-head.ts';
import { parseBody } from './parse-body.ts';
import type { RequestRate } from './rate/rate-limits.ts';
import { type AnsweredRequest, countAnswer, countRefusal } from './request-metrics.ts';
import type { ExchangeHost, Route } from './route.ts';
import { openStream } from './stream-reply.ts';
import {
  announcedFile,
  clientKeyOf,
  countedNetwork,
  errorImageOf,
  readVisitor,
} from './visitor.ts';

const NO_BYTES = new Uint8Array(0);

/** From its first header to its reply. */
export class Exchange implements Call, AwaitedBody, LargeRequest, AnsweredRequest {
  readonly receivedMs: number;
  readonly query: string;
  readonly host: string;
  readonly hasSession: boolean;
  readonly pathPart: string;
  readonly idempotencyKey: string | null;
  readonly visitor: Call['visitor'];
  readonly isHead: boolean;
  readonly file: Call['file'];
  credential: Credential | null = null;
  body: unknown = null;
  arrivedBytes = 0;
  isBodyAwaited = false;
  readonly startMs = monotonicMs();
  readonly #res: HttpResponse;
  readonly #host: ExchangeHost;
  readonly #route: Route;
  readonly #endpoint: Endpoint;
  readonly #origin: string;
  readonly #codings: readonly Coding[];
  /** What stands in place of an error's JSON; null: nothing does. */
  readonly #errorImage: Uint8Array | null;
  readonly #contentType: string;
  /** Of who asks for a stream, as streams are counted; '' of everybody else. */
  readonly #network: string;
  /** Null where nobody counts requests. */
  readonly #rate: RequestRate | null;
  #partial: PartialBody | null = null;
  /** A body that is not kept here. */
  #poured: PouredBody | null = null;
  /** The whole body, where it lies: only while it is read, or in `#partial`. */
  #bytes: Uint8Array = NO_BYTES;
  /** Headers of this answer alone. */
  #headers: FullAnswer['headers'] | null = null;
  /** What is left of a large request once its body is read. */
  #slices: Slices | null = null;
  /** Why the rest of the body is thrown away; answered once it has passed. */
  #refusal: OperatingError | null = null;
  #leftListener: (() => void) | null = null;
  /** What was said of the sender, for who looks later whether it is known, or still is. */
  #sender: Sender | null = null;
  #isAdmitted = false;
  /** The registry is looked at once more, or was. */
  #hasLooked = false;
  /** Refused unless that look brings something new. */
  #isLooking = false;
  /** What is answered is decided, though it may still be compressed. */
  #isDecided = false;
  /** The connection ends with the answer: where the request ends is not sure, or not waited for. */
  #closes = false;
  #last: LastAnswer | null = null;
  /** Answered or aborted: the response object must not be touched. */
  #isOver = false;

  constructor(host: ExchangeHost, route: Route, res: HttpResponse, req: HttpRequest) {
    const { endpoint } = route;
    res.onAborted(() => {
      const isLeft = !this.#isOver;
      this.#finish();
      if (isLeft) this.#leftListener?.();
    });
    if (!route.readsVisitor) readHead(req);
    this.visitor = route.readsVisitor ? readVisitor(res, req, host.addresses) : null;
    this.isHead = route.isHead;
    this.#errorImage = errorImageOf(endpoint);
    this.receivedMs = host.ports.nowMs();
    // Without a query uWebSockets.js says undefined, whatever its types say.
    this.query = route.readsQuery ? (req.getQuery() ?? '') : '';
    this.host = requestHead.host;
    this.hasSession = endpoint.body === null && sessionCookie(requestHead.cookie) !== '';
    this.pathPart = route.hasPathPart ? (req.getParameter(0) ?? '') : '';
    this.idempotencyKey = route.readsKey ? requestHead.idempotencyKey : null;
    this.file = endpoint.body?.open === undefined ? null : announcedFile(req);
    this.#contentType = endpoint.body?.kind === 'multipart' ? req.getHeader('content-type') : '';
    this.#network = endpoint.answer.kind === 'stream' ? countedNetwork(res, req, host) : '';
    this.#rate = rateOf(host, route.rate, { res, req, nowMs: this.receivedMs });
    this.#origin = route.cors.allowed(req);
    this.#codings = route.isPacked ? acceptedCodings(requestHead.acceptEncoding) : [];
    this.#res = res;
    this.#host = host;
    this.#route = route;
    this.#endpoint = endpoint;
    host.inFlightCount++;
  }

  /** Admits the request, the last one read, then handles it or waits for its body. */
  begin(): void {
    const { body } = this.#endpoint;
    const fault = framingFault(body !== null);
    this.#closes = fault !== null || isChunked();
    if (fault !== null) {
      this.#fail(fault);
      return;
    }
    this.isBodyAwaited = body !== null;
    let sender: Sender | null = null;
    try {
      sender = senderOf(this.#route, this.#host, { query: this.query, nowMs: this.receivedMs });
      this.#admit(sender);
    } catch (error) {
      this.#fail(error);
      const isBodyLetPass = this.#last !== null && body !== null;
      if (!this.#isLooking && !isBodyLetPass) return;
    }
    const isLookedAtLater = this.#isLooking || this.#endpoint.answer.kind === 'stream';
    if (isLookedAtLater) this.#sender = keptSender(must(sender, 'it was admitted or looked at'));
    if (body === null) {
      if (this.#isAdmitted) this.#handle();
      return;
    }
    this.#res.onData((piece, isLast) => this.#receive(body, piece, isLast));
    this.#host.bodies.began(this);
  }

  holdOpen(): void {
    // Going on, the engine begins to count its seconds anew.
    this.#res.pause();
    this.#res.resume();
    if (this.#poured?.isPaused) this.#res.pause();
  }

  giveUp(seconds: number): void {
    this.#closes = true;
    this.isBodyAwaited = false;
    this.#fail(this.#refusal ?? errors.BODY_LATE({ seconds }));
  }

  onLeft(listener: () => void): void {
    this.#leftListener = listener;
  }

  whenStored(answer: string | Uint8Array | OperatingError): (error: Error | null) => void {
    return (error) => {
      if (error !== null) this.#fail(error);
      else if (answer instanceof OperatingError) this.#tell(answer);
      else this.#answer(answer);
    };
  }

  countAs(name: string): () => void {
    return this.#rate?.countAs(name) ?? (() => undefined);
  }

  /** 503, 401, 403, 415, 413 in this order; the last by the announced length only. 429 before all. */
  #admit(sender: Sender): void {
    const endpoint = this.#endpoint;
    const { ports } = this.#host;
    ports.registry.keepUp();
    // Every request counts, also one that is refused; that of an unknown caller for its address.
    const { credential, refusal: unknown } = identifyOrNot(endpoint, sender, ports.access);
    this.credential = credential;
    if (this.#rate?.isOfBody === false) this.#rate.count(credential);
    checkReady(endpoint, this.#host);
    if (unknown !== null) throw unknown;
    if (this.credential !== null) {
      permit(endpoint, this.credential);
      this.#headers = extendedCookie(this.credential, sender, ports);
    } else if (endpoint.isForOwnPages === true && isForeignPage(sender.head, sender.ownOrigin)) {
      throw errors.ORIGIN_FOREIGN({});
    }
    const refusal = bodyRefusal(endpoint, sender.head);
    if (refusal !== null) {
      this.arrivedBytes = Number(sender.head.contentLength) || 0;
      throw refusal;
    }
    const sink = endpoint.body?.open?.(this, this.#host.ports);
    if (sink !== undefined) {
      this.#poured = new PouredBody(sink, this.#res, {
        answer: (answer) => void this.#answerWhenKnown(answer),
        refuse: (error) => this.#refuse(knownError(error, endpoint, this.#host)),
      });
    }
    this.#isAdmitted = true;
  }

  #receive(rule: BodyRule, chunk: ArrayBuffer, isLast: boolean): void {
    if (isLast) this.isBodyAwaited = false;
    this.#last?.passed(chunk.byteLength, isLast);
    if (this.#isDecided) return;
    this.arrivedBytes += chunk.byteLength;
    if (this.#refusal === null && this.arrivedBytes > rule.bytesMax) {
      this.#refuse(errors.BODY_TOO_LARGE({ bytesMax: rule.bytesMax }));
    }
    if (this.#refusal !== null) {
      if (this.#isLooking) return;
      if (isLast || this.arrivedBytes > DISCARDED_BODY_BYTES_MAX) this.#fail(this.#refusal);
      return;
    }
    try {
      const bytes = new Uint8Array(chunk);
      if (this.#poured?.take(bytes, isLast, this.#partial)) return;
      const isAtOnce = !this.#isLooking && (!this.#isLarge || this.#host.large.hasTime);
      const isForm = rule.kind === 'multipart';
      // Read where it lies, unless it is not whole or has to wait.
      if (isLast && isAtOnce && !isForm && this.#partial === null) this.#bytes = bytes;
      else {
        this.#partial ??= new PartialBody(this.#host.budget, this.clientKey);
        this.#partial.append(bytes);
        if (!isLast) return;
        this.#bytes = this.#partial.bytes();
      }
      if (!this.#isLooking) this.#begin();
    } catch (error) {
      if (isLast) this.#fail(error);
      else this.#refuse(knownError(error, this.#endpoint, this.#host));
    }
  }

  get #isLarge(): boolean {
    return this.#endpoint.body?.kind === 'hits' && this.arrivedBytes > LARGE_REQUEST_BYTES_MIN;
  }

  /** Begins to work on a body that is whole. */
  #begin(): void {
    const { large } = this.#host;
    if (this.#poured?.take(NO_BYTES, true, this.#partial)) return;
    if (this.#endpoint.body?.kind === 'multipart') void this.#readForm();
    else if (!this.#isLarge) while (!this.step());
    else if (large.hasTime) large.begin(this);
    else large.add(this);
  }

  get clientKey(): string {
    return clientKeyOf(this.visitor, this.credential);
  }

  /** Reads the body and begins with the endpoint's work, or goes on with it. */
  step(): boolean {
    if (this.#isDecided || this.#isOver) return true;
    try {
      if (this.#slices === null) {
        this.#read(this.#endpoint.body as BodyRule);
        this.#handle();
        return this.#slices === null;
      }
      const { done, value } = this.#slices.next();
      if (done !== true) return false;
      if (value !== null) this.#answer(value);
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  #read({ kind, validate }: BodyRule): void {
    assert(kind !== 'multipart' && kind !== 'file', 'forms are read in turns of their own');
    this.body = parseBody(kind, this.#bytes);
    this.#release();
    if (this.#rate?.isOfBody) this.#rate.count(this.credential, this.body);
    Problems.refuse(validate?.(this.body) ?? null);
  }

  /** What the parts of a form take counts as a body on its way until the request is answered. */
  async #readForm(): Promise<void> {
    try {
      this.body = await readForm(this.#bytes, this.#contentType);
      if (!this.#isOver) this.#handle();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** From here on the body is only let pass, so that a client that does not listen yet can hear. */
  #refuse(refusal: OperatingError): void {
    this.#refusal = refusal;
    this.#release();
  }

  #handle(): void {
    let answer: Answer | Promise<Answer> | Slices;
    try {
      answer = this.#endpoint.handle(this, this.#host.ports);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (answer === null) return;
    if (typeof answer === 'string' || answer instanceof Uint8Array) this.#answer(answer);
    else if (answer instanceof Promise) void this.#answerWhenKnown(answer);
    else if ('next' in answer) this.#slices = answer;
    else this.#answer(answer);
  }

  async #answerWhenKnown(answer: Promise<Answer>): Promise<void> {
    try {
      const json = await answer;
      if (json !== null && !this.#isOver) this.#answer(json);
    } catch (error) {
      this.#fail(error);
    }
  }

  #answer(answer: string | Uint8Array | FullAnswer | FileAnswer | StreamAnswer): void {
    if (typeof answer === 'string' || answer instanceof Uint8Array) this.#send(null, answer);
    else if ('bytesAt' in answer) this.#sendFile(answer);
    else if ('open' in answer) this.#stream(answer);
    else {
      this.#headers = { ...this.#headers, ...answer.headers };
      this.#send(null, answer.body, answer.packed);
    }
  }

  /** Stays in flight until the client has taken all of it. */
  #sendFile(file: FileAnswer): void {
    if (!this.#begins(file.headers)) return;
    writeFile(this.#res, this.#reply(null, NO_BYTES, ''), file, () => this.#finish());
  }

  /** @returns whether an answer without a known end may begin. */
  #begins(headers: Readonly<Record<string, string>>): boolean {
    // Where the request ends is not sure: the connection could only be cut.
    if (this.#closes) {
      this.#fail(errors.REQUEST_AMBIGUOUS({ reason: 'what is asked for is asked without a body' }));
      return false;
    }
    this.#isDecided = true;
    this.#headers = headers;
    countAnswer(this, this.#route.area, this.#endpoint.answer.status);
    return true;
  }

  /** It is in flight no longer: what comes now comes of itself. */
  #stream(answer: StreamAnswer): void {
    const host = this.#host;
    const place = { of: answer.of, network: this.#network };
    const refusal = host.streams.refusalOf(place);
    if (refusal !== null) this.#fail(refusal);
    else if (this.#begins({ ...this.#headers, ...answer.headers })) {
      const reply = this.#reply(null, NO_BYTES, '');
      const sender = must(this.#sender, 'who is to be streamed to has said who it is');
      const listening = { host, endpoint: this.#endpoint, sender, nowMs: this.receivedMs };
      this.#finish();
      openStream(this.#res, reply, answer, { ...listening, place });
    }
  }

  #fail(error: unknown): void {
    const isUnknown = error instanceof OperatingError && error.mayBeNew;
    if (isUnknown && !this.#hasLooked && this.#slices === null && !this.#isOver) {
      this.#lookAgain(error);
    } else this.#answerError(error);
  }

  /** What is not known here may have been made elsewhere a moment ago (M-5). */
  #lookAgain(refusal: OperatingError): void {
    this.#hasLooked = true;
    this.#isLooking = true;
    const goOn = (isNew: boolean): void => {
      this.#isLooking = false;
      if (this.#isOver || this.#isDecided) return;
      if (!isNew) this.#fail(refusal);
      else if (this.#isAdmitted) this.#handle();
      else this.#admitAgain();
    };
    // A registry that cannot be read is told of by whoever watches it.
    this.#host.ports.registry.lookAgain().then(goOn, () => goOn(false));
  }

  #admitAgain(): void {
    try {
      this.#admit(must(this.#sender, 'who was refused has said who it is'));
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#endpoint.body === null) this.#handle();
    else if (this.isBodyAwaited) return;
    else if (this.#refusal === null) this.#begin();
    else this.#fail(this.#refusal);
  }

  #answerError(error: unknown): void {
    // The client may be gone; a fault of ours is reported all the same.
    const known = toldError(error, this.#endpoint, this.#host, this.receivedMs);
    if (!this.#isDecided) countRefusal(this.#route.area, known);
    this.#tell(known);
  }

  #tell(error: OperatingError): void {
    this.#send(error, this.#errorImage ?? errorBody(error));
  }

  #send(error: OperatingError | null, body: string | Uint8Array, packed?: Packed): void {
    if (this.#isOver || this.#isDecided) return;
    this.#isDecided = true;
    const isPassing = this.isBodyAwaited && this.arrivedBytes <= DISCARDED_BODY_BYTES_MAX;
    if (this.#closes) this.#last = new LastAnswer(() => this.#write(error, body, ''), isPassing);
    else if (this.#codings.length === 0) this.#write(error, body, '');
    else compress(body, packed, this.#codings, (made, coding) => this.#write(error, made, coding));
  }

  #write(error: OperatingError | null, body: string | Uint8Array, coding: Coding | ''): void {
    if (this.#isOver) return;
    const reply = this.#reply(error, body, coding);
    countAnswer(this, this.#route.area, error?.status ?? this.#endpoint.answer.status);
    this.#finish();
    this.#res.cork(() => writeReply(this.#res, reply));
  }

  #reply(error: OperatingError | null, body: string | Uint8Array, coding: Coding | ''): Reply {
    const { isHead, status, head, errorHead } = this.#route;
    return {
      error,
      body,
      head: error === null || this.#errorImage !== null ? head : errorHead,
      status,
      headers: error === null ? this.#headers : null,
      rate: this.#rate?.told(this.credential) ?? null,
      allow: '',
      origin: this.#origin,
      coding,
      isHead,
      closesConnection:
        this.#host.isStopping || this.#closes || this.arrivedBytes > DISCARDED_BODY_BYTES_MAX,
    };
  }

  #release(): void {
    this.#partial?.release();
    this.#partial = null;
    this.#bytes = NO_BYTES;
  }

  /** Answered or aborted. */
  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.isBodyAwaited = false;
    this.#release();
    this.#poured?.abort();
    const host = this.#host;
    host.bodies.ended(this);
    host.inFlightCount--;
    if (host.inFlightCount === 0) host.onIdle?.();
  }
}
