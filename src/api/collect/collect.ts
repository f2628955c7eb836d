/**
 * The collection endpoints of programs, and what their single hits, events and keep-alives go through
 * until they are known to be well formed; what becomes of them then is `take.ts`.
 *
 * Data plane.
 */
import { assert } from '../../base/assert.ts';
import { exactly, integer, listOf, string } from '../../base/schema.ts';
import { describedObject } from '../../base/validate.ts';
import { parsePageUrl } from '../../ingest/page/page-url.ts';
import type { OperatingError } from '../../model/errors.ts';
import { HitKind } from '../../model/hit.ts';
import { NO_DOMAIN } from '../../model/ids.ts';
import { BATCH_BODY_BYTES_MAX, BATCH_ITEM_COUNT_MAX, BODY_BYTES_MAX } from '../../model/limits.ts';
import { COLLECTORS, type ScopeArea } from '../../model/rights.ts';
import type { Answer, Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, NOTHING } from '../presets.ts';
import { Problems } from '../problems.ts';
import { collectBatch } from './batch.ts';
import { addKeyProblem, isIdempotencyKey } from './idempotency-key.ts';
import {
  addItemProblems,
  domainOfItem,
  eventRule,
  type ItemRule,
  isWellFormed,
  keepAliveRule,
  pageViewRule,
  readsUrl,
} from './item.ts';
import { ACCEPTED, IDEMPOTENCY_KEY, takeForeign, takeHit } from './take.ts';

/** One pair of endpoints per kind of hit. */
const KINDS: readonly { area: ScopeArea; rule: ItemRule; what: string }[] = [
  { area: 'hit', rule: pageViewRule, what: 'page view' },
  { area: 'event', rule: eventRule, what: 'event' },
  { area: 'session', rule: keepAliveRule, what: 'keep-alive' },
];

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
  if (domain === null) return takeForeign(credential.domainId ?? NO_DOMAIN, call, ports);
  const input = {
    kind: rule.kind,
    raw,
    page: rule.kind === HitKind.KeepAlive ? null : page,
    site: ports.access.siteOf(domain),
    timeMs: receivedMs,
    requestVerdict: 0,
  };
  return takeHit(input, call, ports, ACCEPTED);
}

/** Names everything that is wrong with a single request. */
function refusal(rule: ItemRule, call: Call): OperatingError {
  const { credential, receivedMs } = call;
  assert(credential !== null, 'a scoped endpoint has a credential');
  const problems = new Problems();
  addKeyProblem(problems, call.idempotencyKey);
  const needsPage = readsUrl(rule, credential);
  const { kind, validateSingle: validate } = rule;
  addItemProblems(problems, call.body, { kind, validate, needsPage, receivedMs, index: null });
  return problems.error();
}
