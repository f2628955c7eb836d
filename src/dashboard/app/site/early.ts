/**
 * The first question, sent before the rest of the page is read: of all that a view of a site needs, its
 * numbers take longest (D-3). The page asks the same a moment later, and is answered by this.
 */
import { askEarly, enterWith } from '../data/api.ts';
import { BATCH } from '../data/batch.ts';
import { given } from '../view/given.ts';
import { siteOf } from '../view/host.ts';
import { place, view } from '../view/view.ts';
import { viewBody } from './ask-view.ts';
import { placeQuestions } from './live/live-places.ts';
import { askedOf, framesNow } from './site-data.ts';

const { domain, access } = given;
const { path, search } = place.peek();
const parameters = new URLSearchParams(search);

if (access !== undefined) {
  const code = parameters.get('access') ?? '';
  enterWith({ ...siteOf(path), ...(code === '' ? {} : { access: code }) }, access);
}
if (domain !== undefined && !parameters.has('settings')) {
  const of = view.peek();
  const beside = placeQuestions(domain.active_visitors_seconds);
  askEarly(BATCH, viewBody(askedOf(of, { domain, frames: framesNow(of, domain) }, beside, null)));
}
