/** From a letter to what is sent: a subject, a part of text, a part of HTML. Pure. */

import { shortened } from '../plain.ts';
import { htmlOf } from './html.ts';
import type { Letter, RenderedMail } from './letter.ts';
import { textOf } from './text.ts';

/** Code points of a subject; longer ones are cut off by whoever shows them. */
const SUBJECT_LENGTH_MAX = 150;

/** Both parts of a mail; the subject is one line, whatever its names hold. */
export function renderLetter(letter: Letter): RenderedMail {
  const subject = shortened(letter.subject, SUBJECT_LENGTH_MAX);
  return { subject, text: textOf(letter), html: htmlOf({ ...letter, subject }) };
}
