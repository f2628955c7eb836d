/**
 * One answer of server-sent events: written as they come, never more of them than the client reads.
 *
 * Control plane. The engine keeps what the kernel does not take, without saying how much that is. So
 * while it keeps anything nothing more is handed to it; what comes waits here, and both together to a
 * bound. A client that leaves more unread is closed, since nothing of what it missed would be true
 * any more.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { EventSink } from '../../api/endpoint.ts';
import { LIVE_COMMENT_MS, LIVE_UNREAD_BYTES_MAX } from '../../model/limits.ts';

const COMMENT = ':\n\n';

/** An open stream. */
export class EventStream implements EventSink {
  readonly #res: HttpResponse;
  readonly #onEnd: () => void;
  /** Handed over since the engine had nothing: what it keeps is no more. */
  #keptBytes = 0;
  /** The engine calls for more, too, when it goes on after a pause. */
  #hasPaused = false;
  #waiting: string[] = [];
  #waitingBytes = 0;
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
    this.#hasPaused = true;
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
    if (this.#keptBytes === 0) {
      this.#hand(text);
      return;
    }
    const bytes = Buffer.byteLength(text);
    if (this.#keptBytes + this.#waitingBytes + bytes > LIVE_UNREAD_BYTES_MAX) {
      this.left();
      this.#res.close();
      return;
    }
    this.#waiting.push(text);
    this.#waitingBytes += bytes;
  }

  /**
   * @returns whether the engine had nothing when this came: of what it is left with by this itself it
   * tells with the next call.
   */
  #hand(text: string): boolean {
    let hadNothing = true;
    this.#res.cork(() => {
      hadNothing = this.#res.write(text);
    });
    this.#keptBytes = hadNothing ? 0 : this.#keptBytes + Buffer.byteLength(text);
    return hadNothing;
  }

  /** There is room again. What the engine keeps it sends only when something is written. */
  #drain(): boolean {
    const isForNothing = this.#hasPaused && this.#keptBytes === 0;
    this.#hasPaused = false;
    if (this.#isOver || isForNothing || !this.#hand(COMMENT)) return true;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (text !== '') this.#hand(text);
    return true;
  }
}
