/**
 * The entries of a list or an object that is the whole of a JSON file, one after the other: a file
 * may be larger than the memory, an entry may not.
 */

import { JSONParser, TokenType } from '@streamparser/json';
import { SOURCE_ENTRY_LENGTH_MAX } from '../../model/import-limits.ts';
import { ImportFault, type Place, type SourceFile } from '../adapter.ts';
import { lineBreaksIn, textOf } from './text.ts';

/** Lists inside of lists: what products export has six. */
const DEPTH_MAX = 64;

/** An entry: a member of a list under its number, a member of an object under its name. */
export interface Entry {
  readonly key: string | number;
  readonly value: unknown;
  /** Where the entry ends. */
  readonly place: Place;
  /** From 1. */
  readonly number: number;
}

/**
 * The entries of a file in batches.
 *
 * @throws ImportFault when it is no whole JSON, and at an entry larger or deeper than any may be.
 */
export async function* entriesOf(file: SourceFile): AsyncGenerator<Entry[]> {
  const reading = new Reading(file.name);
  for await (const piece of textOf(file)) {
    reading.take(piece);
    if (reading.entries.length > 0) yield reading.entries;
    reading.entries = [];
  }
  reading.end();
  if (reading.entries.length > 0) yield reading.entries;
}

class Reading {
  entries: Entry[] = [];
  readonly #file: string;
  readonly #parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  #line = 1;
  #count = 0;
  #depth = 0;
  /** Characters since the last entry ended. */
  #length = 0;

  constructor(file: string) {
    this.#file = file;
    this.#parser.onValue = ({ key, value }) => {
      // What the paths leave over is the whole, when it ends.
      if (key === undefined) return;
      this.#length = 0;
      this.entries.push({ key, value, place: this.#place, number: ++this.#count });
    };
    this.#parser.onToken = ({ token }) => {
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#depth++;
      else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#depth--;
      if (this.#depth > DEPTH_MAX) throw new ImportFault(this.#place, `a depth of ${DEPTH_MAX}`);
    };
  }

  /** Takes a piece line by line, so that what is damaged has one. */
  take(piece: string): void {
    this.#length += piece.length;
    if (lineBreaksIn(piece) === 0) this.#write(piece);
    else {
      for (const [index, line] of piece.split('\n').entries()) {
        if (index > 0) this.#line++;
        if (line !== '') this.#write(line);
      }
    }
    if (this.#length <= SOURCE_ENTRY_LENGTH_MAX) return;
    const expected = `entries of at most ${SOURCE_ENTRY_LENGTH_MAX} characters`;
    throw new ImportFault(this.#place, expected, `entry ${this.#count + 1} is longer`);
  }

  end(): void {
    if (this.#parser.isEnded) return;
    throw new ImportFault(this.#place, this.#expected('the end of the JSON; the file is cut off'));
  }

  get #place(): Place {
    return { file: this.#file, line: this.#line };
  }

  #write(text: string): void {
    if (this.#parser.isEnded && text.trim() === '') return;
    try {
      this.#parser.write(text);
    } catch (cause) {
      if (cause instanceof ImportFault) throw cause;
      const fault = new ImportFault(this.#place, this.#expected('whole JSON'));
      fault.cause = cause;
      throw fault;
    }
  }

  #expected(what: string): string {
    return this.#count === 0 ? what : `${what} (behind entry ${this.#count})`;
  }
}
