/**
 * The endpoints that pages send to (A-40, A-41, D-33): public, for the identification code says only
 * whose page it is.
 *
 * Data plane. What a page may say of its visitor ends with what stands in an address or a body; address,
 * user agent, languages and client hints are those of the HTTP request. Every request is one
 * that browsers send to another site without asking it first: GET, or POST with a text or nothing.
 */

import { assert } from '../../base/assert.ts';
import { string } from '../../base/schema.ts';
import { describedObject } from '../../base/validate.ts';
import type { Domain } from '../../control/resources/domain.ts';
import { parsePageUrl } from '../../ingest/page/page-url.ts';
import { hostnameAllowed } from '../../ingest/page/site.ts';
import type { RawHit } from '../../ingest/raw-hit.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { HitKind } from '../../model/hit.ts';
import { BODY_BYTES_MAX, IDENTIFICATION_CODE_LENGTH } from '../../model/limits.ts';
import type { Answer, Call, Endpoint, Parameter, Visitor } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, NOTHING, optional, required } from '../presets.ts';
import { Problems } from '../problems.ts';
import { readBrowserQuery, screenSize } from './browser-query.ts';
import { addKeyProblem, isIdempotencyKey } from './idempotency-key.ts';
import {
  addItemProblems,
  browserEventRule,
  browserKeepAliveRule,
  browserPageViewRule,
  isWellFormed,
  type SingleRule,
} from './item.ts';
import { ACCEPTED, foreignHostname, IDEMPOTENCY_KEY, takeForeign, takeHit } from './take.ts';

const NO_CODE = 'is required: the identification code of the domain';
const UNKNOWN_CODE = 'no domain has this identification code';

/** A transparent pixel, the smallest that every program shows. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** What the parameters are called whose fields have other names. */
const SENT_AS = { title: 't', referrer: 'ref' } as const;

const CODE = required('code', 'The identification code of the domain.');
const PAGE: readonly Parameter[] = [
  CODE,
  required('url', 'The address of the page.'),
  optional('t', 'The title of the page.'),
  optional('ref', 'Where the visitor comes from: the address that document.referrer has.'),
  optional('w', 'The width of the screen, in pixels of CSS.'),
  optional('h', 'The height of the screen.'),
  optional('nc', 'Anything: it keeps caches from answering.'),
  IDEMPOTENCY_KEY,
];
/** Of a page, to leave out of the body. */
const EVENT: readonly Parameter[] = [
  optional('code', 'The identification code of the domain.'),
  optional('url', 'The address of the page; what the body says goes before.'),
  ...PAGE.slice(2),
];
const SESSION: readonly Parameter[] = [
  CODE,
  optional('url', 'The address of the page.'),
  optional('nc', 'Anything: it keeps caches from answering.'),
  IDEMPOTENCY_KEY,
];

const shared = {
  auth: null,
  needsReady: true,
  isForAnyPage: true,
  readsVisitor: true,
  refusals: [403],
} as const;
const brief = { ...json(NOTHING), isBrief: true } as const;
const pageView = {
  ...{ ...shared, path: '/hit', parameters: PAGE, body: null, answer: brief },
  handle: (call: Call, ports: Ports) => collectByQuery(browserPageViewRule, call, ports, ACCEPTED),
} as const;
const event = describedObject(browserEventRule.single);

/** Sent by the script, by images, and by whatever else a page has. */
export const browserEndpoints: readonly Endpoint[] = [
  { ...pageView, method: 'GET', summary: 'A page view, sent by the page itself.' },
  {
    ...{ ...pageView, method: 'POST' },
    summary: 'The same for navigator.sendBeacon, which cannot do otherwise.',
  },
  {
    ...{ ...shared, method: 'GET', path: '/hit.gif', parameters: PAGE, body: null },
    summary: 'A page view, sent by an image of a page or a mail.',
    answer: { kind: 'gif', status: 200, schema: null, isBrief: true, errorImage: PIXEL },
    handle: (call: Call, ports: Ports) => collectByQuery(browserPageViewRule, call, ports, PIXEL),
  },
  {
    ...{ ...shared, method: 'POST', path: '/event', parameters: EVENT },
    summary: 'An event, sent by the page itself; the body is JSON of whatever type it says it is.',
    body: {
      ...{ kind: 'hits', validate: null, bytesMax: BODY_BYTES_MAX },
      schema: {
        ...event,
        properties: {
          identification_code: { ...string, maxLength: IDENTIFICATION_CODE_LENGTH },
          ...event.properties,
        },
        required: ['event_name'],
      },
    },
    answer: brief,
    handle: collectEvent,
  },
  {
    ...{ ...shared, method: 'POST', path: '/session', parameters: SESSION, body: null },
    summary: 'Says that the visitor is still there: once a minute.',
    answer: brief,
    handle: (call, ports) => collectByQuery(browserKeepAliveRule, call, ports, ACCEPTED),
  },
];

/** A hit whose code is known or not, and whose fields are not looked at yet. */
interface Sent {
  readonly rule: SingleRule;
  /** The fields; of a body that holds none, whatever it is. */
  readonly value: unknown;
  readonly code: unknown;
  /** What the code is called by who sends it. */
  readonly codeName: 'code' | 'identification_code';
  readonly answer: Uint8Array;
}

function collectByQuery(rule: SingleRule, call: Call, ports: Ports, answer: Uint8Array): Answer {
  const { raw } = visitorOf(call);
  const code = readBrowserQuery(call.query, raw);
  return collect({ rule, value: raw, code, codeName: 'code', answer }, call, ports);
}

function collectEvent(call: Call, ports: Ports): Answer {
  const { raw } = visitorOf(call);
  const { body } = call;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const said = isObject ? (body as RawHit) : null;
  const code = readBrowserQuery(call.query, raw);
  if (said !== null) putEvent(raw, said);
  const sent: Sent = {
    rule: browserEventRule,
    value: said === null ? body : raw,
    code: said?.identification_code ?? code,
    codeName: 'identification_code',
    answer: ACCEPTED,
  };
  return collect(sent, call, ports);
}

/** Fields that may be unset again. */
type Settable = { -readonly [Name in keyof RawHit]?: RawHit[Name] | undefined };

/**
 * What a page may say; whatever else stands in the body is not the page's to say. Of the page the body
 * need not repeat what the address of the request has.
 */
function putEvent(raw: Settable, said: RawHit): void {
  raw.url = said.url === undefined ? raw.url : said.url;
  raw.title = said.title ?? raw.title;
  raw.referrer = said.referrer ?? raw.referrer;
  raw.screen_width = screenSize(said.screen_width) ?? raw.screen_width ?? null;
  raw.screen_height = screenSize(said.screen_height) ?? raw.screen_height ?? null;
  raw.tags = withTags(raw.tags, said.tags);
  raw.event_name = said.event_name;
  raw.event_duration = said.event_duration;
  raw.event_meta = said.event_meta;
  raw.non_interactive = said.non_interactive;
}

/** A tag of the event itself wins over one of its page. */
function withTags(ofPage: RawHit['tags'], own: RawHit['tags']): RawHit['tags'] {
  const isObject = typeof own === 'object' && own !== null && !Array.isArray(own);
  return isObject && ofPage ? { ...ofPage, ...own } : (own ?? ofPage);
}

function visitorOf({ visitor }: Call): Visitor {
  assert(visitor !== null, 'an endpoint that asks for its visitor is told');
  return visitor;
}

function collect(sent: Sent, call: Call, ports: Ports): Answer {
  const { rule, value, code, answer } = sent;
  const domain = typeof code === 'string' ? ports.access.domainOfCode(code) : null;
  if (domain?.disableScripts === true) throw errors.SCRIPTS_DISABLED({});
  const isFine = domain !== null && isWellFormed(value, rule, rule.validateSingle);
  if (!isFine || !isIdempotencyKey(call.idempotencyKey)) throw refusal(sent, domain, call);
  const needsPage = rule.kind !== HitKind.KeepAlive;
  const page = needsPage ? parsePageUrl(value.url ?? '') : null;
  if (needsPage && page === null) throw refusal(sent, domain, call);
  const site = ports.access.siteOf(domain);
  if (page !== null && !hostnameAllowed(page.hostname, site)) {
    if (call.isHead) throw foreignHostname();
    return takeForeign(domain.id, call, ports);
  }
  // Whoever only asks what would be answered has looked at no page.
  if (call.isHead) return answer;
  const { requestVerdict } = visitorOf(call);
  const { receivedMs: timeMs } = call;
  const input = { kind: rule.kind, raw: value, page, site, timeMs, requestVerdict };
  return takeHit(input, call, ports, answer);
}

/** Names everything that is wrong with a request. */
function refusal(sent: Sent, domain: Domain | null, call: Call): OperatingError {
  const { rule, value, code, codeName } = sent;
  const problems = new Problems();
  const isNamed = typeof code === 'string' && code !== '';
  // A-45 has this name for it, whatever the field is called.
  if (domain === null) problems.add('code', isNamed ? UNKNOWN_CODE : NO_CODE);
  if (!isNamed) problems.add(codeName, NO_CODE);
  addKeyProblem(problems, call.idempotencyKey);
  addItemProblems(problems, value, {
    ...{ kind: rule.kind, validate: rule.validateSingle, index: null },
    ...{ receivedMs: call.receivedMs, needsPage: rule.kind !== HitKind.KeepAlive },
    ...(codeName === 'code' ? { sentAs: SENT_AS } : {}),
  });
  if (domain !== null || !isNamed) return problems.error();
  return errors.IDENTIFICATION_CODE_UNKNOWN({ validation: problems.error().validation });
}
