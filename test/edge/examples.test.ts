// Goal: whoever sends the examples of the document, with ids of their own, is answered as it says.
// Method: all of them in their order, as a story of two people, over an edge with a real registry.
import { expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { EXAMPLES, exampleId, exampleKeyOf } from '../../src/api/openapi/examples.ts';
import { Access } from '../../src/control/access.ts';
import { createAccount } from '../../src/control/accounts.ts';
import { newUpload } from '../../src/control/imports.ts';
import { totpCode } from '../../src/control/people/totp.ts';
import { TOTP_STEP_MS } from '../../src/model/limits.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();
/** What she does who was invited, and who is given the site. */
const OF_GRACE = new Set(['POST invitation', 'PUT domain/transfer']);
/** What is no JSON. */
const BYTES = new Set(['multipart', 'text', 'file']);
/** So that no limit of requests is met. */
const PACE_MS = 7_000;

test('every JSON body of the document has an example, and no example is of nothing', () => {
  const sent = endpoints.filter(
    ({ body, isAlias }) => body !== null && !BYTES.has(body.kind) && isAlias !== true,
  );
  const wanted = sent.filter(({ method }) => method !== 'DELETE').map(exampleKeyOf);
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(wanted.toSorted());
});

test('every example is answered 200', async () => {
  const ada = await account('ada@example.com');
  const grace = await account('grace@example.com');
  /** What stands in examples → what it is here. */
  const own = new Map<string, string>([
    ['clientid'.padEnd(32, '0'), ada.clientId],
    ['clientsecret'.padEnd(64, '0'), ada.clientSecret],
  ]);
  for (const [name, example] of Object.entries(EXAMPLES)) {
    const [method = '', path = ''] = name.split(' ');
    await prepare(name, ada.bearer, own);
    const text = [...own].reduce(
      (body, [shown, is]) => body.replaceAll(shown, is),
      JSON.stringify(example),
    );
    edge.nowMs += PACE_MS;
    const { bearer } = OF_GRACE.has(name) ? grace : ada;
    const reply = await edge.send(method, path, text, bearer);
    expect([name, reply.status, reply.json], name).toEqual([name, 200, expect.anything()]);
    const resource = path.split('/').at(-1) ?? '';
    const { id } = [reply.json].flat()[0] as { id?: string };
    if (method === 'POST' && id !== undefined) own.set(exampleId(resource), id);
    if (name === 'POST domain') own.set('code'.padEnd(32, '0'), reply.json.identification_code);
    if (name === 'POST member') await remember('invitation', `invitation?domain_id=`);
    if (name === 'POST invitation') await remember('member', `member?id=`);
  }

  async function remember(kind: string, path: string): Promise<void> {
    const site = own.get(exampleId('domain')) ?? '';
    const { json } = await edge.send('GET', path + site, undefined, ada.bearer);
    own.set(exampleId(kind), json[0].id);
  }
});

/** What a person does with a mail or an app before a request. */
async function prepare(name: string, bearer: string, own: Map<string, string>): Promise<void> {
  if (name === 'POST password/reset') {
    const link = edge.mails.at(-1)?.link ?? '';
    own.set('token'.padEnd(32, '0'), new URL(link).searchParams.get('token') ?? '');
  }
  if (name === 'POST external/import') {
    const id = 'upload'.padEnd(20, '0');
    const [nowMs, domainId] = [edge.nowMs, own.get(exampleId('domain')) ?? ''];
    await edge.registry.change({ nowMs, by: { kind: 'node', id: '' } }, (view) =>
      newUpload(view, { id, domainId, name: 'a.zip', bytes: 1 }, nowMs).changes.slice(),
    );
    own.set(exampleId('upload'), id);
  }
  if (name === 'POST user/totp/confirm') {
    const { secret } = (await edge.send('POST', 'user/totp', undefined, bearer)).json;
    own.set('123456', totpCode(secret, Math.floor((edge.nowMs + PACE_MS) / TOTP_STEP_MS)));
  }
}

async function account(email: string) {
  const made = await createAccount(edge.registry, { email }, edge.nowMs);
  const { clientId, clientSecret } = made;
  const issued = new Access(edge.registry).issueToken(clientId, clientSecret, edge.nowMs);
  return { clientId, clientSecret, bearer: issued?.accessToken ?? '' };
}
