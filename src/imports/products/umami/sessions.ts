/**
 * What Umami has of sessions, to be joined to their events: a table in memory, since events come in
 * no order of sessions.
 *
 * A session is 16 bytes of its id and a number a field; texts are kept once. A million sessions
 * take some 80 MB, whatever they say.
 */

import { JOINED_SESSION_COUNT_MAX } from '../../../model/import-limits.ts';
import type { Row } from '../../source/table.ts';

/** What belongs to the session, by the names of Umami's tables. */
export const SESSION_FIELDS = [
  ...(['hostname', 'browser', 'os', 'device', 'screen', 'language', 'country'] as const),
  ...(['region', 'subdivision1', 'city'] as const),
] as const;

type SessionField = (typeof SESSION_FIELDS)[number];

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ID_WORDS = 4;
const FIRST_CAPACITY = 1_024;

/** Sessions by their ids. */
export class Sessions {
  #count = 0;
  #capacity = FIRST_CAPACITY;
  #ids = new Uint32Array(FIRST_CAPACITY * ID_WORDS);
  #fields = new Uint32Array(FIRST_CAPACITY * SESSION_FIELDS.length);
  /** Row numbers from 1 by hash, open addressing, at most half full. */
  #slots = new Uint32Array(FIRST_CAPACITY * 2);
  readonly #texts: string[] = [''];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #words = new Uint32Array(ID_WORDS);

  /** Sessions known. */
  get count(): number {
    return this.#count;
  }

  /** @throws ImportFault when it has no id, or when there are more than anybody has. */
  add(row: Row): void {
    if (this.#count >= JOINED_SESSION_COUNT_MAX) {
      throw row.fault(`at most ${JOINED_SESSION_COUNT_MAX} sessions; import some years at a time`);
    }
    if (!this.#parse(row.text('session_id'))) {
      throw row.fault("a UUID under 'session_id'", row.text('session_id'));
    }
    if (this.#count === this.#capacity) this.#grow();
    const slot = this.#slotOf(this.#words);
    const known = this.#slots[slot] as number;
    const index = known === 0 ? this.#count++ : known - 1;
    this.#slots[slot] = index + 1;
    this.#ids.set(this.#words, index * ID_WORDS);
    for (const [field, name] of SESSION_FIELDS.entries()) {
      this.#fields[index * SESSION_FIELDS.length + field] = this.#numberOf(row.text(name));
    }
  }

  /** What is known of a session under a name; '' where nothing is. */
  text(id: string, name: SessionField): string {
    if (this.#count === 0 || !this.#parse(id)) return '';
    const row = this.#slots[this.#slotOf(this.#words)] as number;
    if (row === 0) return '';
    const field = (row - 1) * SESSION_FIELDS.length + SESSION_FIELDS.indexOf(name);
    return this.#texts[this.#fields[field] as number] as string;
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** Reads an id into the words. @returns whether it is one. */
  #parse(id: string): boolean {
    if (!ID.test(id)) return false;
    const digits = id.replaceAll('-', '');
    for (let word = 0; word < ID_WORDS; word++) {
      this.#words[word] = Number.parseInt(digits.slice(word * 8, word * 8 + 8), 16);
    }
    return true;
  }

  /** Where an id stands, or would. */
  #slotOf(words: Uint32Array): number {
    const mask = this.#slots.length - 1;
    let slot = ((words[0] as number) ^ (words[3] as number)) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const at = ((this.#slots[slot] as number) - 1) * ID_WORDS;
      if (words.every((word, index) => this.#ids[at + index] === word)) break;
    }
    return slot;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#ids = grown(this.#ids);
    this.#fields = grown(this.#fields);
    this.#slots = new Uint32Array(this.#capacity * 2);
    for (let index = 0; index < this.#count; index++) {
      const at = index * ID_WORDS;
      this.#slots[this.#slotOf(this.#ids.subarray(at, at + ID_WORDS))] = index + 1;
    }
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
