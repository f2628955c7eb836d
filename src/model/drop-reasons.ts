/**
 * The closed list of reasons for which a hit is dropped and counted. A dropped hit is not an
 * error: it is answered like a counted one.
 */

/** Reason texts; the index is what travels in the log. 0 means "not dropped". Append only. */
export const DROP_REASONS = [
  '',
  'prefetch',
  'sfs-referrer',
  'ui-cors',
  'sfd-ui',
  'ua-chars',
  'ua-ip',
  'ua-uuid',
  'referrer',
  'browser',
  'ua-rv-mismatch',
  'ch-browser',
  'ua-keyword',
  'ua-regex',
  'ip',
  'hostname',
  'page-view-cap',
  'keep-alive-without-session',
  'duplicate',
] as const;

export type DropReasonText = Exclude<(typeof DROP_REASONS)[number], ''>;

/** Index of a reason in the list. */
export function dropReason(text: DropReasonText): number {
  return DROP_REASONS.indexOf(text);
}
