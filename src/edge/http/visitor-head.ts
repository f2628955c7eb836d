/**
 * The headers that tell of a visitor and of what made its browser ask (I-10 to I-13).
 *
 * Data plane. Read in the same walk as those of every request, and only where an endpoint asks for
 * them; they lie in fields of the module until the next such request.
 */
import type { HttpRequest } from 'uWebSockets.js';
import type { RequestForm } from '../../ingest/agent/request-form.ts';
import { beginHead, takeHeader } from './request-head.ts';

/** What one browser said; '' where it said nothing. */
export interface VisitorHead extends RequestForm {
  userAgent: string;
  acceptLanguage: string;
  /** Client hints, each as its header has it. */
  brands: string;
  mobile: string;
  platform: string;
  platformVersion: string;
  model: string;
  width: string;
  viewportWidth: string;
  /** Accept. */
  accept: string;
}

const head: VisitorHead = {
  userAgent: '',
  acceptLanguage: '',
  brands: '',
  mobile: '',
  platform: '',
  platformVersion: '',
  model: '',
  width: '',
  viewportWidth: '',
  accept: '',
  referer: '',
  purpose: '',
  xPurpose: '',
  xMoz: '',
  secFetchSite: '',
  secFetchMode: '',
  secFetchDest: '',
  upgradeInsecureRequests: '',
};
/** The head that was read last: of use until the handler of its request returns. */
export const visitorHead: Readonly<VisitorHead> = head;

const forwarded = new Map<string, string>();
/** Headers of it by which proxies name a client; of one that was sent several times the last. */
export const forwardedHeaders: ReadonlyMap<string, string> = forwarded;

// Hints of a name that was given up: they count where the newer name is not sent.
let oldWidth = '';
let oldViewportWidth = '';

/** Reads the headers of a request, in its handler: also those that `readHead` reads. */
export function readVisitorHead(req: HttpRequest): void {
  beginHead();
  head.userAgent = '';
  head.acceptLanguage = '';
  head.brands = '';
  head.mobile = '';
  head.platform = '';
  head.platformVersion = '';
  head.model = '';
  head.width = '';
  head.viewportWidth = '';
  head.accept = '';
  head.referer = '';
  head.purpose = '';
  head.xPurpose = '';
  head.xMoz = '';
  head.secFetchSite = '';
  head.secFetchMode = '';
  head.secFetchDest = '';
  head.upgradeInsecureRequests = '';
  oldWidth = '';
  oldViewportWidth = '';
  if (forwarded.size > 0) forwarded.clear();
  req.forEach(take);
  if (head.width === '') head.width = oldWidth;
  if (head.viewportWidth === '') head.viewportWidth = oldViewportWidth;
}

// By length first, like the head that every request has.
function take(name: string, value: string): void {
  switch (name.length) {
    case 5:
      if (name === 'width') oldWidth = value;
      else if (name === 'x-moz') head.xMoz = value;
      return;
    case 6:
      if (name === 'accept') head.accept = value;
      break;
    case 7:
      if (name === 'referer') head.referer = value;
      else if (name === 'purpose') head.purpose = value;
      break;
    case 9:
      takeOfNine(name, value);
      return;
    case 10:
      if (name === 'user-agent') head.userAgent = value;
      return;
    case 12:
      if (name === 'sec-ch-width') head.width = value;
      return;
    case 14:
      takeOfFourteen(name, value);
      break;
    case 15:
      if (name === 'accept-language') head.acceptLanguage = value;
      else if (name === 'sec-ch-ua-model') head.model = value;
      else if (name === 'x-forwarded-for') forwarded.set(name, value);
      break;
    case 16:
      if (name === 'sec-ch-ua-mobile') head.mobile = value;
      else if (name === 'cf-connecting-ip') forwarded.set(name, value);
      break;
    case 18:
      if (name === 'sec-ch-ua-platform') head.platform = value;
      return;
    case 21:
      if (name === 'sec-ch-viewport-width') head.viewportWidth = value;
      return;
    case 25:
      if (name === 'upgrade-insecure-requests') head.upgradeInsecureRequests = value;
      return;
    case 26:
      if (name === 'sec-ch-ua-platform-version') head.platformVersion = value;
      return;
  }
  takeHeader(name, value);
}

function takeOfNine(name: string, value: string): void {
  if (name === 'sec-ch-ua') head.brands = value;
  else if (name === 'x-purpose') head.xPurpose = value;
  else if (name === 'forwarded' || name === 'x-real-ip') forwarded.set(name, value);
}

function takeOfFourteen(name: string, value: string): void {
  if (name === 'sec-fetch-site') head.secFetchSite = value;
  else if (name === 'sec-fetch-mode') head.secFetchMode = value;
  else if (name === 'sec-fetch-dest') head.secFetchDest = value;
  else if (name === 'viewport-width') oldViewportWidth = value;
  else if (name === 'true-client-ip') forwarded.set(name, value);
}
