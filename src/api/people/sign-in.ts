/** POST login, logout, logout/all: people sign in with e-mail and password, and out again (M-80). */
import { assert } from '../../base/assert.ts';
import { REQUIRED_TEXT, TEXT } from '../../control/descriptor/fields.ts';
import { endedSessions } from '../../control/people/sessions.ts';
import { type Known, personOf, signedIn } from '../../control/people/sign-in.ts';
import type { Credential } from '../../model/credential.ts';
import { errors } from '../../model/errors.ts';
import type { Call, Endpoint, FullAnswer } from '../endpoint.ts';
import { authorOf } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, NOTHING, PASSWORD, PERSONS, PUBLIC } from '../presets.ts';
import { countAttempt } from './attempts.ts';
import { cookieAnswer } from './session-cookie.ts';

const CHANGES = { method: 'POST', needsReady: true } as const;
const ENDS = { ...CHANGES, auth: PERSONS, parameters: [], body: null } as const;

/** The answers say nothing; what they do is in the cookie. */
export const signInEndpoints: readonly Endpoint[] = [
  {
    ...{ ...CHANGES, ...PUBLIC, isForOwnPages: true },
    path: '/api/v1/login',
    summary: 'Signs a person in: the answer sets the cookie of a session.',
    body: jsonBody({
      required: ['email', 'password'],
      fields: { email: REQUIRED_TEXT, password: PASSWORD, code: TEXT },
    }),
    answer: { ...json(NOTHING), isSecret: true },
    refusals: [401, 403],
    handle: signIn,
  },
  {
    ...ENDS,
    path: '/api/v1/logout',
    summary: 'Ends the session of the cookie.',
    answer: json(NOTHING),
    handle: (call, ports) => signOut(call, ports, false),
  },
  {
    ...ENDS,
    path: '/api/v1/logout/all',
    summary: 'Ends all sessions of the signed-in person.',
    answer: json(NOTHING),
    handle: (call, ports) => signOut(call, ports, true),
  },
];

/** What a sign-in carries, and who may be meant. */
interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly code?: string | null;
}

async function signIn(call: Call, ports: Ports): Promise<FullAnswer> {
  const sent = call.body as Attempt;
  // Who fails counts for the address that is tried, too, whoever and however many try (M-90).
  const uncount = countAttempt(call, sent.email);
  const known = await recognize(sent, ports);
  const { id: userId } = known.person;
  const { receivedMs: nowMs } = call;
  const stamp = { nowMs, by: { kind: 'user', id: userId } } as const;
  const proof = { hash: known.hash, code: sent.code ?? '' };
  const token = await ports.records.decide(stamp, (view) =>
    signedIn({ userId, view, nowMs }, proof),
  );
  uncount();
  return cookieAnswer(token, ports.publicUrl);
}

/**
 * Whose address and password they are; what another node has just made is known here as well (M-5).
 *
 * An unknown address takes as long as a wrong password, and is answered alike.
 *
 * @throws SIGN_IN_WRONG.
 */
async function recognize(sent: Attempt, ports: Ports): Promise<Known> {
  const known = await compare(sent, ports);
  if (known !== null) return known;
  const again = (await ports.registry.lookAgain()) ? await compare(sent, ports) : null;
  if (again === null) throw errors.SIGN_IN_WRONG({});
  return again;
}

async function compare({ email, password }: Attempt, ports: Ports): Promise<Known | null> {
  const known = personOf(email, ports.records.look());
  const isRight = await ports.passwords.matches(known?.hash ?? null, password);
  return isRight ? known : null;
}

async function signOut(call: Call, ports: Ports, isAll: boolean): Promise<FullAnswer> {
  const { userId, sessionId } = personCalling(call);
  const stamp = { nowMs: call.receivedMs, by: authorOf(personCalling(call)) };
  await ports.records.decide(stamp, (view) => {
    const all = endedSessions(userId, view);
    const ended = isAll ? all : all.filter(({ payload }) => payload.id === sessionId);
    return { changes: ended, result: null };
  });
  return cookieAnswer('', ports.publicUrl);
}

function personCalling({ credential }: Call): Credential {
  assert(credential !== null, 'an endpoint for persons has a credential');
  return credential;
}
