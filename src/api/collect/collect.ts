/**
 * The collection endpoints (contract 4.2) and what a single hit, event or keep-alive goes through.
 *
 * Data plane: no promise, and on the way of a good hit only what `submit` needs is allocated. The
 * answer is given when the hit is durable (I-78). A hit the pipeline drops is answered like any
 * other; a foreign hostname is told. With an Idempotency-Key even a hit that is dropped
 * goes to the log, because the key is used up by it (I-77).
 */

import { assert } from '../../base/assert.ts';
import { parsePageUrl } from '../../ingest/page/page-url.ts';
import { hashIdempotencyKey } from '../../ingest/visitor/visitor.ts';
import { dropReason } from '../../model/drop-reasons.ts';
import type { ScopeArea } from '../../model/entities.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { HitKind } from '../../model/hit.ts';
import { asDomainId } from '../../model/ids.ts';
import { BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../../model/limits.ts';
import type { Answer, Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { Problems } from '../problems.ts';
import { collectBatch } from './batch.ts';
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
  siteOf,
} from './item.ts';

const HOSTNAME = dropReason('hostname');
/** The answer to every single request: bytes leave faster than a string. */
const ACCEPTED = new TextEncoder().encode('{}');

/** One pair of endpoints per kind of hit. */
const KINDS: readonly { area: ScopeArea; rule: ItemRule }[] = [
  { area: 'hit', rule: pageViewRule },
  { area: 'event', rule: eventRule },
  { area: 'session', rule: keepAliveRule },
];

/** The only endpoints for which an access key will do. */
export const collectEndpoints: readonly Endpoint[] = KINDS.flatMap(({ area, rule }) => {
  const shared = {
    method: 'POST',
    scope: { area, right: 'w' },
    allowsAccessKeys: true,
    needsReady: true,
  } as const;
  return [
    {
      ...shared,
      path: `/api/v1/${area}`,
      isBrief: true,
      body: { bytesMax: BODY_BYTES_MAX, validate: null, holdsHits: true },
      handle: (call: Call, ports: Ports) => collectOne(rule, call, ports),
    },
    {
      ...shared,
      path: `/api/v1/${area}/batch`,
      body: { bytesMax: BATCH_BODY_BYTES_MAX, validate: null, holdsHits: true },
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
  if (domain === null) throw foreign(call, ports);
  const outcome = ports.pipeline.run({
    kind: rule.kind,
    raw,
    page: rule.kind === HitKind.KeepAlive ? null : page,
    site: siteOf(domain),
    timeMs: receivedMs,
  });
  const isDropped = typeof outcome === 'number';
  if (isDropped && idempotencyKey === null) {
    ports.countDrop(domain.id, outcome, 1);
    return ACCEPTED;
  }
  const group = {
    domainId: asDomainId(domain.id),
    receivedMs,
    idempotencyHash: idempotencyKey === null ? '' : hashIdempotencyKey(idempotencyKey, domain.id),
    dropped: isDropped ? [outcome, 1] : null,
    hits: isDropped ? [] : [outcome],
  };
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

/** A-6; a refused request uses up no key (I-77). */
function foreign(call: Call, ports: Ports): OperatingError {
  const domainId = call.credential?.domainId ?? '';
  ports.countDrop(domainId, HOSTNAME, 1);
  return errors.VALIDATION_FAILED({ validation: { url: FOREIGN_HOSTNAME } });
}
