/**
 * The collection endpoints and what a single hit, event or keep-alive goes through.
 *
 * Data plane: no promise, and on the way of a good hit only what `submit` needs is allocated. The
 * answer is given when the hit is durable (I-78). A hit the pipeline drops is answered like any
 * other; a foreign hostname is told. Dropped ones go to the log, too, where they are counted
 * (P-31), and use up their Idempotency-Key (I-77).
 */
import { assert } from '../../base/assert.ts';
import { exactly, integer, listOf, string } from '../../base/schema.ts';
import { describedObject } from '../../base/validate.ts';
import { parsePageUrl } from '../../ingest/page/page-url.ts';
import type { Credential } from '../../model/credential.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { HitKind } from '../../model/hit.ts';
import {
  BATCH_BODY_BYTES_MAX,
  BATCH_ITEM_COUNT_MAX,
  BODY_BYTES_MAX,
  IDEMPOTENCY_KEY_LENGTH_MAX,
} from '../../model/limits.ts';
import { COLLECTORS, type ScopeArea } from '../../model/rights.ts';
import type { Answer, Call, Endpoint, Parameter } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, NOTHING } from '../presets.ts';
import { Problems } from '../problems.ts';
import { collectBatch } from './batch.ts';
import { dropOf, foreignGroup, HOSTNAME, openGroup } from './group.ts';
import { addKeyProblem, isIdempotencyKey } from './idempotency-key.ts';
import {
  addItemProblems,
  domainOfItem,
  eventRule,
  FOREIGN_HOSTNAME,
  type ItemRule,
  isWellFormed,
  keepAliveRule,
  pageViewRule,
  readsUrl,
} from './item.ts';

/** The answer to every single request: bytes leave faster than a string. */
const ACCEPTED = new TextEncoder().encode('{}');

/** One pair of endpoints per kind of hit. */
const KINDS: readonly { area: ScopeArea; rule: ItemRule; what: string }[] = [
  { area: 'hit', rule: pageViewRule, what: 'page view' },
  { area: 'event', rule: eventRule, what: 'event' },
  { area: 'session', rule: keepAliveRule, what: 'keep-alive' },
];

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Printable text; what is sent again with it within 24 hours counts once.',
  schema: { type: 'string', maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
};
const BATCH_ANSWER = exactly({
  accepted: integer,
  rejected: listOf(exactly({ index: integer, error: string })),
});

/** The only endpoints for which an access key will do. */
export const collectEndpoints: readonly Endpoint[] = KINDS.flatMap(({ area, rule, what }) => {
  const shared = {
    method: 'POST',
    auth: { callers: COLLECTORS, scopes: [{ area, right: 'w' }], role: null },
    needsReady: true,
    parameters: [IDEMPOTENCY_KEY],
  } as const;
  const hits = { kind: 'hits', validate: null } as const;
  return [
    {
      ...{ ...shared, path: `/api/v1/${area}`, summary: `Sends a ${what}.` },
      body: { ...hits, bytesMax: BODY_BYTES_MAX, schema: describedObject(rule.single) },
      answer: { ...json(NOTHING), isBrief: true },
      handle: (call: Call, ports: Ports) => collectOne(rule, call, ports),
    },
    {
      ...{ ...shared, path: `/api/v1/${area}/batch` },
      summary: `Sends a list of ${what}s with their times, in chronological order.`,
      body: {
        ...{ ...hits, bytesMax: BATCH_BODY_BYTES_MAX },
        schema: { ...listOf(describedObject(rule.inBatch)), maxItems: BATCH_ITEM_COUNT_MAX },
      },
      answer: json(BATCH_ANSWER),
      handle: (call: Call, ports: Ports) => collectBatch(rule, call, ports),
    },
  ];
});

function collectOne(rule: ItemRule, call: Call, ports: Ports): Answer {
  const { credential, idempotencyKey, receivedMs } = call;
  assert(credential !== null, 'a scoped endpoint has a credential');
  const raw = call.body;
  if (!isWellFormed(raw, rule, rule.validateSingle)) throw refusal(rule, call);
  const needsPage = readsUrl(rule, credential);
  const page = needsPage ? parsePageUrl(raw.url ?? '') : null;
  if (needsPage && page === null) throw refusal(rule, call);
  if (!isIdempotencyKey(idempotencyKey)) throw refusal(rule, call);
  const domain = domainOfItem(credential, page, ports.access);
  if (domain === null) {
    submitForeign(credential, call, ports);
    return null;
  }
  const outcome = ports.pipeline.run({
    kind: rule.kind,
    raw,
    page: rule.kind === HitKind.KeepAlive ? null : page,
    site: ports.access.siteOf(domain),
    timeMs: receivedMs,
    requestVerdict: 0,
  });
  const group = openGroup(domain.id, call);
  if (typeof outcome !== 'number') group.hits.push(outcome);
  else group.dropped = [dropOf(outcome, receivedMs, ports.pipeline.botOf(raw.user_agent))];
  ports.hits.submit([group], call.whenStored(ACCEPTED));
  return null;
}

/** Names everything that is wrong with a single request. */
function refusal(rule: ItemRule, call: Call): OperatingError {
  const { credential, receivedMs } = call;
  assert(credential !== null, 'a scoped endpoint has a credential');
  const problems = new Problems();
  addKeyProblem(problems, call.idempotencyKey);
  addItemProblems(problems, call.body, { rule, credential, receivedMs, index: null });
  return problems.error();
}

/** A-6, told when it is counted (P-31); a refused request uses up no key (I-77). */
function submitForeign(credential: Credential, call: Call, ports: Ports): void {
  const { receivedMs } = call;
  const told = errors.VALIDATION_FAILED({ validation: { url: FOREIGN_HOSTNAME } });
  const group = foreignGroup(credential, { receivedMs, idempotencyKey: null });
  group.dropped = [dropOf(HOSTNAME, receivedMs, '')];
  ports.hits.submit([group], call.whenStored(told));
}
