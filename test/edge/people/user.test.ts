// Goal: people see and change themselves and nobody else, and go only when nobody loses something by it.
// Method: an edge over a real registry, asked by a browser, by clients, and by a user without anything.
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../../src/control/accounts.ts';
import type { Resource } from '../../../src/control/descriptor/resource.ts';
import { client } from '../../../src/control/resources/client.ts';
import { oneTimeLink } from '../../../src/control/resources/one-time-link.ts';
import { organization } from '../../../src/control/resources/organization.ts';
import { password } from '../../../src/control/resources/password.ts';
import { secondFactor } from '../../../src/control/resources/second-factor.ts';
import { session } from '../../../src/control/resources/session.ts';
import { user } from '../../../src/control/resources/user.ts';
import { NOW_MS } from '../../support/fake-ports.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { browser, EMAIL, forgottenToken, PASSWORD, setPassword, signIn } from './people.ts';

const edge = useRegistryEdge();
beforeEach(() => setPassword(edge));

const asClient = (method: string, body?: unknown) =>
  edge.send(method, 'user', body, edge.bearers.account);

describe('GET user', () => {
  test('shows the caller, whoever stands for it (M-83)', async () => {
    const { send } = await browser(edge);
    const reply = await send('GET', 'user');
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      ...{ email: EMAIL, full_name: '', picture: '' },
      ...{ active_in_title: false, full_width: false, language: '', totp: false },
    });
    expect((await asClient('GET')).json).toEqual(reply.json);
    expect((await edge.send('GET', 'user', undefined, edge.bearers.viewer)).json).toEqual(
      reply.json,
    );
  });

  test('is not for clients of a domain, keys, and nobody (M-3)', async () => {
    for (const bearer of [edge.bearers.domain, edge.bearers.key]) {
      expect((await edge.send('GET', 'user', undefined, bearer)).status).toBe(403);
    }
    expect((await edge.browse('GET', 'user')).status).toBe(401);
  });
});

describe('PUT user', () => {
  test('changes the name; what is not sent stays (M-83)', async () => {
    const { send } = await browser(edge);
    expect(await send('PUT', 'user', { full_name: '  Ada L. ' })).toMatchObject({ json: {} });
    expect((await send('GET', 'user')).json.full_name).toBe('Ada L.');
    expect((await send('PUT', 'user', {})).status).toBe(200);
    expect((await send('PUT', 'user', { full_name: null, email: 'x@y.z', id: 'x' })).status).toBe(
      200,
    );
    expect((await send('GET', 'user')).json).toMatchObject({ full_name: 'Ada L.', email: EMAIL });
    await send('PUT', 'user', { full_name: '' });
    expect((await send('GET', 'user')).json.full_name).toBe('');
  });

  test('says the language of mails, and takes it back (O-21)', async () => {
    const { send } = await browser(edge);
    const language = async () => (await send('GET', 'user')).json.language;
    expect((await send('PUT', 'user', { language: ' de ' })).status).toBe(200);
    expect(await language()).toBe('de');
    for (const body of [{ full_name: 'Ada' }, { language: null }, {}]) {
      expect((await send('PUT', 'user', body)).status).toBe(200);
      expect(await language()).toBe('de');
    }
    const { sequence } = edge.registry;
    await send('PUT', 'user', { language: 'de' });
    expect(edge.registry.sequence).toBe(sequence);
    await send('PUT', 'user', { language: '' });
    expect(await language()).toBe('');
  });

  test('that changes nothing writes nothing (M-7)', async () => {
    await asClient('PUT', { full_name: 'Ada' });
    const { sequence } = edge.registry;
    expect((await asClient('PUT', { full_name: ' Ada ' })).status).toBe(200);
    expect(edge.registry.sequence).toBe(sequence);
  });

  test.each([
    [{ full_name: 'x'.repeat(201) }, ['full_name']],
    [{ full_name: 5 }, ['full_name']],
    [{ language: 'fr' }, ['language']],
    [{ language: 'DE', full_name: 'x'.repeat(201) }, ['full_name', 'language']],
    [{ language: ['de'] }, ['language']],
    [{ password: 'short', old_password: PASSWORD }, ['password']],
    [{ password: 'qwertyuiop', old_password: PASSWORD }, ['password']],
    [{ password: 'another horse', old_password: 'wrong' }, ['old_password']],
    [{ password: 'another horse' }, ['old_password']],
    [{ password: 'short', full_name: 'x'.repeat(201) }, ['full_name', 'password', 'old_password']],
    [{ password: ['another horse'] }, ['password']],
  ])('with %j is refused by field, and changes nothing', async (body, fields) => {
    const { send } = await browser(edge);
    const { sequence } = edge.registry;
    const reply = await send('PUT', 'user', body);
    expect([reply.status, Object.keys(reply.json.validation)]).toEqual([400, fields]);
    expect(edge.registry.sequence).toBe(sequence);
    expect((await signIn(edge)).status).toBe(200);
  });

  test('with another password ends all other sessions, and every link (M-83)', async () => {
    const [one, other] = [await browser(edge), await browser(edge)];
    const token = await forgottenToken(edge);
    const body = { password: 'another horse', old_password: PASSWORD };
    expect((await one.send('PUT', 'user', body)).status).toBe(200);
    expect((await one.send('GET', 'user')).status).toBe(200);
    expect((await other.send('GET', 'user')).status).toBe(401);
    expect((await signIn(edge)).status).toBe(401);
    expect((await signIn(edge, { password: 'another horse' })).status).toBe(200);
    const reset = { token, password: 'a third horse' };
    expect((await edge.browse('POST', 'password/reset', { body: reset })).status).toBe(400);
  });

  test('with the same old password from several at once changes it once', async () => {
    const wishes = ['the first horse', 'the second horse', 'the third horse'];
    const replies = await Promise.all(
      wishes.map((wish) => asClient('PUT', { password: wish, old_password: PASSWORD })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const won = replies.findIndex(({ status }) => status === 200);
    expect((await signIn(edge, { password: wishes[won] })).status).toBe(200);
  });

  test('gives no first password: a client that may little could take the account (M-83)', async () => {
    const made = await createAccount(edge.registry, { email: 'new@example.org' }, NOW_MS);
    const token = (
      await edge.send('POST', 'token', {
        ...{ client_id: made.clientId, client_secret: made.clientSecret },
      })
    ).json.access_token;
    const body = { password: 'another horse', old_password: '' };
    const reply = await edge.send('PUT', 'user', body, token);
    expect(reply.status).toBe(400);
    expect(reply.json.validation.old_password).toContain('there is none yet');
  });
});

describe('DELETE user', () => {
  test('names what the account still owns, and leaves it (M-83)', async () => {
    const { send } = await browser(edge);
    const reply = await send('DELETE', 'user');
    expect(reply.status).toBe(400);
    for (const owned of ['the domain example.org', 'the domain second.test']) {
      expect(reply.json.error[0]).toContain(owned);
    }
    expect((await send('GET', 'user')).status).toBe(200);
  });

  test('removes who owns nothing, with everything that was its own (M-83)', async () => {
    const email = 'eve@example.org';
    const { user: eve } = await createAccount(edge.registry, { email }, NOW_MS);
    await setPassword(edge, PASSWORD, email);
    const { send, cookie } = await browser(edge, { email });
    await send('POST', 'user/totp');
    await forgottenToken(edge, email);
    const { view } = edge.registry;
    const left = () =>
      [password, secondFactor, session, oneTimeLink, client].map(
        (resource: Resource) => view.of(resource, 'userId' as never, eve.id).length,
      );
    // Setting the password signed in, too (D-1).
    expect(left()).toEqual([1, 1, 2, 1, 1]);
    const reply = await send('DELETE', 'user');
    expect(reply).toMatchObject({ status: 200, json: {} });
    expect(reply.headers.get('set-cookie')).toContain('Max-Age=0');
    edge.registry.refresh();
    expect(left()).toEqual([0, 0, 0, 0, 0]);
    expect(view.find(user, eve.id)).toBe(null);
    expect((await edge.browse('GET', 'user', { headers: { cookie } })).status).toBe(401);
    expect((await signIn(edge, { email })).status).toBe(401);
    expect((await signIn(edge)).status).toBe(200);
  });

  test('waits for organizations, too (M-83)', async () => {
    const email = 'eve@example.org';
    const { user: eve } = await createAccount(edge.registry, { email }, NOW_MS);
    await setPassword(edge, PASSWORD, email);
    const { send } = await browser(edge, { email });
    const own = { id: 'o'.repeat(20), createdMs: NOW_MS, modifiedMs: NOW_MS, userId: eve.id };
    await edge.registry.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () => [
      { kind: `${organization.name}-created`, payload: { ...own, name: 'Analysts' } as never },
    ]);
    const reply = await send('DELETE', 'user');
    expect([reply.status, reply.json.error[0]]).toEqual([
      400,
      expect.stringContaining('the organization Analysts'),
    ]);
  });
});
