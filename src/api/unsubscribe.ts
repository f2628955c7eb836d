/**
 * GET, POST /api/v1/unsubscribe: ends mails of one kind by the link that stands in them (O-21; RFC
 * 8058).
 *
 * Looking ends nothing, since programs that check mails follow links: GET shows a button. A POST ends at
 * once, whoever sends it and whatever its body is. The page works without a script, in the language that
 * the browser asks for, else in that of the mail.
 */
import { type Language, languageOfCode } from '../base/languages.ts';
import { escapedMarkup } from '../base/markup.ts';
import type { Look } from '../control/descriptor/resource.ts';
import type { MailEnd } from '../control/people/mail-ends.ts';
import { endLanguage } from '../control/people/mail-language.ts';
import { domainOfEnd, endMails, isEnded, resumeMails } from '../control/people/notices.ts';
import { Words } from '../delivery/mail/words/words.ts';
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

/** Without a credential: the token of the link is one. */
export const unsubscribeEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, path: PATH, answer: HTML, refusals: [400], readsVisitor: true },
    summary: 'The page that ends mails of a kind, by the link of one.',
    parameters: [TOKEN],
    handle: (call, ports) => {
      const { end, token } = endOf(call, ports);
      const view = ports.records.look();
      return pageOf(
        { end, token, isOver: isEnded(end, view), ...namedFor(end, view) },
        call,
        ports,
      );
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
  const named = namedFor(end, ports.records.look());
  const by =
    end.kind === 'report'
      ? ({ kind: 'node', id: '' } as const)
      : ({ kind: 'user', id: end.userId } as const);
  await ports.records.decide({ nowMs: call.receivedMs, by }, (view, atMs) => ({
    changes: isAgain ? resumeMails(end, view, atMs) : endMails(end, view, atMs),
    result: null,
  }));
  const isOver = isEnded(end, ports.records.look());
  return pageOf({ end, token, isOver, ...named }, call, ports);
}

/** @throws VALIDATION_FAILED for what is no token of ours. */
function endOf(call: Call, ports: Ports): { end: MailEnd; token: string } {
  const token = firstValue(parseQueryString(call.query), 'token') ?? '';
  const end = ports.mailEnds.read(token);
  if (end !== null) return { end, token };
  const fault = 'is not whole: open the link of the mail again';
  throw errors.VALIDATION_FAILED({ validation: { token: fault } });
}

/** What the domain is called (M-17), and what its reader reads, while it is there. */
function namedFor(end: MailEnd, view: Look): Pick<Shown, 'name' | 'language'> {
  const site = domainOfEnd(end, view);
  const name = site === null ? '' : (site.customDomain ?? site.hostname);
  return { name, language: endLanguage(end, view) };
}

interface Shown {
  readonly end: MailEnd;
  readonly token: string;
  readonly isOver: boolean;
  /** '' it is gone. */
  readonly name: string;
  /** Of the mail; null: nobody has said. */
  readonly language: Language | null;
}

function pageOf(shown: Shown, call: Call, ports: Ports): FullAnswer {
  const { end, token, isOver, name } = shown;
  const words = new Words(languageFor(shown, call, ports));
  const kind = words.say(`mails_${end.kind}`);
  const mails = name === '' ? kind : words.say('mailsAbout', { mails: kind, name });
  const again =
    end.kind === 'report' ? '' : button(words.say('resumeButton'), `${token}&again=true`);
  const page = readPage('unsubscribe');
  const body = filled(page, {
    lang: words.language,
    heading: escapedMarkup(words.say(isOver ? 'endedHeading' : 'endQuestion')),
    text: escapedMarkup(words.say(isOver ? 'endedText' : 'endFuture', { mails })),
    form: isOver ? again : button(words.say('endButton'), token),
  });
  return { body, headers: { 'Content-Security-Policy': formPolicyOf(page) } };
}

/** That of the browser where it is one of ours; else that of the mails, as far as it is known. */
function languageFor({ language }: Shown, { visitor }: Call, ports: Ports): Language {
  const asked = languageOfCode(languageOf(visitor?.raw.accept_language));
  return asked ?? language ?? ports.mailLanguage;
}

function button(label: string, query: string): string {
  const action = escapedMarkup(`?token=${query}`);
  return `<form method="post" action="${action}"><button>${escapedMarkup(label)}</button></form>`;
}

/** Only what is given: a style has braces of its own. */
function filled(text: string, given: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z]+)\}/g, (whole, key: string) => given[key] ?? whole);
}
