/** POST /api/v1/token: an oauth client's credentials against an access token. */
import { exactly, string, timestamp } from '../../base/schema.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { errors } from '../../model/errors.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, PUBLIC } from '../presets.ts';

/** Tokens may be asked for as often as one likes; earlier ones stay valid. */
export const tokenEndpoints: readonly Endpoint[] = [
  {
    ...PUBLIC,
    method: 'POST',
    path: '/api/v1/token',
    summary: 'Exchanges the credentials of an oauth client for an access token of 60 minutes.',
    needsReady: true,
    body: jsonBody({
      required: ['client_id', 'client_secret'],
      fields: { client_id: REQUIRED_TEXT, client_secret: REQUIRED_TEXT },
    }),
    answer: { ...json(exactly({ access_token: string, expires_at: timestamp })), isSecret: true },
    refusals: [401],
    handle: issueToken,
  },
];

function issueToken(call: Call, ports: Ports): string {
  const { client_id, client_secret } = call.body as { client_id: string; client_secret: string };
  const issued = ports.access.issueToken(client_id, client_secret, call.receivedMs);
  if (issued === null) throw errors.CLIENT_UNKNOWN({});
  return JSON.stringify({
    access_token: issued.accessToken,
    expires_at: new Date(issued.expiresMs).toISOString(),
  });
}
