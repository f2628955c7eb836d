/**
 * What the owner of a shard answers about its outbox: to the thread that sends, and to who looks at
 * deliveries (O-13).
 *
 * Control plane on the actor's thread: some microseconds an entry, and a transaction for many outcomes.
 */
import { errors, OperatingError } from '../../model/errors.ts';
import type { DeliveryQuestion, DueEntries, OutboxCall } from '../../model/outbox.ts';
import { OUTBOX_SHED_COUNT_MAX } from '../../model/outgoing-limits.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import {
  attemptsOf,
  dueEntries,
  forgetWebhook,
  outboxHeads,
  resend,
  setResting,
  settle,
  shed,
} from '../outbox/outbox-store.ts';
import type { Shard } from '../state/shard.ts';

const NOTHING_DUE: DueEntries = { entries: [], hasMore: false, nextDueMs: null };

/** Whether a request is one of these. */
export function isOutboxCall<Request extends { readonly kind: string }>(
  request: Request,
): request is Extract<Request, OutboxCall> {
  return request.kind.startsWith('outbox-');
}

/** Answers the thread that sends. @throws STATE_WRITE_FAILED, STATE_DAMAGED. */
export function answerOutbox(shard: Shard, call: OutboxCall): unknown {
  // A shard without data has no files, and nothing to tell.
  if (!shard.hasEnvironment) return call.kind === 'outbox-due' ? NOTHING_DUE : [];
  const environment = shard.environment();
  environment.refresh();
  switch (call.kind) {
    case 'outbox-heads':
      return [...outboxHeads(environment)];
    case 'outbox-due':
      return dueEntries(environment, call.webhookId, call);
    case 'outbox-settle':
      return written(() => settle(environment, call.settlements));
    case 'outbox-rest':
      return written(() => setResting(environment, call.webhookId, call));
    case 'outbox-shed':
      return written(() => shedSome(environment, call));
  }
}

function shedSome(
  environment: StateEnvironment,
  { webhookId, reason, count, beforeMs }: OutboxCall & { kind: 'outbox-shed' },
): number {
  const most = Math.min(count, OUTBOX_SHED_COUNT_MAX);
  const gone = shed(environment, webhookId, { count: most, beforeMs });
  if (reason === 'deleted' && gone < most) forgetWebhook(environment, webhookId);
  return gone;
}

/** Answers who looks at the deliveries of a webhook: JSON. */
export function answerDeliveries(shard: Shard, question: DeliveryQuestion): string {
  const { webhookId } = question;
  if (!shard.hasEnvironment) return question.kind === 'attempts' ? '[]' : 'false';
  const environment = shard.environment();
  environment.refresh();
  if (question.kind === 'attempts') return JSON.stringify(attemptsOf(environment, webhookId));
  const isThere = written(() => resend(environment, webhookId, question.attempt));
  if (isThere) shard.hasOutboxNews = true;
  return JSON.stringify(isThere);
}

/** @throws STATE_WRITE_FAILED when the disk refuses: what was to be written is as it was. */
function written<Answer>(write: () => Answer): Answer {
  try {
    return write();
  } catch (cause) {
    if (cause instanceof OperatingError) throw cause;
    throw errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause);
  }
}
