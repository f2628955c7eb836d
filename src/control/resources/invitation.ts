/** Invitations: who may become a member of a domain or an organization (M-30, M-31). */
import { choice, hidden, optionalReference, text } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';
import { emailFault } from '../field-rules.ts';

/** To one address; whoever has the account of that address may accept. */
export const invitation = defineResource({
  name: 'invitation',
  table: 'invitations',
  owners: ['domainId', 'organizationId'],
  fields: {
    domainId: optionalReference({ to: 'domain', whenGone: 'remove' }),
    organizationId: optionalReference({ to: 'organization', whenGone: 'remove' }),
    email: text({ normal: (typed) => typed.toLowerCase(), fault: emailFault }),
    role: hidden(choice(['Viewer', 'Admin'], { absent: 'Viewer' })),
  },
});
