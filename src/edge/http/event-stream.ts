/**
 * One answer of server-sent events: written as they come, never more of them than the client reads.
 *
 * Control plane. What the kernel does not take waits here, to a bound; a client that leaves more unread
 * is closed, since nothing of what it missed would be true any more.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { EventSink } from '../../api/endpoint.ts';
import { LIVE_COMMENT_MS, LIVE_UNREAD_BYTES_MAX } from '../../model/limits.ts';

const COMMENT = ':\n\n';

/** An open stream. */
export class EventStream implements EventSink {
  readonly #res: HttpResponse;
  readonly #onEnd: () => void;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #isFull = false;
  #isOver = false;
  #commentMs: number;

  /** @param onEnd called once, however it ends. */
  constructor(res: HttpResponse, nowMs: number, onEnd: () => void) {
    this.#res = res;
    this.#onEnd = onEnd;
    this.#commentMs = nowMs;
    res.onWritable(() => this.#drain());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The engine keeps a head back until something follows, and the first event may be long in coming. */
  begin(): void {
    this.#write(COMMENT);
  }

  send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  /** Keeps the connection from being taken for an idle one. */
  keepOpen(nowMs: number): void {
    if (this.#isOver) return;
    if (nowMs - this.#commentMs >= LIVE_COMMENT_MS) {
      this.#commentMs = nowMs;
      this.#write(COMMENT);
      return;
    }
    // Going on, the engine begins to count its seconds anew.
    this.#res.pause();
    this.#res.resume();
  }

  /** Ends it from here: the client sees that it is over, and may come again. */
  end(): void {
    if (this.#isOver) return;
    this.left();
    this.#res.cork(() => this.#res.end());
  }

  /** The client has gone. */
  left(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#onEnd();
  }

  #write(text: string): void {
    if (this.#isOver) return;
    if (!this.#isFull) {
      this.#res.cork(() => {
        this.#isFull = !this.#res.write(text);
      });
      if (this.#isFull) this.#waitingBytes = Buffer.byteLength(text);
      return;
    }
    this.#waitingBytes += Buffer.byteLength(text);
    if (this.#waitingBytes <= LIVE_UNREAD_BYTES_MAX) this.#waiting.push(text);
    else {
      this.left();
      this.#res.close();
    }
  }

  #drain(): boolean {
    if (this.#isOver) return true;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#isFull = false;
    if (text !== '') this.#write(text);
    return true;
  }
}
