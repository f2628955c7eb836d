/**
 * Annotations: what happened to a domain at a time, told on its chart (D-19).
 *
 * Who may read the statistics reads them, visitors of a public page included.
 */
import { timestamp } from '../../base/schema.ts';
import { DESCRIPTION_LENGTH_MAX, DOMAIN_CHILD_COUNT_MAX } from '../../model/limits.ts';
import { reference, text } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';
import { READ_SHOWN, WRITE_DOMAINS } from './permissions.ts';

/** With its offset: an instant, whatever the time zone of the domain is or becomes. */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export const annotation = defineResource({
  name: 'annotation',
  table: 'annotations',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'annotation',
    read: READ_SHOWN,
    change: WRITE_DOMAINS,
    listBy: { domain_id: 'domainId' },
    creates: 'record',
    changes: { by: 'PUT', answers: 'record' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    time: { ...text({ normal: normalTime, fault: timeFault }), schema: timestamp },
    text: text({ lengthMax: DESCRIPTION_LENGTH_MAX }),
  },
});

/** In UTC, so that they are compared as texts; what is no instant stays, and is refused by name. */
function normalTime(typed: string): string {
  return timeFault(typed) === '' ? new Date(typed.toUpperCase()).toISOString() : typed;
}

function timeFault(typed: string): string {
  const [, year = 0, month = 0, day = 0] = (INSTANT.exec(typed) ?? []).map(Number);
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
  const isInstant = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && isDay;
  return isInstant ? '' : 'must be a time with its offset, such as 2026-11-20T12:00:00Z';
}
