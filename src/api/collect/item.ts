/**
 * One item of a collection request: what it must look like and which domain it belongs to.
 *
 * Data plane. Good items pass two compiled checks and allocate nothing; only when one fails is it
 * looked at again, slowly, to name everything that is wrong with it (`addItemProblems`).
 */
import {
  compileValidator,
  type FieldSchema,
  type ObjectSchema,
  type Validator,
} from '../../base/validate.ts';
import type { Domain } from '../../control/resources/domain.ts';
import { type PageUrl, parsePageUrl } from '../../ingest/page/page-url.ts';
import { hostnameAllowed } from '../../ingest/page/site.ts';
import type { RawHit } from '../../ingest/raw-hit.ts';
import { checkPairs } from '../../ingest/tags-and-metadata.ts';
import type { Credential } from '../../model/credential.ts';
import { HitKind } from '../../model/hit.ts';
import {
  EVENT_DURATION_SECONDS_MAX,
  HIT_TIME_AHEAD_MS_MAX,
  HIT_TIME_MS_MIN,
  INPUT_TEXT_LENGTH_MAX,
} from '../../model/limits.ts';
import type { AccessPort } from '../ports.ts';
import type { Problems } from '../problems.ts';
import { parseHitTime } from './hit-time.ts';

/** What a foreign hostname is answered with, single and in a batch. */
export const FOREIGN_HOSTNAME = 'must be an address of a hostname of the domain';

const NOT_A_PAGE = 'must be an absolute address like https://example.com/path';
const NO_URL = 'is required: an account-level client names the domain by it';
const TIME_MESSAGE =
  'must be a time like 2026-11-20T10:00:00Z, from 2000-01-01 to 24 hours from now';

const textLengthMax = INPUT_TEXT_LENGTH_MAX;
const REQUIRED_TEXT: FieldSchema = { type: 'string', textLengthMax, notBlank: true };
const TEXT: FieldSchema = { type: ['string', 'null'], textLengthMax };
const WHOLE: FieldSchema = { type: ['integer', 'null'] };
const FLAG: FieldSchema = { type: ['boolean', 'null'] };
const OBJECT: FieldSchema = { type: ['object', 'null'] };
const DURATION: FieldSchema = {
  type: ['number', 'null'],
  minimum: 0,
  maximum: EVENT_DURATION_SECONDS_MAX,
};

/** What is known of a visitor without its page; a browser says it by headers. */
const VISITOR_FIELDS = {
  ip: REQUIRED_TEXT,
  user_agent: REQUIRED_TEXT,
  dnt: TEXT,
  sec_ch_ua: TEXT,
  sec_ch_ua_mobile: TEXT,
  sec_ch_ua_platform: TEXT,
  sec_ch_ua_platform_version: TEXT,
  sec_ch_ua_model: TEXT,
  sec_ch_width: TEXT,
  sec_ch_viewport_width: TEXT,
  disable_bot_filter: FLAG,
};

const ADDRESS = { url: REQUIRED_TEXT };

/** What a page says of itself beside its address. */
const PAGE_FIELDS = {
  title: TEXT,
  referrer: TEXT,
  screen_width: WHOLE,
  screen_height: WHOLE,
  tags: OBJECT,
};

/** What a page says of an event beside. */
const EVENT_FIELDS = {
  event_name: REQUIRED_TEXT,
  event_duration: DURATION,
  event_meta: OBJECT,
  non_interactive: FLAG,
};

/** One kind of hit as an endpoint takes it that takes one at a time. */
export interface SingleRule {
  /** An entry of `HitKind`. */
  readonly kind: number;
  readonly single: ObjectSchema;
  readonly validateSingle: Validator;
}

/** One kind of hit as its endpoints take it. */
export interface ItemRule extends SingleRule {
  /** The same and `time`. */
  readonly inBatch: ObjectSchema;
  readonly validateInBatch: Validator;
}

function singleRule(kind: number, fields: Record<string, FieldSchema>): SingleRule {
  const required = Object.keys(fields).filter((name) => fields[name] === REQUIRED_TEXT);
  const single = { fields, required };
  return { kind, single, validateSingle: compileValidator(single) };
}

function itemRule(kind: number, fields: Record<string, FieldSchema>): ItemRule {
  const rule = singleRule(kind, fields);
  const inBatch = {
    fields: { ...fields, time: REQUIRED_TEXT },
    required: [...rule.single.required, 'time'],
  };
  return { ...rule, inBatch, validateInBatch: compileValidator(inBatch) };
}

/** In the order of the contract. */
const OF_PAGE = { ...ADDRESS, ...VISITOR_FIELDS, accept_language: TEXT, ...PAGE_FIELDS };

/** POST …/hit. */
export const pageViewRule = itemRule(HitKind.PageView, OF_PAGE);
/** POST …/event. */
export const eventRule = itemRule(HitKind.Event, { ...OF_PAGE, ...EVENT_FIELDS });
/** POST …/session; it reads these, `url` only of account-level clients (I-9). */
export const keepAliveRule = itemRule(HitKind.KeepAlive, { url: TEXT, ...VISITOR_FIELDS });

/** The same of browsers: what the HTTP request says is bounded by it, and never refused. */
export const browserPageViewRule = singleRule(HitKind.PageView, { ...ADDRESS, ...PAGE_FIELDS });
export const browserEventRule = singleRule(HitKind.Event, {
  ...{ ...ADDRESS, ...PAGE_FIELDS, ...EVENT_FIELDS },
});
export const browserKeepAliveRule = singleRule(HitKind.KeepAlive, { url: TEXT });

/** Whether an item's fields are as they have to be; `url` and `time` are only known to be texts. */
export function isWellFormed(
  value: unknown,
  { kind }: SingleRule,
  validate: Validator,
): value is RawHit {
  return validate(value) === null && checkPairs(value as RawHit, kind) === null;
}

/** Whether `url` is read: always but in keep-alives of a client that implies its domain (I-9). */
export function readsUrl(rule: SingleRule, credential: Credential): boolean {
  return rule.kind !== HitKind.KeepAlive || credential.domainId === null;
}

/**
 * The instant of a batch item (I-71).
 *
 * @returns milliseconds since the epoch; NaN when it is no time or out of range.
 */
export function itemTimeMs(time: string, receivedMs: number): number {
  const timeMs = parseHitTime(time);
  const isInRange = timeMs >= HIT_TIME_MS_MIN && timeMs <= receivedMs + HIT_TIME_AHEAD_MS_MAX;
  return isInRange ? timeMs : Number.NaN;
}

/** Where an item stands and what is asked of it. */
export interface ItemContext {
  readonly kind: number;
  readonly validate: Validator;
  /** `url` is read. */
  readonly needsPage: boolean;
  /** Place in the batch; null for a single request. */
  readonly index: number | null;
  readonly receivedMs: number;
  /** What fields are called by who sends them, where that is not their name. */
  readonly sentAs?: Readonly<Record<string, string>>;
}

/** Adds everything that is wrong with an item (I-2, I-8, I-56, I-71). */
export function addItemProblems(problems: Problems, value: unknown, context: ItemContext): void {
  const { kind, validate, index, sentAs } = context;
  const prefix = index === null ? '' : `${index}.`;
  for (const { name, message } of validate(value) ?? []) {
    if (name === '') problems.add(index === null ? 'body' : String(index), message);
    else problems.add(prefix + (sentAs?.[name] ?? name), message);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const raw = value as RawHit;
  for (const [name, message] of Object.entries(checkPairs(raw, kind) ?? {})) {
    problems.add(prefix + name, message);
  }
  if (context.needsPage) addUrlProblem(problems, `${prefix}url`, raw.url);
  if (index === null || typeof raw.time !== 'string') return;
  if (Number.isNaN(itemTimeMs(raw.time, context.receivedMs))) {
    problems.add(`${prefix}time`, TIME_MESSAGE);
  }
}

function addUrlProblem(problems: Problems, name: string, url: unknown): void {
  if (url === undefined || url === null) problems.add(name, NO_URL);
  else if (typeof url === 'string' && parsePageUrl(url) === null) problems.add(name, NOT_A_PAGE);
}

/**
 * The domain an item belongs to (I-9, I-5).
 *
 * @param page null for a keep-alive whose client implies its domain.
 * @returns null when the hostname is foreign.
 */
export function domainOfItem(
  credential: Credential,
  page: PageUrl | null,
  access: AccessPort,
): Domain | null {
  if (credential.domainId === null) {
    return page === null ? null : access.domainForHostname(credential, page.hostname);
  }
  const domain = access.domain(credential.domainId);
  if (domain === null || page === null) return domain;
  return hostnameAllowed(page.hostname, access.siteOf(domain)) ? domain : null;
}
