/**
 * Answers of HTTP/1.1 as they come from a socket: where one ends, and its status.
 *
 * Control plane around a hot loop. A server under load says the same again and again, so bytes that
 * are those of the answer before are not read a second time.
 */

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;
/** A server that never ends its answer must not fill the memory. */
const ANSWER_BYTES_MAX = 16 * 1_024 * 1_024;

/** A complete answer. */
export interface Answer {
  readonly status: number;
  /** Head and body. */
  readonly bytes: Buffer;
  /** The server closes the connection behind it. */
  readonly isLast: boolean;
}

/** What is no answer of HTTP/1.1. */
export const MALFORMED = 'malformed';

const EMPTY = Buffer.alloc(0);

/** Reads the answers of one connection, of which one is under way at a time. */
export class AnswerReader {
  #unread: Buffer = EMPTY;
  #before: Answer | null = null;

  /** @returns the answer once it is complete, null before. @param bytes valid during the call. */
  read(bytes: Buffer): Answer | typeof MALFORMED | null {
    const before = this.#before;
    if (this.#unread.length === 0 && before !== null && before.bytes.equals(bytes)) return before;
    // The socket takes its buffer back.
    this.#unread = Buffer.concat([this.#unread, bytes]);
    const answer = wholeAnswer(this.#unread);
    if (answer === null) return this.#unread.length > ANSWER_BYTES_MAX ? MALFORMED : null;
    this.#unread = EMPTY;
    if (answer !== MALFORMED) this.#before = answer;
    return answer;
  }

  /** The connection was closed: the end of an answer that names no length. */
  end(): Answer | null {
    const bytes = this.#unread;
    this.#unread = EMPTY;
    if (bytes.indexOf(HEAD_END) < 0) return null;
    const head = headOf(bytes, bytes.indexOf(HEAD_END));
    const hasLength = /\r\n(?:content-length|transfer-encoding):/i.test(head);
    return hasLength ? null : { status: statusOf(head), bytes, isLast: true };
  }
}

function wholeAnswer(bytes: Buffer): Answer | typeof MALFORMED | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = headOf(bytes, headEnd);
  if (!/^HTTP\/1\.[01] \d{3}/.test(head)) return MALFORMED;
  const status = statusOf(head);
  const bodyAt = headEnd + HEAD_END.length;
  if (status < 200) return wholeAnswer(bytes.subarray(bodyAt));
  const isLast = /\r\nconnection: *close/i.test(head) || head.startsWith('HTTP/1.0');
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const isWhole =
      bytes.length >= bodyAt + CHUNKS_END.length && bytes.subarray(-5).equals(CHUNKS_END);
    return isWhole ? { status, bytes, isLast } : null;
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) return status === 204 ? { status, bytes, isLast } : null;
  return bytes.length >= bodyAt + Number(length) ? { status, bytes, isLast } : null;
}

function headOf(bytes: Buffer, headEnd: number): string {
  return bytes.toString('latin1', 0, headEnd);
}

function statusOf(head: string): number {
  return Number(head.slice(STATUS_AT, STATUS_AT + 3));
}
