/** What the script is told, and what it gives a page: types alone, so nobody loads any of it. */

/** By attributes of the tag (D-31), or by the record of a domain in their place (M-22). */
export interface Settings {
  readonly code?: string;
  readonly endpoint?: string;
  readonly include?: string;
  readonly exclude?: string;
  readonly domains?: string;
  readonly dev?: string;
  /** What is only there or not. */
  readonly [name: string]: string | undefined;
}

/** What may be said of an event (D-32), in the words of its body. */
export interface EventOptions {
  readonly meta?: Readonly<Record<string, string | number | boolean>>;
  /** Seconds. */
  readonly duration?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly non_interactive?: boolean;
}

/** What a page calls; a stub of this name keeps calls in `q` until the script is there. */
export interface Footfall {
  (name: string, options?: EventOptions): Promise<boolean | string | undefined>;
  q?: Parameters<Footfall>[];
  /** Whose pages are counted; the stub has none. */
  code?: string | undefined;
}

declare global {
  var footfall: Footfall | undefined;
}
