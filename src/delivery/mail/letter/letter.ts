/**
 * What a mail says, before it is text or HTML: a heading and blocks of plain data.
 *
 * A kind of mail is a function from its data to a `Letter` (`letters/`); two renderers make of it the
 * part that is read everywhere and the part that looks well. Every text in here is as somebody wrote
 * it, hostile or not: the renderers alone know what has to be escaped.
 */
import type { Language } from '../../../base/languages.ts';

/** How a change is meant: more bounces are worse. */
export type Tone = 'better' | 'worse' | 'same';

/** One number with its name. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  /** Against the period before; null: nothing is compared. */
  readonly change: { readonly text: string; readonly tone: Tone } | null;
}

/** One bar of a chart over time. */
export interface Bar {
  /** Below it: `Mon 16`. */
  readonly label: string;
  readonly value: string;
  /** The same where there is little room: `12K`. */
  readonly short: string;
  /** Of the highest one, 0 to 1. */
  readonly share: number;
  /** It is what the mail is about. */
  readonly isMarked: boolean;
}

/** One row of a list. */
export interface Row {
  readonly label: string;
  readonly value: string;
  /** Length of its bar, 0 to 1. */
  readonly share: number;
  /** Beside the value, smaller; '' none. */
  readonly note: string;
}

/** A link that is named by what happens there. */
export interface Link {
  readonly label: string;
  readonly href: string;
}

/** A part of a letter; they stand below each other. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  /** What somebody else wrote: shown as theirs. */
  | { readonly kind: 'quote'; readonly text: string }
  | ({ readonly kind: 'button' } & Link)
  /** The first is the one that people look for. */
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'bars'; readonly title: string; readonly bars: readonly Bar[] }
  | {
      readonly kind: 'list';
      readonly title: string;
      /** What its values count. */
      readonly unit: string;
      readonly rows: readonly Row[];
      /** Instead of rows, where there are none. */
      readonly empty: string;
    };

/** A whole mail. */
export interface Letter {
  readonly language: Language;
  readonly subject: string;
  /** What lists of mails show beside the subject. */
  readonly preheader: string;
  /** Above the heading: what it is about, a hostname; '' nothing. */
  readonly about: string;
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** Why the reader has it. */
  readonly reason: string;
  /** Ends mails of this kind; null: it is an answer to what somebody asked for. */
  readonly end: Link | null;
}

/** What is sent. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
