/**
 * Whose hits are dropped by their address (I-24): lists of the installation and of the domain.
 *
 * Data plane. A text is read once and compared with up to four sets; the hits of a visit come in a
 * row, so the answer for the address before is kept. A domain's lists are made with its `Site`, which
 * is made anew when they change; those of the installation are handed over whole.
 */

import { type AddressRanges, AddressSet } from '../base/address-set.ts';
import { IP_WORD_COUNT, readIpWords } from '../base/ip-words.ts';

/** Who is dropped, and who is not although a list of blocked addresses has it. */
export interface AddressLists {
  readonly block: AddressSet;
  readonly allow: AddressSet;
}

/** The ranges of such lists, as they travel to a thread. */
export interface ListedRanges {
  readonly block: AddressRanges;
  readonly allow: AddressRanges;
}

/** Judges addresses for one edge. */
export class AddressFilter {
  #own: AddressLists | null;
  readonly #words = new Uint32Array(IP_WORD_COUNT);
  #lastAddress = '';
  #lastLists: AddressLists | null = null;
  #lastVerdict = false;

  /** @param own of the installation; null: it has none. */
  constructor(own: ListedRanges | null) {
    this.#own = listsOf(own);
  }

  /** Takes other lists of the installation, from the next hit on. */
  replace(own: ListedRanges | null): void {
    this.#own = listsOf(own);
    this.#lastAddress = '';
  }

  /**
   * Whether hits from an address are dropped.
   *
   * Whom any list allows is let through, whichever list blocks it. Where anybody is blocked, a text
   * that is no address is blocked.
   *
   * @param address as I-3 cleans it.
   * @param lists of the domain; null: it has none.
   */
  blocks(address: string, lists: AddressLists | null): boolean {
    if (this.#own === null && lists === null) return false;
    if (address !== this.#lastAddress || lists !== this.#lastLists) {
      this.#lastAddress = address;
      this.#lastLists = lists;
      this.#lastVerdict = this.#judge(address, lists);
    }
    return this.#lastVerdict;
  }

  #judge(address: string, lists: AddressLists | null): boolean {
    const own = this.#own;
    if ((own === null || own.block.isEmpty) && (lists === null || lists.block.isEmpty))
      return false;
    const words = this.#words;
    const family = readIpWords(address, words);
    if (family === 0) return true;
    if (own?.allow.has(family, words) || lists?.allow.has(family, words)) return false;
    return (own?.block.has(family, words) || lists?.block.has(family, words)) === true;
  }
}

function listsOf(ranges: ListedRanges | null): AddressLists | null {
  if (ranges === null) return null;
  return { block: new AddressSet(ranges.block), allow: new AddressSet(ranges.allow) };
}
