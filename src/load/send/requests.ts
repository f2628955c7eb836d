/**
 * Prepared requests in turn: the bytes of each, with what has to be new written over its placeholders.
 *
 * Control plane around a hot loop: `writeNext` makes nothing but a copy. Whole requests are prepared
 * before the clock starts, so that the load program costs as little as it can.
 */
import { PLACEHOLDERS, writeAddress, writeFresh } from '../hits/placeholders.ts';

/** A request before it is written down. */
export interface WholeRequest {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** '' for none. */
  readonly body: string;
}

/** Where numbering begins; what is sent again has to begin elsewhere, or it is the same visitors. */
export interface Numbering {
  /** Ordinal of the first visit. */
  readonly visitBase: number;
  /** After so many visits the first come again; absent: never. */
  readonly visitLimit?: number;
  /** First of the numbers that make paths new, below 10^15. */
  readonly freshBase: number;
}

interface Place {
  readonly at: number;
  readonly kind: 'visit' | 'fresh' | 'clock';
  readonly ordinal: number;
}

interface Prepared {
  readonly bytes: Buffer;
  readonly places: readonly Place[];
}

/** HTTP/1.1 as it goes over the wire; placeholders are not touched. */
export function requestBytes({ method, path, headers, body }: WholeRequest, host: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${length}\r\n`;
  return Buffer.from(head + body, 'utf8');
}

/** Requests that come round, each time with visitors that nobody has seen. */
export class Requests {
  readonly #prepared: readonly Prepared[];
  readonly #visitCount: number;
  readonly #freshCount: number;
  readonly #visitLimit: number;
  readonly #wallClock: () => number;
  #visitBase: number;
  #freshBase: number;
  #turn = 0;
  #timeMs = Number.NaN;
  #timeText: Buffer = Buffer.alloc(0);
  /** Bytes of the longest request: what `writeNext` needs. */
  readonly bytesMax: number;

  /**
   * @param requests as `requestBytes` made them, one at least.
   * @param wallClock for requests that tell their time.
   */
  constructor(requests: readonly Buffer[], numbering: Numbering, wallClock: () => number) {
    this.#prepared = requests.map((bytes) => ({ bytes, places: placesOf(bytes) }));
    const places = this.#prepared.flatMap((request) => request.places);
    const countOf = (kind: Place['kind']) =>
      places.reduce(
        (most, place) => (place.kind === kind ? Math.max(most, place.ordinal + 1) : most),
        0,
      );
    this.#visitCount = countOf('visit');
    this.#freshCount = countOf('fresh');
    this.#visitBase = numbering.visitBase;
    this.#visitLimit = numbering.visitLimit ?? Number.MAX_SAFE_INTEGER;
    this.#freshBase = numbering.freshBase;
    this.#wallClock = wallClock;
    this.bytesMax = requests.reduce((most, { length }) => Math.max(most, length), 0);
  }

  /** Writes the next request at the beginning of `into`, and gives its length. */
  writeNext(into: Buffer): number {
    if (this.#turn === this.#prepared.length) {
      this.#turn = 0;
      this.#visitBase += this.#visitCount;
      this.#freshBase += this.#freshCount;
    }
    const { bytes, places } = this.#prepared[this.#turn++]!;
    bytes.copy(into);
    for (let index = 0; index < places.length; index++) this.#fill(into, places[index]!);
    return bytes.length;
  }

  #fill(into: Buffer, { at, kind, ordinal }: Place): void {
    if (kind === 'visit') {
      writeAddress(into, at, (this.#visitBase + ordinal) % this.#visitLimit);
    } else if (kind === 'fresh') {
      writeFresh(into, at, this.#freshBase + ordinal);
    } else {
      const nowMs = this.#wallClock();
      if (nowMs !== this.#timeMs) {
        this.#timeMs = nowMs;
        this.#timeText = Buffer.from(new Date(nowMs).toISOString(), 'latin1');
      }
      this.#timeText.copy(into, at);
    }
  }
}

/** Texts of more than one byte a character may stand before a place, so bytes are looked through. */
function placesOf(bytes: Buffer): Place[] {
  return [...bytes.toString('latin1').matchAll(PLACEHOLDERS)].map((match) => ({
    at: match.index,
    kind: (match[1] ?? match[3]) as Place['kind'],
    ordinal: Number(match[2] ?? 0),
  }));
}
