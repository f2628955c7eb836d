/** The event that a webhook is tried with (O-13): it says that it is none. */

import { randomAlphanumeric } from '../../base/random.ts';
import type { Webhook } from '../../control/resources/webhook.ts';

const ID_LENGTH = 32;

/** A sample with an id of its own. */
export function sampleOf(
  { event, domainId }: Webhook,
  nowMs: number,
): { id: string; body: string } {
  const id = `test_${randomAlphanumeric(ID_LENGTH)}`;
  const body = JSON.stringify({
    ...{ event_name: event, event_duration: 0, event_meta: { sample: 'true' } },
    ...{ id, time: new Date(nowMs).toISOString(), domain_id: domainId },
    ...{ hostname: 'example.com', path: '/', title: 'A test of this webhook', tags: {} },
  });
  return { id, body };
}
