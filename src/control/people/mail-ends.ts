/**
 * What a mail's reader may end with one click (O-21), as a text that stands in the mail: 74 bytes in
 * base64url.
 *
 *   version 4 │ kind 1 │ id of the report, or of the domain 20 │ id of the reader 20, or zeros │
 *   HMAC-SHA-256 32
 *
 * Signed with the registry's token key; the version keeps it apart from access tokens, which are signed
 * with the same. It does not expire: mails are found again after years. What it ends is all it can do.
 */
import { assert } from '../../base/assert.ts';
import { equalInConstantTime, hmacSha256 } from '../../base/hash.ts';
import { ENTITY_ID_LENGTH } from '../../model/limits.ts';
import { NOTICE_KINDS, type NoticeKind } from '../resources/preference.ts';

/** That report, which is of one address; or notices of a kind about a domain to a person. */
export type MailEnd =
  | { readonly kind: 'report'; readonly reportId: string }
  | { readonly kind: NoticeKind; readonly domainId: string; readonly userId: string };

const VERSION = 4;
const REPORT = 0;
const FIRST_INDEX = 2;
const SECOND_INDEX = FIRST_INDEX + ENTITY_ID_LENGTH;
const MAC_INDEX = SECOND_INDEX + ENTITY_ID_LENGTH;
const TOKEN_BYTES = MAC_INDEX + 32;
const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3);

/** The same end has the same token. */
export function signMailEnd(end: MailEnd, key: Uint8Array): string {
  const token = Buffer.alloc(TOKEN_BYTES);
  const [first, second] = end.kind === 'report' ? [end.reportId, ''] : [end.domainId, end.userId];
  assert(first.length === ENTITY_ID_LENGTH, 'what a mail is about has the length of ids');
  token[0] = VERSION;
  token[1] = end.kind === 'report' ? REPORT : 1 + NOTICE_KINDS.indexOf(end.kind);
  token.write(first, FIRST_INDEX, 'latin1');
  token.write(second, SECOND_INDEX, 'latin1');
  token.set(hmacSha256(key, token.subarray(0, MAC_INDEX)), MAC_INDEX);
  return token.toString('base64url');
}

/** What a token ends; null when it is none, or forged. @cost an HMAC. */
export function readMailEnd(text: string, key: Uint8Array): MailEnd | null {
  if (text.length !== TOKEN_LENGTH) return null;
  const token = Buffer.from(text, 'base64url');
  // Decoding is lenient; only the one spelling that was issued counts.
  if (token.length !== TOKEN_BYTES || token.toString('base64url') !== text) return null;
  const mac = hmacSha256(key, token.subarray(0, MAC_INDEX));
  if (!equalInConstantTime(mac, token.subarray(MAC_INDEX)) || token[0] !== VERSION) return null;
  const first = token.toString('latin1', FIRST_INDEX, SECOND_INDEX);
  if (token[1] === REPORT) return { kind: 'report', reportId: first };
  const kind = NOTICE_KINDS[Number(token[1]) - 1];
  const userId = token.toString('latin1', SECOND_INDEX, MAC_INDEX);
  return kind === undefined ? null : { kind, domainId: first, userId };
}

/** Where it leads: a page that asks first; a POST ends at once (RFC 8058). */
export function mailEndAddress(publicUrl: string, end: MailEnd, key: Uint8Array): string {
  return `${publicUrl}/api/v1/unsubscribe?token=${signMailEnd(end, key)}`;
}
