/** POST user/totp, POST user/totp/confirm, DELETE user/totp: two-factor sign-in (M-80). */
import { assert } from '../../base/assert.ts';
import { exactly, listOf, string } from '../../base/schema.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import {
  begunFactor,
  confirmedFactor,
  endedFactor,
  type FactorOf,
} from '../../control/people/second-factors.ts';
import { totpUri } from '../../control/people/totp.ts';
import type { Decision } from '../../control/records.ts';
import { user } from '../../control/resources/user.ts';
import { errors } from '../../model/errors.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { authorOf } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, NOTHING, self } from '../presets.ts';
import { countAttempt } from './attempts.ts';

const OWN = { needsReady: true, auth: self(), parameters: [] } as const;
const CODE = { required: ['code'], fields: { code: REQUIRED_TEXT } };

/** What is secret is told once, by the answer that makes it. */
export const secondFactorEndpoints: readonly Endpoint[] = [
  {
    ...OWN,
    method: 'POST',
    path: '/api/v1/user/totp',
    summary: 'Makes a secret for an app; codes are asked for once the first one is confirmed.',
    body: null,
    answer: { ...json(exactly({ secret: string, uri: string })), isSecret: true },
    handle: begin,
  },
  {
    ...OWN,
    method: 'POST',
    path: '/api/v1/user/totp/confirm',
    summary: 'Turns two-factor sign-in on by a code of the app; shows the recovery codes.',
    body: jsonBody(CODE),
    answer: { ...json(exactly({ recovery_codes: listOf(string) })), isSecret: true },
    handle: async (call, ports) => {
      const codes = await decide(call, ports, (at) => confirmedFactor(at, codeOf(call)));
      return JSON.stringify({ recovery_codes: codes });
    },
  },
  {
    ...OWN,
    method: 'DELETE',
    path: '/api/v1/user/totp',
    summary: 'Turns two-factor sign-in off by a code of the app, or a recovery code.',
    body: jsonBody(CODE),
    answer: json(NOTHING),
    handle: end,
  },
];

async function begin(call: Call, ports: Ports): Promise<string> {
  const made = await decide(call, ports, (at) => {
    const person = at.view.find(user, at.userId);
    if (person === null) throw errors.RECORD_NOT_FOUND({ kind: user.name, id: at.userId });
    const { changes, result: secret } = begunFactor(at);
    return { changes, result: { secret, uri: totpUri(secret, person.email) } };
  });
  return JSON.stringify(made);
}

async function end(call: Call, ports: Ports): Promise<string> {
  assert(call.credential !== null, 'an endpoint for users has a credential');
  const email = ports.records.find(user, call.credential.userId)?.email ?? '';
  const uncount = countAttempt(call, email);
  const ended = (at: FactorOf) => ({ changes: endedFactor(at, codeOf(call)), result: '{}' });
  const answer = await decide(call, ports, ended);
  uncount();
  return answer;
}

function decide<Result>(
  { credential, receivedMs: nowMs }: Call,
  ports: Ports,
  decision: (at: FactorOf) => Decision<Result>,
): Promise<Result> {
  assert(credential !== null, 'an endpoint for users has a credential');
  const { userId } = credential;
  const stamp = { nowMs, by: authorOf(credential) };
  return ports.records.decide(stamp, (view) => decision({ userId, view, nowMs }));
}

function codeOf({ body }: Call): string {
  return (body as { code: string }).code;
}
