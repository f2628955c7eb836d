/** Sends the request of a row as a column, and says what is wrong with the answer. */
import { must } from '../../../src/base/assert.ts';
import { Access } from '../../../src/control/access.ts';
import { removalOf } from '../../../src/control/registry/changes.ts';
import { client } from '../../../src/control/resources/client.ts';
import { checkAnswer } from '../../support/clients/answer-check.ts';
import { type FormPart, formBytes, formType } from '../../support/clients/multipart.ts';
import { queryString } from '../../support/clients/query-string.ts';
import type { RegistryEdge } from '../registry-edge.ts';
import { CALLERS, type Caller, type Signing } from './callers.ts';
import type { Row } from './row.ts';
import { ghostOf, makeWorld, type World } from './world.ts';

/** A hash that no file has. */
const NO_FILE = '0'.repeat(64);
const BOUNDARY = 'boundary-of-the-table';

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Asks a row's endpoint as every column. @returns what was answered otherwise, one line each. */
export async function askRow(edge: RegistryEdge, row: Row): Promise<string[]> {
  const wrong: string[] = [];
  const revoked = await revokedToken(edge);
  let asking = await Asking.open(edge, row, revoked);
  for (const caller of CALLERS) {
    const expected = caller.expected(row);
    if (expected === null) continue;
    const fault = await asking.fault(caller, expected);
    if (fault !== '') wrong.push(`${row.at} (${row.how ?? ''}), ${caller.name}: ${fault}`);
    // What an answer caused to be mailed changes the registry, too.
    await edge.settled();
    // What was changed is as it was for the next one.
    if (asking.isChanged) asking = await Asking.open(edge, row, revoked);
  }
  return wrong;
}

/** A token that was good until its client was removed. */
async function revokedToken({ registry, nowMs }: RegistryEdge): Promise<string> {
  const world = await makeWorld(registry, nowMs);
  const token = tokenBy(new Access(registry), world, 'foreign', nowMs);
  await registry.change({ nowMs, by: { kind: 'cli', id: '' } }, (view) =>
    removalOf([{ resource: client, id: world.foreignClient }], view, nowMs),
  );
  return token;
}

/** A token of a page that is shown by a code (M-82). */
async function pageToken(
  { baseUrl }: RegistryEdge,
  { subdomain, secrets }: World,
): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/access`, {
    method: 'POST',
    body: JSON.stringify({ subdomain, access: secrets.code }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** An access token of one of the world's clients. */
function tokenBy(access: Access, world: World, name: string, nowMs: number): string {
  const { clientId, secret } = must(world.secrets.oauth.get(name), `there is a client '${name}'`);
  return must(access.issueToken(clientId, secret, nowMs), 'its secret is right').accessToken;
}

/** One world, and the row that is asked in it. */
class Asking {
  readonly #edge: RegistryEdge;
  readonly #row: Row;
  readonly #world: World;
  readonly #signing: Signing;
  /** The registry's sequence when the world was made. */
  readonly #sequence: number;

  private constructor(
    edge: RegistryEdge,
    row: Row,
    { world, revoked, pageToken }: Pick<Signing, 'world' | 'revoked' | 'pageToken'>,
  ) {
    this.#edge = edge;
    this.#row = row;
    this.#world = world;
    this.#sequence = edge.registry.sequence;
    const access = new Access(edge.registry);
    const tokenOf = (name: string, nowMs = edge.nowMs): string => {
      const oauth = world.secrets.oauth.get(name);
      return (
        access.issueToken(oauth?.clientId ?? '', oauth?.secret ?? '', nowMs)?.accessToken ?? ''
      );
    };
    const aDayAgo = edge.nowMs - 86_400_000;
    this.#signing = {
      ...{ world, tokenOf: (name) => tokenOf(name), origin: edge.baseUrl },
      ...{ expired: tokenOf('owner w', aDayAgo), revoked, pageToken },
    };
  }

  static async open(edge: RegistryEdge, row: Row, revoked: string): Promise<Asking> {
    const lacking = row.scopes.map((words) => words.split(' ')[0] as string);
    const world = await makeWorld(edge.registry, edge.nowMs, lacking);
    return new Asking(edge, row, { world, revoked, pageToken: await pageToken(edge, world) });
  }

  get isChanged(): boolean {
    return this.#edge.registry.sequence !== this.#sequence;
  }

  /** @returns what is wrong with the answer; '' when nothing is. */
  async fault(caller: Caller, expected: number): Promise<string> {
    const reply = await this.#send(caller, this.#world);
    if (reply.status !== expected) return `${reply.status} and not ${expected}: ${reply.text}`;
    if (expected === 200) return '';
    if (this.isChanged) return 'was refused and has changed something';
    return expected === 404 ? this.#leak(caller, reply) : '';
  }

  /** What is not seen is answered like what is not there (M-4). */
  async #leak(caller: Caller, seen: Reply): Promise<string> {
    const ghost = ghostOf(this.#world, this.#row.unseen);
    const reply = await this.#send(caller, ghost);
    const left = withoutNames(seen.text, this.#world);
    const right = withoutNames(reply.text, ghost);
    if (reply.status === 404 && left === right) return '';
    return `tells what is there: ${seen.text}, and of nothing ${reply.status} ${reply.text}`;
  }

  async #send(caller: Caller, world: World): Promise<Reply> {
    const { at, query, body, form, headers } = this.#row;
    const [method = '', path = ''] = at.split(' ');
    const own = world.own[caller.personOf(this.#row)];
    const signed = caller.sign(this.#signing, this.#row);
    const sent = bodyOf(body?.(world, own), form?.(world, own));
    const url = (path.startsWith('/') ? path : `/api/v1/${path}`).replace('{id}', NO_FILE);
    const asked = queryString({ ...query?.(world, own), ...signed.query });
    const response = await fetch(`${this.#edge.baseUrl}${url}${asked}`, {
      method,
      headers: { ...signed.headers, ...sent.headers, ...headers },
      ...(sent.bytes === null ? {} : { body: sent.bytes }),
    });
    const text = await textOf(response);
    if (response.headers.get('content-type') === 'application/json') {
      checkAnswer(method, url, response.status, JSON.parse(text));
    }
    return { status: response.status, text };
  }
}

/** A stream that was let in does not end by itself. */
async function textOf(response: Response): Promise<string> {
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (!isStream) return response.text();
  await response.body?.cancel();
  return '';
}

function bodyOf(
  json: unknown,
  form: readonly FormPart[] | undefined,
): { bytes: string | Uint8Array<ArrayBuffer> | null; headers: Record<string, string> } {
  if (form !== undefined) {
    return { bytes: formBytes(form, BOUNDARY), headers: { 'content-type': formType(BOUNDARY) } };
  }
  if (typeof json === 'string') return { bytes: json, headers: {} };
  return { bytes: json === undefined ? null : JSON.stringify(json), headers: {} };
}

/** An answer without the ids and names that the request had. */
function withoutNames(text: string, world: World): string {
  const names: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && value !== '') names.push(value);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit({ ...world, secrets: {} });
  return names.reduce((left, name) => left.replaceAll(name, '#'), text);
}
