/**
 * What the service gave with the page, as it would have answered: who has signed in, the site at the
 * address, the token of a visitor. So nothing has to be asked before the numbers (D-3).
 *
 * All of it is of the moment at which the page was asked for: whoever looks later asks.
 */
import type { User } from '../account/user.ts';
import type { AnswerOf } from '../data/api.ts';
import type { Domain } from '../site/site-data.ts';

/** What is missing has to be asked for. */
interface Given {
  readonly user?: User;
  readonly domain?: Domain;
  /** Of a public or shared dashboard, where nobody has signed in who sees it anyway. */
  readonly access?: AnswerOf<'POST /api/v1/access'>;
}

const element = document.getElementById('given');

export const given: Given = element === null ? {} : JSON.parse(element.textContent ?? '{}');
element?.remove();
