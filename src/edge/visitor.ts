/** Who sends a request, without its body: a visitor of a page, or who asks for a stream. Data plane. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { Call, Endpoint, Visitor } from '../api/endpoint.ts';
import { isPublicAddress } from '../base/address-ranges.ts';
import { requestVerdict } from '../ingest/agent/request-form.ts';
import type { RawHit } from '../ingest/raw-hit.ts';
import type { Credential } from '../model/credential.ts';
import { blankHit } from './body/blank-fields.ts';
import { type ClientAddresses, networkOf } from './http/client-address.ts';
import { requestHead } from './http/request-head.ts';
import { forwardedHeaders, readVisitorHead, visitorHead } from './http/visitor-head.ts';

/** Reads the headers of a request, in its handler, those of `readHead` included. */
export function readVisitor(
  res: HttpResponse,
  req: HttpRequest,
  addresses: ClientAddresses,
): Visitor {
  readVisitorHead(req);
  const raw = blankHit();
  raw.ip = addresses.among(res, forwardedHeaders);
  raw.user_agent = visitorHead.userAgent;
  raw.accept_language = visitorHead.acceptLanguage;
  raw.sec_ch_ua = visitorHead.brands;
  raw.sec_ch_ua_mobile = visitorHead.mobile;
  raw.sec_ch_ua_platform = visitorHead.platform;
  raw.sec_ch_ua_platform_version = visitorHead.platformVersion;
  raw.sec_ch_ua_model = visitorHead.model;
  raw.sec_ch_width = visitorHead.width;
  raw.sec_ch_viewport_width = visitorHead.viewportWidth;
  return { raw: raw as RawHit, requestVerdict: requestVerdict(visitorHead) };
}

/**
 * What the request that `readVisitor` read last is answered in place of an error's JSON.
 *
 * @returns null where it did not ask for an image: what asks for anything, a program, or for a page, a
 *   person who opens the address, reads what is wrong.
 */
export function errorImageOf({ answer }: Endpoint): Uint8Array | null {
  if (answer.errorImage === undefined) return null;
  const { accept } = visitorHead;
  return accept.includes('image/') && !accept.includes('text/html') ? answer.errorImage : null;
}

/**
 * The network of who asks, where it is one of the internet: others are those of the machine itself, or
 * of a proxy that nobody named, behind which everybody is. '' then.
 */
export function countedNetwork(
  res: HttpResponse,
  req: HttpRequest,
  { addresses }: { readonly addresses: ClientAddresses },
): string {
  const address = addresses.of(res, req);
  return isPublicAddress(address) ? networkOf(address) : '';
}

/**
 * Who takes turns with others, and has a share of what bodies may hold: a site, or an account; of
 * visitors, who say only in the body whose they are, a network.
 */
export function clientKeyOf(visitor: Visitor | null, credential: Credential | null): string {
  if (visitor !== null) return networkOf(visitor.raw.ip);
  return credential?.domainId ?? credential?.userId ?? '';
}

/** The file that the request which was read last brings, as its headers have it. */
export function announcedFile(req: HttpRequest): NonNullable<Call['file']> {
  const bytes = Number(requestHead.contentLength) || 0;
  return { name: req.getHeader('x-filename'), bytes };
}
