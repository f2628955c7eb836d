/** POST password/forgot, password/reset: a link by mail, and the password that it sets (M-81). */
import { languageOfCode } from '../../base/languages.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { mailWanted } from '../../control/people/mails.ts';
import { linkOf } from '../../control/people/one-time-links.ts';
import { passwordFault } from '../../control/people/passwords.ts';
import { LINK_ENDED, personOf, resetPassword } from '../../control/people/sign-in.ts';
import type { OneTimeLink } from '../../control/resources/one-time-link.ts';
import { languageOf } from '../../ingest/agent/language.ts';
import type { Call, Endpoint, FullAnswer } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, NOTHING, PASSWORD, PUBLIC } from '../presets.ts';
import { Problems } from '../problems.ts';
import { cookieAnswer } from './session-cookie.ts';

const FORGOT = '/api/v1/password/forgot';
const CHANGES = { method: 'POST', needsReady: true, isForOwnPages: true, ...PUBLIC } as const;

/** Neither of them says who has an account. */
export const passwordEndpoints: readonly Endpoint[] = [
  {
    ...CHANGES,
    path: FORGOT,
    summary: 'Sends a link that sets a new password, if somebody has the address.',
    body: jsonBody({ required: ['email'], fields: { email: REQUIRED_TEXT } }),
    answer: json(NOTHING),
    refusals: [403],
    handle: forget,
  },
  {
    ...CHANGES,
    path: '/api/v1/password/reset',
    readsVisitor: true,
    summary:
      'Sets the password by the token of a link; the person is signed in here, and nowhere else.',
    body: jsonBody({
      required: ['token', 'password'],
      fields: { token: REQUIRED_TEXT, password: PASSWORD },
    }),
    answer: { ...json(NOTHING), isSecret: true },
    refusals: [403],
    handle: reset,
  },
];

/** Answered before anybody has looked: the time tells nothing either. */
function forget(call: Call, ports: Ports): string {
  const { email } = call.body as { email: string };
  setImmediate(() => {
    sendLink(email, call.receivedMs, ports).catch((error: unknown) =>
      ports.logError(error, `POST ${FORGOT}`),
    );
  });
  return '{}';
}

async function sendLink(email: string, nowMs: number, ports: Ports): Promise<void> {
  // The account may have been made at another node a moment ago (M-5); nobody waits for this any more.
  await ports.registry.lookAgain();
  const known = personOf(email, ports.records.look());
  if (known === null) return;
  const { id: userId, email: address } = known.person;
  const stamp = { nowMs, by: { kind: 'node', id: '' } } as const;
  await ports.records.decide(stamp, (view, atMs) => {
    const wish = {
      kind: 'password-reset',
      to: address,
      userId,
      place: null,
      inviterId: '',
    } as const;
    // Gone meanwhile: nobody waits for an error.
    return { changes: view.has('user', userId) ? mailWanted(wish, view, atMs) : [], result: null };
  });
}

async function reset(call: Call, ports: Ports): Promise<string | FullAnswer> {
  const { token, password } = call.body as { token: string; password: string };
  const { receivedMs: nowMs } = call;
  const link = await findLink(token, ports, nowMs);
  const problems = new Problems();
  if (link === null) problems.add('token', LINK_ENDED);
  const fault = passwordFault(password);
  if (fault !== '') problems.add('password', fault);
  if (link === null || !problems.isEmpty) throw problems.error();
  const hash = await ports.passwords.hash(password);
  const stamp = { nowMs, by: { kind: 'user', id: link.userId } } as const;
  const language = languageOfCode(languageOf(call.visitor?.raw.accept_language));
  const cookie = await ports.records.decide(stamp, (view) =>
    resetPassword({ token, hash, language }, { view, nowMs }),
  );
  return cookie === null ? '{}' : cookieAnswer(cookie, ports.publicUrl);
}

/** The link of a token, also one that another node has just made (M-5). */
async function findLink(token: string, ports: Ports, nowMs: number): Promise<OneTimeLink | null> {
  const link = linkOf(token, ports.records.look(), nowMs);
  if (link !== null || !(await ports.registry.lookAgain())) return link;
  return linkOf(token, ports.records.look(), nowMs);
}
