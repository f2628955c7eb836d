/**
 * The edge's way to what webhooks are told: the owner of a domain has the list, the thread that sends
 * makes the test (O-13).
 *
 * Control plane.
 */
import type { MessagePort } from 'node:worker_threads';
import type { DeliveriesPort, WebhookPlace } from '../../api/ports.ts';
import { PortCaller } from '../../bus/request-reply.ts';
import type { QueryDoor } from '../query/query-door.ts';
import type { JobsCall } from './jobs-thread.ts';

/** @param port to the thread that sends. */
export function edgeDeliveries(queries: QueryDoor, port: MessagePort): DeliveriesPort {
  const jobs = new PortCaller<JobsCall>(port);
  const about = ({ domainId, webhookId }: WebhookPlace) => ({
    ...{ domainIds: [domainId] as const, webhookId },
  });
  return {
    attempts: (of, caller) => queries.deliveries({ kind: 'attempts', ...about(of) }, caller),
    resend: (of, attempt, caller) =>
      queries.deliveries({ kind: 'resend', attempt, ...about(of) }, caller),
    test: (webhookId) => jobs.call({ kind: 'webhook-test', webhookId }),
  };
}
