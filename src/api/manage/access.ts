/** POST /api/v1/access: what the page of a dashboard reads statistics with (M-82). */
import { anyObject, either, exactly, string, timestamp } from '../../base/schema.ts';
import { TEXT } from '../../control/descriptor/fields.ts';
import type { Domain } from '../../control/resources/domain.ts';
import { errors } from '../../model/errors.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { AccessPort, Ports } from '../ports.ts';
import { json, jsonBody, PUBLIC } from '../presets.ts';

const ANSWER = exactly({
  ...{ access_token: string, expires_at: timestamp },
  // What the link pins (D-19): the page says that it shows nothing else.
  filter: either(anyObject, { type: 'null' }),
});

/** Nobody has credentials there yet: the address of a public page is enough, or a code. */
export const accessEndpoints: readonly Endpoint[] = [
  {
    ...PUBLIC,
    method: 'POST',
    path: '/api/v1/access',
    summary: 'Gives an access token of 60 minutes that reads one public or shared dashboard.',
    needsReady: true,
    body: jsonBody({
      required: [],
      fields: { subdomain: TEXT, hostname: TEXT, access: TEXT },
    }),
    answer: { ...json(ANSWER), isSecret: true },
    refusals: [401],
    handle: issueVisit,
  },
];

/** What a body may carry; null and blank are the same as nothing (M-6). */
interface Sent {
  readonly subdomain?: string | null;
  readonly hostname?: string | null;
  readonly access?: string | null;
}

function issueVisit(call: Call, { access }: Ports): string {
  const sent = call.body as Sent;
  const code = sent.access?.trim() || undefined;
  const site = dashboardOf(sent, access);
  const issued = site === null ? null : issuedVisit(site, code, call, access);
  if (issued === null) throw errors.DASHBOARD_CLOSED({});
  return JSON.stringify(issued);
}

/**
 * As it is answered.
 *
 * @param code undefined without one.
 * @returns null when the dashboard is not public, and the code is missing or another one's.
 */
export function issuedVisit(
  site: Domain,
  code: string | undefined,
  { receivedMs }: Pick<Call, 'receivedMs'>,
  access: AccessPort,
) {
  const issued = access.issueVisit(site, code, receivedMs);
  return (
    issued && {
      access_token: issued.accessToken,
      expires_at: new Date(issued.expiresMs).toISOString(),
      filter: issued.pinned,
    }
  );
}

function dashboardOf({ subdomain, hostname }: Sent, access: AccessPort) {
  const label = subdomain?.trim() ?? '';
  if (label !== '') return access.dashboardAt('subdomain', label);
  const host = hostname?.trim() ?? '';
  if (host !== '') return access.dashboardAt('customDomain', host);
  const missing = 'is required, or a custom hostname as `hostname`';
  throw errors.VALIDATION_FAILED({ validation: { subdomain: missing } });
}
