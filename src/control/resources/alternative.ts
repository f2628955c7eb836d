/** Alternative domains: further hostnames whose pages count on a domain (M-21, I-5). */
import { DOMAIN_CHILD_COUNT_MAX } from '../../model/limits.ts';
import { reference, text } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';
import { hostnamePatternFault, normalHostnamePattern } from '../field-rules.ts';
import { domain } from './domain.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from './permissions.ts';

/** Two domains may have the same one, as they may have one hostname (I-9). */
export const alternative = defineResource({
  name: 'alternative',
  table: 'alternatives',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'domain/alternative',
    read: READ_SETTINGS,
    change: WRITE_DOMAINS,
    listBy: { domain_id: 'domainId' },
    creates: 'record',
    changes: { by: 'PUT', answers: 'nothing' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    hostname: text({
      normal: normalHostnamePattern,
      fault: hostnamePatternFault,
      unique: {
        // Neither has a space.
        key: (hostname, { domainId }) => `${domainId} ${hostname}`,
        taken: (hostname) => `'${hostname}' is an alternative of this domain already`,
      },
    }),
  },
  rules: ({ domainId, hostname }, view) => ({
    hostname:
      view.find(domain, domainId)?.hostname === hostname ? "is the domain's own hostname" : '',
  }),
});

export type Alternative = RecordType<typeof alternative>;
