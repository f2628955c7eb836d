/** What letters have in common: their titles, the lists of what was counted, the ways on. Pure. */
import type { Block, Row } from '../letter/letter.ts';
import { shortened } from '../plain.ts';
import type { Given, Words } from '../words/words.ts';

/** One row of a list, as the API answers it. */
export interface CountedRow {
  readonly name: string;
  readonly count: number;
}

/** Longer names of pages and campaigns end in an ellipsis. */
export const NAME_LENGTH_MAX = 120;

/** Mails whose subject, preheader and heading are texts of their own. */
type Titled =
  | 'reset'
  | 'spike'
  | 'warning'
  | 'goal'
  | 'webhook'
  | 'importDone'
  | 'importFailed'
  | 'export'
  | 'test';

/** What a mail of a kind is called, in lists of mails and at its top. */
export function titlesOf(kind: Titled, words: Words, given: Given = {}) {
  return {
    subject: words.say(`${kind}Subject`, given),
    preheader: words.say(`${kind}Preheader`, given),
    heading: words.say(`${kind}Heading`, given),
  };
}

/** The way to the numbers. */
export function dashboardButton(href: string, words: Words): Block {
  return { kind: 'button', label: words.say('openDashboard'), href };
}

/** Names and their counts, each with a bar. @param blank what a name that is '' is called. */
export function countedRows(of: readonly CountedRow[], blank: string, words: Words): Row[] {
  const most = Math.max(1, ...of.map(({ count }) => count));
  return of.map(({ name, count }) => ({
    label: shortened(name === '' ? blank : name, NAME_LENGTH_MAX),
    ...{ value: words.count(count), share: count / most, note: '' },
  }));
}
