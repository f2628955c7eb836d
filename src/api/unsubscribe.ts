/**
 * GET, POST /api/v1/unsubscribe: ends mails of one kind by the link that stands in them (O-21; RFC
 * 8058).
 *
 * Looking ends nothing, since programs that check mails follow links: GET shows a button. A POST ends at
 * once, whoever sends it and whatever its body is. The page works without a script.
 */
import { escapedMarkup } from '../base/markup.ts';
import type { MailEnd } from '../control/people/mail-ends.ts';
import { domainOfEnd, endMails, isEnded, resumeMails } from '../control/people/notices.ts';
import { errors } from '../model/errors.ts';
import { firstValue, parseQueryString } from '../query/question/parameters.ts';
import type { Call, Endpoint, FullAnswer } from './endpoint.ts';
import { formPolicyOf, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { optional, PUBLIC, READS, required } from './presets.ts';

const PATH = '/api/v1/unsubscribe';
const TOKEN = required('token', 'Stands in the link of a mail.');
const HTML = { kind: 'html', status: 200, schema: null, isSecret: true } as const;

/** What mails of a kind are called. */
const MAILS: Readonly<Record<MailEnd['kind'], string>> = {
  report: 'this report',
  spike: 'mails on traffic spikes',
  warning: 'mails on missing traffic',
  goal: 'mails on goals that are reached',
  webhook: 'mails on webhooks that were set inactive',
};

/** Without a credential: the token of the link is one. */
export const unsubscribeEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...PUBLIC, path: PATH, answer: HTML, refusals: [400] },
    summary: 'The page that ends mails of a kind, by the link of one.',
    parameters: [TOKEN],
    handle: (call, ports) => {
      const { end, token } = endOf(call, ports);
      const isOver = isEnded(end, ports.records.look());
      return pageOf({ end, token, isOver, name: nameOf(end, ports) });
    },
  },
  {
    ...{ ...PUBLIC, method: 'POST', path: PATH, needsReady: true, body: null },
    ...{ answer: HTML, refusals: [400] },
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
  return pageOf({ end, token, isOver: isEnded(end, ports.records.look()), name });
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

function pageOf({ end, token, isOver, name }: Shown): FullAnswer {
  const what = `${MAILS[end.kind]}${name === '' ? '' : ` of ${name}`}`;
  const heading = isOver ? 'These mails have ended' : 'End these mails?';
  const text = isOver ? `You no longer get ${what}.` : `You will no longer get ${what}.`;
  const again = end.kind === 'report' ? '' : button('Get them again', `${token}&again=true`);
  const given: Readonly<Record<string, string>> = {
    heading: escapedMarkup(heading),
    text: escapedMarkup(text),
    form: isOver ? again : button('End them', token),
  };
  const page = readPage('unsubscribe');
  const body = page.replace(/\{(heading|text|form)\}/g, (_, key: string) => String(given[key]));
  return { body, headers: { 'Content-Security-Policy': formPolicyOf(page) } };
}

function button(label: string, query: string): string {
  const action = escapedMarkup(`?token=${query}`);
  return `<form method="post" action="${action}"><button>${escapedMarkup(label)}</button></form>`;
}
