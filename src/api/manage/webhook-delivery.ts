/**
 * GET and POST /api/v1/webhook/delivery, POST /api/v1/webhook/test: what a webhook was told, and how to
 * tell it again (O-13).
 */
import { exactly, integer, listOf, string } from '../../base/schema.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from '../../control/resources/permissions.ts';
import { webhook } from '../../control/resources/webhook.ts';
import { errors } from '../../model/errors.ts';
import { asDomainId } from '../../model/ids.ts';
import type { Attempt } from '../../model/outbox.ts';
import { parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports, WebhookPlace } from '../ports.ts';
import { authOf, json, jsonBody, NOTHING, optional, READS } from '../presets.ts';
import { permittedRecord, requiredValue } from './permitted.ts';

const OUTCOME = {
  status: { type: ['integer', 'null'] } as const,
  ...{ error: string, duration_ms: integer, response: string },
};
const ATTEMPT = exactly({
  ...{ id: string, time: string, entry_id: string, event_name: string, attempt: integer },
  ...OUTCOME,
});
const PATH = '/api/v1/webhook/delivery';
const KIND = 'delivery';

export const webhookDeliveryEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, auth: authOf(READ_SETTINGS) },
    summary: 'The last attempts to tell a webhook of events, the newest first; at most 200.',
    parameters: [{ ...optional('id', 'The id of a webhook.'), isRequired: true }],
    answer: json(listOf(ATTEMPT)),
    handle: listAttempts,
  },
  {
    ...{ method: 'POST', path: PATH, needsReady: true, parameters: [] },
    auth: authOf(WRITE_DOMAINS),
    summary:
      'Sends what an attempt was to tell again, at once: whether it failed, waits or was given up.',
    body: jsonBody({ required: ['id'], fields: { id: REQUIRED_TEXT } }),
    answer: json(NOTHING),
    handle: sendAgain,
  },
  {
    ...{ method: 'POST', path: '/api/v1/webhook/test', needsReady: true, parameters: [] },
    auth: authOf(WRITE_DOMAINS),
    summary: 'Sends a sample to a webhook at once, and tells what came of it; it is no delivery.',
    body: jsonBody({ required: ['id'], fields: { id: REQUIRED_TEXT } }),
    answer: json(exactly(OUTCOME)),
    handle: sendTest,
  },
];

async function listAttempts(call: Call, ports: Ports): Promise<string> {
  const id = requiredValue(parseQueryString(call.query), 'id', 'the id of a webhook');
  const place = permittedPlace(id, READ_SETTINGS.role, call, ports);
  const attempts = await ports.deliveries.attempts(place, call);
  return JSON.stringify(attempts.map((attempt) => shown(id, attempt)));
}

function shown(webhookId: string, attempt: Attempt) {
  const { number, timeMs, durationMs, status, error, response, entry } = attempt;
  return {
    ...{ id: `${webhookId}-${number}`, time: new Date(timeMs).toISOString() },
    ...{ entry_id: entry.id, event_name: entry.eventName, attempt: attempt.attempt },
    ...{ status, error, duration_ms: durationMs, response },
  };
}

async function sendAgain(call: Call, ports: Ports): Promise<string> {
  const { id } = call.body as { id: string };
  const [, webhookId = '', number = ''] = /^(\w+)-(\d{1,15})$/.exec(id) ?? [];
  const unknown = () => errors.RECORD_NOT_FOUND({ kind: KIND, id });
  if (webhookId === '') throw unknown();
  const place = permittedPlace(webhookId, WRITE_DOMAINS.role, call, ports);
  if (!(await ports.deliveries.resend(place, Number(number), call))) throw unknown();
  return '{}';
}

async function sendTest(call: Call, ports: Ports): Promise<string> {
  const { id } = call.body as { id: string };
  permittedPlace(id, WRITE_DOMAINS.role, call, ports);
  const { status, error, durationMs, response } = await ports.deliveries.test(id);
  return JSON.stringify({ status, error, duration_ms: durationMs, response });
}

function permittedPlace(
  id: string,
  role: typeof WRITE_DOMAINS.role,
  call: Call,
  ports: Ports,
): WebhookPlace {
  const { domainId } = permittedRecord({ call, ports, role }, webhook, id);
  return { domainId: asDomainId(domainId), webhookId: id };
}
