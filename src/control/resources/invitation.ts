/** Invitations: who may become a member of a domain or an organization (M-30, M-31). */
import { nullable } from '../../base/schema.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../../model/limits.ts';
import { choice, computed, hidden, optionalReference, text } from '../descriptor/fields.ts';
import {
  type AnyRecord,
  type Base,
  defineResource,
  type RecordType,
  type Resource,
} from '../descriptor/resource.ts';
import { toWire, wireSchema } from '../descriptor/wire.ts';
import { emailFault } from '../field-rules.ts';
import { domain } from './domain.ts';
import { organization } from './organization.ts';

/** To one address; whoever has the account of that address may accept. */
export const invitation = defineResource({
  name: 'invitation',
  table: 'invitations',
  owners: ['domainId', 'organizationId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  fields: {
    domainId: optionalReference({ to: 'domain', whenGone: 'remove' }),
    organizationId: optionalReference({ to: 'organization', whenGone: 'remove' }),
    email: {
      ...text({ normal: (typed) => typed.toLowerCase(), fault: emailFault }),
      isIndexed: true,
      unique: {
        key: (email: string, record: AnyRecord) => invitationKey(email, placeIdOf(record)),
        taken: () => 'is invited already',
      },
    },
    role: hidden(choice(['Viewer', 'Admin'], { absent: 'Viewer' })),
    domain: complete(domain, 'domainId'),
    organization: complete(organization, 'organizationId'),
  },
});

export type Invitation = RecordType<typeof invitation>;

/** By what an open invitation is found: the address, and the domain or organization. */
export function invitationKey(email: string, placeId: string): string {
  return `${email} ${placeId}`;
}

function placeIdOf({ domainId, organizationId }: AnyRecord): string {
  return String(domainId ?? organizationId);
}

/**
 * The whole object that a field names, as whoever reads the invitation sees it; null: none. Who is only
 * invited sees what everybody may who is shown a dashboard (M-16).
 */
function complete<Rec extends Base>(of: Resource<Rec>, field: string) {
  return computed(nullable(wireSchema(of)), (record, viewing) => {
    const id = record[field];
    const found = typeof id === 'string' ? viewing.view.find(of, id) : null;
    if (found === null) return null;
    const isInside = viewing.roleOn({ kind: of.name, id: found.id }) !== null;
    return toWire(of, found, isInside ? viewing : { ...viewing, isVisitor: true }) as never;
  });
}
