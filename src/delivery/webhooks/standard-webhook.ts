/**
 * An entry as a request by Standard Webhooks (O-10): signed anew for each attempt, with the time of it.
 */
import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../../model/limits.ts';
import type { Outgoing } from '../http/http-sender.ts';

const SECRET_PREFIX = 'whsec_';

/** What is needed of a webhook. */
interface Receiver {
  readonly endpoint: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

/** The request that tells a receiver. */
export function signedRequest(
  { endpoint, secret }: Receiver,
  { id, body }: { readonly id: string; readonly body: string },
  from: { readonly nowMs: number; readonly userAgent: string },
): Outgoing {
  const timestamp = String(Math.floor(from.nowMs / SECOND_MS));
  return {
    url: endpoint,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': from.userAgent,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature(secret, `${id}.${timestamp}.${body}`)}`,
    },
    body,
  };
}

function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}
