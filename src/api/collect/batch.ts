/**
 * A batch: all items are checked, then all are taken, in order of time (I-70, A-9).
 *
 * Data plane. Two passes: the first looks at the items as sent and refuses the whole batch if one
 * is wrong; the second sends them through the pipeline in order of `time`. What belongs to one
 * domain makes one group, so that a key is checked per domain (I-77). Both go slice by slice, since
 * 10,000 items hold the thread for longer than other clients should wait.
 */
import { assert } from '../../base/assert.ts';
import type { Domain } from '../../control/resources/domain.ts';
import { type PageUrl, parsePageUrl } from '../../ingest/page/page-url.ts';
import type { RawHit } from '../../ingest/raw-hit.ts';
import type { Credential } from '../../model/credential.ts';
import { errors } from '../../model/errors.ts';
import { type HitGroup, HitKind } from '../../model/hit.ts';
import { NO_DOMAIN } from '../../model/ids.ts';
import { BATCH_ITEM_COUNT_MAX, LARGE_REQUEST_SLICE_ITEM_COUNT } from '../../model/limits.ts';
import type { Call, Slices } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { Problems } from '../problems.ts';
import { addDrop, foreignGroup, HOSTNAME, openGroup } from './group.ts';
import { addKeyProblem } from './idempotency-key.ts';
import {
  addItemProblems,
  domainOfItem,
  FOREIGN_HOSTNAME,
  type ItemRule,
  isWellFormed,
  itemTimeMs,
  readsUrl,
} from './item.ts';
import { ToldEvents } from './told-events.ts';

const SLICE = LARGE_REQUEST_SLICE_ITEM_COUNT;

/** A batch, column by column, in the order sent; the columns are filled as it is checked. */
interface Batch {
  readonly rule: ItemRule;
  readonly call: Call;
  readonly credential: Credential;
  /** Known to be hits once they are checked. */
  readonly items: readonly RawHit[];
  readonly needsPage: boolean;
  readonly pages: (PageUrl | null)[];
  readonly timesMs: Float64Array;
  readonly problems: Problems;
}

/**
 * Takes a batch of one kind of hit, slice by slice.
 *
 * @throws VALIDATION_FAILED naming everything that is wrong, or that it is too much for its webhooks;
 *   BATCH_TOO_LONG.
 */
export function* collectBatch(rule: ItemRule, call: Call, ports: Ports): Slices {
  const batch = openBatch(rule, call);
  const { items, problems } = batch;
  for (let first = 0; first < items.length && !problems.isFull; first += SLICE) {
    checkItems(batch, first, Math.min(first + SLICE, items.length));
    yield;
  }
  if (!problems.isEmpty) throw problems.error();
  const domains = domainsOfItems(batch, ports);
  const rejected = foreignPlaces(domains);
  const groups: HitGroup[] = [];
  const told = new ToldEvents();
  const taking = { batch, domains, order: orderOf(batch.timesMs), groups, told };
  for (let first = 0; first < items.length; first += SLICE) {
    addHits(taking, { first, end: Math.min(first + SLICE, items.length) }, ports);
    yield;
  }
  // An empty one is accepted like any other, so it uses its key up (I-73, I-77).
  const ownDomain = call.credential?.domainId ?? null;
  const usesKey = call.idempotencyKey !== null && ownDomain !== null;
  if (items.length === 0 && usesKey) groups.push(openGroup(ownDomain, call));
  const json = JSON.stringify({
    accepted: items.length - rejected.length,
    rejected: rejected.map((index) => ({ index, error: `url ${FOREIGN_HOSTNAME}` })),
  });
  if (groups.length === 0) return json;
  ports.hits.submit(groups, call.whenStored(json));
  return null;
}

/** @throws VALIDATION_FAILED when the body is no list, BATCH_TOO_LONG. */
function openBatch(rule: ItemRule, call: Call): Batch {
  const items: unknown = call.body;
  const { credential } = call;
  assert(credential !== null, 'a scoped endpoint has a credential');
  const problems = new Problems();
  addKeyProblem(problems, call.idempotencyKey);
  if (!Array.isArray(items)) {
    problems.add('body', 'must be an array');
    throw problems.error();
  }
  if (items.length > BATCH_ITEM_COUNT_MAX) {
    throw errors.BATCH_TOO_LONG({ items: items.length, itemsMax: BATCH_ITEM_COUNT_MAX });
  }
  return {
    ...{ rule, call, credential, problems },
    items: items as RawHit[],
    pages: [],
    needsPage: readsUrl(rule, credential),
    timesMs: new Float64Array(items.length),
  };
}

/** Looks at some items, up to the one with which enough is wrong to say. */
function checkItems(batch: Batch, first: number, end: number): void {
  const { rule, items, needsPage, pages, timesMs, problems } = batch;
  const { receivedMs } = batch.call;
  for (let index = first; index < end && !problems.isFull; index++) {
    const item: unknown = items[index];
    const isFine = isWellFormed(item, rule, rule.validateInBatch);
    const page = isFine && needsPage ? parsePageUrl(item.url ?? '') : null;
    const timeMs = isFine ? itemTimeMs(item.time ?? '', receivedMs) : Number.NaN;
    pages.push(page);
    timesMs[index] = timeMs;
    if (Number.isNaN(timeMs) || (needsPage && page === null)) {
      const { kind, validateInBatch: validate } = rule;
      addItemProblems(problems, item, { kind, validate, needsPage, receivedMs, index });
    }
  }
}

/** Per item its domain, null where the hostname is foreign. */
function domainsOfItems({ credential, pages }: Batch, ports: Ports): (Domain | null)[] {
  const domains: (Domain | null)[] = [];
  // Neighbours are nearly always of one hostname, and so of one domain.
  let before: PageUrl | null = null;
  let domain: Domain | null = null;
  for (let index = 0; index < pages.length; index++) {
    const page = pages[index]!;
    const isSame = page !== null && before !== null && page.hostname === before.hostname;
    if (!isSame) domain = domainOfItem(credential, page, ports.access);
    before = page;
    domains.push(domain);
  }
  return domains;
}

function foreignPlaces(domains: readonly (Domain | null)[]): number[] {
  const places: number[] = [];
  for (let index = 0; index < domains.length; index++) {
    if (domains[index] === null) places.push(index);
  }
  return places;
}

/** What becomes of a batch that is checked. */
interface Taking {
  readonly batch: Batch;
  readonly domains: readonly (Domain | null)[];
  /** Places of the items in order of time; null: they are in that order. */
  readonly order: readonly number[] | null;
  readonly groups: HitGroup[];
  readonly told: ToldEvents;
}

/** Sends some items through the pipeline in order of time; one group per domain, foreign ones too. */
function addHits(
  { batch, domains, order, groups, told }: Taking,
  { first, end }: { first: number; end: number },
  ports: Ports,
): void {
  const { rule, items, pages, timesMs } = batch;
  const foreignId = batch.credential.domainId ?? NO_DOMAIN;
  let group: HitGroup | null = null;
  for (let place = first; place < end; place++) {
    const index = order === null ? place : order[place]!;
    const domain = domains[index]!;
    const timeMs = timesMs[index]!;
    const domainId = domain?.id ?? foreignId;
    if (group === null || group.domainId !== domainId) group = groupOf(groups, domainId, batch);
    if (domain === null) {
      addDrop(group, HOSTNAME, timeMs, '');
      continue;
    }
    const raw = items[index]!;
    const outcome = ports.pipeline.run({
      kind: rule.kind,
      raw,
      page: rule.kind === HitKind.KeepAlive ? null : pages[index]!,
      site: ports.access.siteOf(domain),
      timeMs,
      requestVerdict: 0,
    });
    if (typeof outcome === 'number') {
      addDrop(group, outcome, timeMs, ports.pipeline.botOf(raw.user_agent));
      continue;
    }
    if (outcome.webhooks !== '') told.add(outcome, place);
    group.hits.push(outcome);
  }
}

/**
 * Places of the items in order of time; equal times keep the order sent (I-70).
 *
 * @returns null when they were sent in that order, as most are.
 */
function orderOf(timesMs: Float64Array): readonly number[] | null {
  let isSorted = true;
  for (let index = 1; index < timesMs.length && isSorted; index++) {
    isSorted = timesMs[index]! >= timesMs[index - 1]!;
  }
  if (isSorted) return null;
  return Array.from(timesMs.keys()).sort((left, right) => timesMs[left]! - timesMs[right]!);
}

/** The group of a domain; linear, because a request touches few domains, nearly always one. */
function groupOf(groups: HitGroup[], domainId: string, { credential, call }: Batch): HitGroup {
  for (let index = 0; index < groups.length; index++) {
    if (groups[index]!.domainId === domainId) return groups[index]!;
  }
  const isForeign = domainId === NO_DOMAIN;
  const group = isForeign ? foreignGroup(credential, call) : openGroup(domainId, call);
  groups.push(group);
  return group;
}
