/**
 * What the form of a browser's request says of who sent it (I-10 to I-13): a drop reason, or 0.
 *
 * Data plane. Browser endpoints only: there the request is the visitor's own. The JSON endpoints are
 * called by servers, whose headers describe nobody (I-1).
 */

import { dropReason } from '../../model/drop-reasons.ts';

const PREFETCH = dropReason('prefetch');
const FETCHED_WITH_REFERRER = dropReason('sfs-referrer');
const UPGRADE_ACROSS_ORIGINS = dropReason('ui-cors');
const UPGRADE_OF_NOTHING = dropReason('sfd-ui');

/** The headers that are looked at, as sent; '' for one that is not there. */
export interface RequestForm {
  xMoz: string;
  xPurpose: string;
  purpose: string;
  secFetchSite: string;
  secFetchMode: string;
  secFetchDest: string;
  upgradeInsecureRequests: string;
  referer: string;
}

/**
 * Why a request is dropped by its form; the first rule that matches.
 *
 * A script's request never asks for an upgrade to https, which only loading a page does; and what the
 * person typed or bookmarked (`none`) has no page that it came from.
 *
 * @returns an index of `DROP_REASONS`; 0: nothing speaks against it.
 */
export function requestVerdict(form: RequestForm): number {
  if (is(form.xMoz, 'prefetch')) return PREFETCH;
  if (isForLater(form.xPurpose) || isForLater(form.purpose)) return PREFETCH;
  if (is(form.secFetchSite, 'none') && form.referer.trim() !== '') return FETCHED_WITH_REFERRER;
  if (form.upgradeInsecureRequests.trim() !== '1') return 0;
  if (is(form.secFetchMode, 'cors')) return UPGRADE_ACROSS_ORIGINS;
  return is(form.secFetchDest, 'empty') ? UPGRADE_OF_NOTHING : 0;
}

function isForLater(purpose: string): boolean {
  return is(purpose, 'prefetch') || is(purpose, 'preview');
}

/** Whether a header has a value, in whatever case. */
function is(sent: string, value: string): boolean {
  // Most are not there.
  return sent !== '' && sent.trim().toLowerCase() === value;
}
