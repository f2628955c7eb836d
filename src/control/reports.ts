/**
 * Reports for several addresses at once (M-50): one record each, all of them or none.
 *
 * Control plane. Pure: from the registry as it is to the changes that make it so.
 */
import { errors } from '../model/errors.ts';
import { REPORTED_EMAIL_COUNT_MAX } from '../model/limits.ts';
import { changed, created, draftChanged, draftNew } from './descriptor/draft.ts';
import type { Change, Look } from './descriptor/resource.ts';
import { emailFault } from './field-rules.ts';
import type { Decision, RecordRequest } from './records.ts';
import { type Report, report, reportOf } from './resources/report.ts';

/**
 * Makes a report for each address of a request; an address that has one gets its interval and link.
 *
 * @param request its schema checked: `domain_id`, `emails`, `interval`, `link_to`.
 * @throws VALIDATION_FAILED with a key for each address that is none: `emails.2`.
 */
export function reportsFor(
  { sent, userId }: Pick<RecordRequest, 'sent' | 'userId'>,
  view: Look,
  nowMs: number,
): Decision<readonly Report[]> {
  const domainId = String(sent['domain_id']);
  const changes: Change[] = [];
  const result: Report[] = [];
  for (const email of checkedAddresses(sent['emails'] as readonly unknown[])) {
    const context = { sent: { ...sent, email }, userId, nowMs, view };
    const before = reportOf(view, domainId, email);
    const after =
      before === null ? draftNew(report, context).record : draftChanged(report, before, context);
    if (before === null) changes.push(created(report, after));
    else if (after !== before) changes.push(changed(report, after));
    result.push(after);
  }
  return { changes, result };
}

/** Trimmed, in the order sent. @throws VALIDATION_FAILED by place in the list. */
function checkedAddresses(sent: readonly unknown[]): readonly string[] {
  if (sent.length === 0 || sent.length > REPORTED_EMAIL_COUNT_MAX) {
    const fault = `must be a list of 1 to ${REPORTED_EMAIL_COUNT_MAX} addresses`;
    throw errors.VALIDATION_FAILED({ validation: { emails: fault } });
  }
  const emails = sent.map((email) => (typeof email === 'string' ? email.trim() : ''));
  const folded = emails.map((email) => email.toLowerCase());
  const validation: Record<string, string> = {};
  for (const [index, email] of emails.entries()) {
    const isTwice = folded.indexOf(folded[index] as string) < index;
    const fault = emailFault(email) || (isTwice ? 'stands in the list twice' : '');
    if (fault !== '') validation[`emails.${index}`] = fault;
  }
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
  return emails;
}
