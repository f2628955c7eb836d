/**
 * GET, POST /api/v1/unsubscribe: ends mails of one kind by the link that stands in them (O-21; RFC
 * 8058).
 *
 * Looking ends nothing, since programs that check mails follow links: GET shows a button. A POST ends at
 * once, whoever sends it and whatever its body is. The page works without a script, in the language that
 * the browser asks for.
 */
import { escapedMarkup } from '../base/markup.ts';
import type { MailEnd } from '../control/people/mail-ends.ts';
import { domainOfEnd, endMails, isEnded, resumeMails } from '../control/people/notices.ts';
import { languageOf } from '../ingest/agent/language.ts';
import { errors } from '../model/errors.ts';
import { firstValue, parseQueryString } from '../query/question/parameters.ts';
import type { Call, Endpoint, FullAnswer } from './endpoint.ts';
import { formPolicyOf, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { optional, PUBLIC, READS, required } from './presets.ts';

const PATH = '/api/v1/unsubscribe';
const TOKEN = required('token', 'Stands in the link of a mail.');
const HTML = { kind: 'html', status: 200, schema: null, isSecret: true } as const;

/** What the page says; `{mails}` are those of `kinds`. */
const WORDS = {
  en: {
    question: 'End these mails?',
    future: 'You will no longer get {mails}.',
    end: 'End them',
    ended: 'These mails have ended',
    past: 'You no longer get {mails}.',
    resume: 'Get them again',
    about: '{kind} of {name}',
    kinds: {
      report: 'this report',
      spike: 'mails on traffic spikes',
      warning: 'mails on missing traffic',
      goal: 'mails on goals that are reached',
      webhook: 'mails on webhooks that were set inactive',
    },
  },
  de: {
    question: 'Diese Mails beenden?',
    future: 'Du bekommst dann {mails} nicht mehr.',
    end: 'Beenden',
    ended: 'Diese Mails sind beendet',
    past: 'Du bekommst {mails} nicht mehr.',
    resume: 'Wieder bekommen',
    about: '{kind} von {name}',
    kinds: {
      report: 'diesen Bericht',
      spike: 'Mails über Besucherspitzen',
      warning: 'Mails über ausbleibende Besucher',
      goal: 'Mails über erreichte Ziele',
      webhook: 'Mails über abgeschaltete Webhooks',
    },
  },
} as const;

/** Without a credential: the token of the link is one. */
export const unsubscribeEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, path: PATH, answer: HTML, refusals: [400], readsVisitor: true },
    summary: 'The page that ends mails of a kind, by the link of one.',
    parameters: [TOKEN],
    handle: (call, ports) => {
      const { end, token } = endOf(call, ports);
      const isOver = isEnded(end, ports.records.look());
      return pageOf({ end, token, isOver, name: nameOf(end, ports) }, call);
    },
  },
  {
    ...{ ...PUBLIC, method: 'POST', path: PATH, needsReady: true, body: null },
    ...{ answer: HTML, refusals: [400], readsVisitor: true },
    summary: 'Ends mails of a kind at once, by the link of one (RFC 8058).',
    parameters: [TOKEN, optional('again', 'With `true` they come again; a report does not.')],
    handle: change,
  },
];

async function change(call: Call, ports: Ports): Promise<FullAnswer> {
  const { end, token } = endOf(call, ports);
  const isAgain = firstValue(parseQueryString(call.query), 'again') === 'true';
  // What it is about may have been made at another node a moment ago (M-5).
  await ports.registry.lookAgain();
  // Of a report that is ended nothing is left to be named by.
  const name = nameOf(end, ports);
  const by =
    end.kind === 'report'
      ? ({ kind: 'node', id: '' } as const)
      : ({ kind: 'user', id: end.userId } as const);
  await ports.records.decide({ nowMs: call.receivedMs, by }, (view, atMs) => ({
    changes: isAgain ? resumeMails(end, view, atMs) : endMails(end, view, atMs),
    result: null,
  }));
  return pageOf({ end, token, isOver: isEnded(end, ports.records.look()), name }, call);
}

/** @throws VALIDATION_FAILED for what is no token of ours. */
function endOf(call: Call, ports: Ports): { end: MailEnd; token: string } {
  const token = firstValue(parseQueryString(call.query), 'token') ?? '';
  const end = ports.mailEnds.read(token);
  if (end !== null) return { end, token };
  const fault = 'is not whole: open the link of the mail again';
  throw errors.VALIDATION_FAILED({ validation: { token: fault } });
}

/** What the domain is called (M-17); '' when it is gone. */
function nameOf(end: MailEnd, ports: Ports): string {
  const site = domainOfEnd(end, ports.records.look());
  return site === null ? '' : (site.customDomain ?? site.hostname);
}

interface Shown {
  readonly end: MailEnd;
  readonly token: string;
  readonly isOver: boolean;
  readonly name: string;
}

function pageOf({ end, token, isOver, name }: Shown, { visitor }: Call): FullAnswer {
  const lang = languageOf(visitor?.raw.accept_language) === 'de' ? 'de' : 'en';
  const words = WORDS[lang];
  const kind = words.kinds[end.kind];
  const mails = name === '' ? kind : filled(words.about, { kind, name });
  const again = end.kind === 'report' ? '' : button(words.resume, `${token}&again=true`);
  const page = readPage('unsubscribe');
  const body = filled(page, {
    lang,
    heading: escapedMarkup(isOver ? words.ended : words.question),
    text: escapedMarkup(filled(isOver ? words.past : words.future, { mails })),
    form: isOver ? again : button(words.end, token),
  });
  return { body, headers: { 'Content-Security-Policy': formPolicyOf(page) } };
}

function button(label: string, query: string): string {
  const action = escapedMarkup(`?token=${query}`);
  return `<form method="post" action="${action}"><button>${escapedMarkup(label)}</button></form>`;
}

/** Only what is given: a style has braces of its own. */
function filled(text: string, given: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z]+)\}/g, (whole, key: string) => given[key] ?? whole);
}
