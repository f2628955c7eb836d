/**
 * GET, POST /api/v1/user/notification: which mails about their domains people have ended, to be wanted
 * again without the mail that ended them (O-21).
 *
 * Nobody else's: a reader is who asks. Whether a domain is looked at for spikes at all is its Admins'
 * (`traffic/spike`); this is who of them hears of it.
 */
import { exactly, listOf, oneOf, string } from '../../base/schema.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { endMails, resumeMails } from '../../control/people/notices.ts';
import { domain } from '../../control/resources/domain.ts';
import { mutedOf, NOTICE_KINDS, preference } from '../../control/resources/preference.ts';
import { errors } from '../../model/errors.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, NOTHING, READS, self } from '../presets.ts';
import { permittedRecord, viewingOf } from './permitted.ts';
import { requestOf } from './resource-endpoints.ts';

const PATH = '/api/v1/user/notification';
const MUTED = exactly({
  ...{ domain_id: string, display_name: string, subdomain: string },
  muted: listOf(oneOf(NOTICE_KINDS)),
});

/** One to look, one to change. */
export const noticeEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, auth: self(), parameters: [] },
    summary: 'The domains of which the caller has ended mails, and which kinds of them.',
    answer: json(listOf(MUTED)),
    handle: listMuted,
  },
  {
    ...{ method: 'POST', path: PATH, needsReady: true, auth: self(), parameters: [] },
    summary: 'Ends mails of a kind about a domain for the caller, or takes that back.',
    body: jsonBody({
      required: ['id', 'kind', 'muted'],
      fields: { id: REQUIRED_TEXT, kind: REQUIRED_TEXT, muted: { type: 'boolean' } },
    }),
    answer: json(NOTHING),
    refusals: [404],
    handle: setMuted,
  },
];

function listMuted(call: Call, ports: Ports): string {
  const { userId, view, roleOn } = viewingOf({ call, ports });
  const shown = view.of(preference, 'userId', userId).flatMap((of) => {
    const muted = mutedOf(of);
    const site = muted.length === 0 ? null : view.find(domain, of.domainId);
    // Whoever has left a domain hears nothing of it anyway.
    if (site === null || roleOn({ kind: domain.name, id: site.id }) === null) return [];
    const { id: domain_id, customDomain, hostname, subdomain } = site;
    return [{ domain_id, display_name: customDomain ?? hostname, subdomain, muted }];
  });
  return JSON.stringify(shown);
}

async function setMuted(call: Call, ports: Ports): Promise<string> {
  const request = requestOf(call);
  const { id, kind, muted } = request.sent as { id: string; kind: string; muted: boolean };
  const known = NOTICE_KINDS.find((one) => one === kind);
  if (known === undefined) {
    throw errors.VALIDATION_FAILED({
      validation: { kind: `must be ${NOTICE_KINDS.join(' or ')}` },
    });
  }
  const { id: domainId } = permittedRecord({ call, ports, role: 'Viewer' }, domain, id);
  const end = { kind: known, domainId, userId: request.userId };
  await ports.records.decide(request, (view, atMs) => ({
    changes: muted ? endMails(end, view, atMs) : resumeMails(end, view, atMs),
    result: null,
  }));
  return '{}';
}
