/**
 * Annotations: what happened to a domain at a time, told on its chart (D-19).
 *
 * Who may read the statistics reads them, visitors of a public page included.
 */
import { timestamp } from '../../base/schema.ts';
import { DESCRIPTION_LENGTH_MAX, DOMAIN_CHILD_COUNT_MAX } from '../../model/limits.ts';
import { reference, text } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';
import { instantOf } from '../field-rules.ts';
import { READ_SHOWN, WRITE_DOMAINS } from './permissions.ts';

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
  return timeFault(typed) === '' ? new Date(instantOf(typed)).toISOString() : typed;
}

function timeFault(typed: string): string {
  const isInstant = !Number.isNaN(instantOf(typed));
  return isInstant ? '' : 'must be a time with its offset, such as 2026-11-20T12:00:00Z';
}
