/** POST /api/v1/token: an oauth client's credentials against an access token (contract 4.1, A-16). */
import { compileValidator } from '../../base/validate.ts';
import { errors } from '../../model/errors.ts';
import { BODY_BYTES_MAX, INPUT_TEXT_LENGTH_MAX } from '../../model/limits.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';

const TEXT = { type: 'string', textLengthMax: INPUT_TEXT_LENGTH_MAX, notBlank: true } as const;

const validate = compileValidator({
  required: ['client_id', 'client_secret'],
  fields: { client_id: TEXT, client_secret: TEXT },
});

/** Tokens may be asked for as often as one likes; earlier ones stay valid. */
export const tokenEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/token',
    scope: null,
    allowsAccessKeys: false,
    needsReady: true,
    body: { bytesMax: BODY_BYTES_MAX, validate },
    isSecret: true,
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
