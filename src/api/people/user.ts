/** GET, PUT, DELETE user: what people may see and change of themselves (M-83). */
import { assert } from '../../base/assert.ts';
import { LANGUAGES, type Language } from '../../base/languages.ts';
import { exactly } from '../../base/schema.ts';
import { changed } from '../../control/descriptor/draft.ts';
import { TEXT } from '../../control/descriptor/fields.ts';
import type { Change, Look } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { nameFault } from '../../control/field-rules.ts';
import { passwordFault } from '../../control/people/passwords.ts';
import { hashOf, passwordSet } from '../../control/people/sign-in.ts';
import { removalOf } from '../../control/registry/changes.ts';
import { domain } from '../../control/resources/domain.ts';
import { organization } from '../../control/resources/organization.ts';
import { user } from '../../control/resources/user.ts';
import type { Credential } from '../../model/credential.ts';
import { errors } from '../../model/errors.ts';
import { NAMED_OBJECT_COUNT_MAX } from '../../model/limits.ts';
import type { Call, Endpoint, FullAnswer } from '../endpoint.ts';
import { authorOf, type Viewed, viewingOf } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, NOTHING, PASSWORD_OR_NONE, READS, self } from '../presets.ts';
import { Problems } from '../problems.ts';
import { countAttempt } from './attempts.ts';
import { cookieAnswer } from './session-cookie.ts';

const PATH = '/api/v1/user';
const OWN = { path: PATH, auth: self(), parameters: [], needsReady: true } as const;

/** Nobody else's: an account is found by who asks. */
export const userEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...OWN },
    summary: 'Shows the account of the caller.',
    answer: json(shape()),
    handle: (call, ports) => JSON.stringify(shownUser({ call, ports })),
  },
  {
    ...OWN,
    method: 'PUT',
    summary:
      'Changes the name, the language of mails, or the password of the account of the caller.',
    body: jsonBody({
      required: [],
      fields: {
        ...{ full_name: TEXT, language: TEXT },
        ...{ password: PASSWORD_OR_NONE, old_password: PASSWORD_OR_NONE },
      },
    }),
    answer: json(NOTHING),
    handle: changeUser,
  },
  {
    ...OWN,
    method: 'DELETE',
    summary: 'Removes the account of the caller, unless it owns domains or organizations.',
    body: null,
    answer: json(NOTHING),
    handle: removeUser,
  },
];

/** Without the times of the record, which are of no use to anybody here. */
function shape() {
  const { id, def_time: _defined, mod_time: _modified, ...shown } = wireSchema(user).properties;
  assert(id !== undefined, 'every record shows its id');
  return exactly({ id, ...shown });
}

/** The account of a caller, as it is shown to itself. @throws RECORD_NOT_FOUND. */
export function shownUser(viewed: Viewed): Record<string, unknown> {
  const viewing = viewingOf(viewed);
  const { userId: id } = viewing;
  const found = viewing.view.find(user, id);
  if (found === null) throw errors.RECORD_NOT_FOUND({ kind: user.name, id });
  const { def_time: _defined, mod_time: _modified, ...shown } = toWire(user, found, viewing);
  return shown;
}

/** What a request asks for; null: it stays. */
interface Wish {
  readonly fullName: string | null;
  /** Of mails; '' that of the service. */
  readonly language: Language | '' | null;
  /** Another password, hashed, and what the one before was compared with. */
  readonly password: { readonly hash: string; readonly before: string } | null;
}

async function changeUser(call: Call, ports: Ports): Promise<string> {
  const sent = call.body as Record<
    'full_name' | 'language' | 'password' | 'old_password',
    string | null
  >;
  const { userId, sessionId } = callerOf(call);
  const problems = new Problems();
  const fullName = sent.full_name?.trim() ?? null;
  const fault = nameFault(fullName ?? '');
  if (fault !== '') problems.add('full_name', fault);
  const language = readLanguage(sent.language, problems);
  const before = sent.password == null ? null : hashOf(userId, ports.records.look());
  const isNew = sent.password != null;
  if (isNew) {
    const email = ports.records.find(user, userId)?.email ?? '';
    const uncount = countAttempt(call, email);
    const isRight = await checkPasswords(sent, { before, ports, problems });
    if (isRight) uncount();
  }
  if (!problems.isEmpty) throw problems.error();
  const hash = isNew ? await ports.passwords.hash(sent.password ?? '') : '';
  const wish = { fullName, language, password: before === null ? null : { hash, before } };
  await change(call, ports, (view, nowMs) => userChanges(wish, { userId, sessionId, view, nowMs }));
  return '{}';
}

/** Null: nothing is said of it, or what is none. */
function readLanguage(sent: string | null | undefined, problems: Problems): Language | '' | null {
  if (sent == null) return null;
  const asked = sent.trim();
  const known = ['', ...LANGUAGES].find((one) => one === asked);
  if (known === undefined) problems.add('language', `must be ${LANGUAGES.join(' or ')}`);
  return (known as Language | '' | undefined) ?? null;
}

/**
 * A client that may little could else take the account over: the old password is always asked for.
 *
 * @returns whether nothing was guessed wrong.
 */
async function checkPasswords(
  { password, old_password }: Record<'password' | 'old_password', string | null>,
  check: { readonly before: string | null; readonly ports: Ports; readonly problems: Problems },
): Promise<boolean> {
  const { before, ports, problems } = check;
  const fault = passwordFault(password ?? '');
  if (fault !== '') problems.add('password', fault);
  if (before === null) {
    problems.add('old_password', NO_PASSWORD);
    return true;
  }
  const isRight = await ports.passwords.matches(before, old_password ?? '');
  if (!isRight) problems.add('old_password', WRONG_PASSWORD);
  return isRight;
}

const NO_PASSWORD = 'there is none yet: a link of /api/v1/password/forgot sets the first one';
const WRONG_PASSWORD = 'is not the password of this account';

function userChanges(
  wish: Wish,
  at: { userId: string; sessionId: string; view: Look; nowMs: number },
): Change[] {
  const { userId, sessionId, view, nowMs } = at;
  const before = view.find(user, userId);
  if (before === null) throw errors.RECORD_NOT_FOUND({ kind: user.name, id: userId });
  const { password } = wish;
  const changes: Change[] = [];
  const fullName = wish.fullName ?? before.fullName;
  // Records that are older than the field have none.
  const language = wish.language ?? before.language ?? '';
  if (fullName !== before.fullName || language !== (before.language ?? '')) {
    changes.push(changed(user, { ...before, fullName, language, modifiedMs: nowMs }));
  }
  if (password !== null) {
    if (hashOf(userId, view) !== password.before) {
      throw errors.VALIDATION_FAILED({ validation: { old_password: WRONG_PASSWORD } });
    }
    changes.push(...passwordSet({ userId, view, nowMs }, password.hash, sessionId));
  }
  return changes;
}

async function removeUser(call: Call, ports: Ports): Promise<FullAnswer> {
  const { userId: id } = callerOf(call);
  await change(call, ports, (view, nowMs) => {
    if (view.find(user, id) === null) throw errors.RECORD_NOT_FOUND({ kind: user.name, id });
    const owned = [
      ...view.of(domain, 'userId', id).map(({ hostname }) => `the domain ${hostname}`),
      ...view.of(organization, 'userId', id).map(({ name }) => `the organization ${name}`),
    ];
    if (owned.length > 0) {
      const named = owned.slice(0, NAMED_OBJECT_COUNT_MAX);
      const more = owned.length > named.length ? ' and more' : '';
      throw errors.USER_OWNS({ owned: named.join(', ') + more });
    }
    return removalOf([{ resource: user, id }], view, nowMs);
  });
  return cookieAnswer('', ports.publicUrl);
}

async function change(
  call: Call,
  ports: Ports,
  decide: (view: Look, nowMs: number) => Change[],
): Promise<void> {
  const stamp = { nowMs: call.receivedMs, by: authorOf(callerOf(call)) };
  await ports.records.decide(stamp, (view, atMs) => ({
    changes: decide(view, atMs),
    result: null,
  }));
}

function callerOf({ credential }: Call): Credential {
  assert(credential !== null, 'an endpoint for users has a credential');
  return credential;
}
