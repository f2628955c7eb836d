/** Webhooks: where the events of a domain are told as they happen (M-51, A-60). */
import { isPrivateHost } from '../../base/private-address.ts';
import { randomKey } from '../../base/random.ts';
import { boolean } from '../../base/schema.ts';
import {
  DESCRIPTION_LENGTH_MAX,
  DOMAIN_CHILD_COUNT_MAX,
  EVENT_NAME_LENGTH_MAX,
} from '../../model/limits.ts';
import { WEBHOOK_ADDRESS_BYTES_MAX, WEBHOOK_SECRET_BYTES } from '../../model/outgoing-limits.ts';
import { derived, keptSecret, reference, text } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from './permissions.ts';

/** Bound to one event name; whoever sends turns it off after too many failures. */
export const webhook = defineResource({
  name: 'webhook',
  table: 'webhooks',
  owners: ['domainId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'webhook',
    read: READ_SETTINGS,
    change: WRITE_DOMAINS,
    listBy: { domain_id: 'domainId' },
    creates: 'record',
    changes: { by: 'POST', answers: 'record' },
    removes: true,
  },
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    description: text({ lengthMax: DESCRIPTION_LENGTH_MAX, absent: () => '' }),
    event: text({ lengthMax: EVENT_NAME_LENGTH_MAX }),
    endpoint: text({ fault: addressFault }),
    // Saving it says that the receiver is well again.
    active: derived(boolean, () => true),
    secret: keptSecret(
      'secret',
      () => `whsec_${Buffer.from(randomKey(WEBHOOK_SECRET_BYTES)).toString('base64')}`,
    ),
  },
  rules: ({ endpoint }, view, before) => {
    // What was allowed when it was saved does not hinder a change of something else.
    const isAllowed = view.policy.allowsPrivateTargets || before?.endpoint === endpoint;
    return { endpoint: isAllowed ? '' : privateFault(endpoint) };
  },
});

export type Webhook = RecordType<typeof webhook>;

function addressFault(address: string): string {
  if (Buffer.byteLength(address) > WEBHOOK_ADDRESS_BYTES_MAX) {
    return `must be at most ${WEBHOOK_ADDRESS_BYTES_MAX} bytes long`;
  }
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(address)) {
    return 'must be an absolute http or https address such as https://example.org/hook';
  }
  const hasUser = url.username !== '' || url.password !== '';
  return hasUser ? 'must not hold a user name or a password' : '';
}

function privateFault(address: string): string {
  if (!URL.canParse(address) || !isPrivateHost(new URL(address).hostname)) return '';
  return 'must not lead into a private network (FOOTFALL_OUTBOUND_PRIVATE=on allows it)';
}
