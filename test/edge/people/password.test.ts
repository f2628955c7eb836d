// Goal: a link sets the password once, for a day, and nobody learns from it who has an account.
// Method: an edge over a real registry; links are read from the mails that it hands over.
import { describe, expect, test } from 'vitest';
import { oneTimeLink } from '../../../src/control/resources/one-time-link.ts';
import { password as passwordResource } from '../../../src/control/resources/password.ts';
import { user } from '../../../src/control/resources/user.ts';
import { ONE_TIME_LINK_MS } from '../../../src/model/limits.ts';
import { NOW_MS } from '../../support/fake-ports.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { browser, EMAIL, forgottenToken, PASSWORD, setPassword, signIn } from './people.ts';

const edge = useRegistryEdge();
const reset = (token: unknown, password: unknown = PASSWORD) =>
  edge.browse('POST', 'password/reset', { body: { token, password } });

describe('a forgotten password', () => {
  test('is answered the same whoever asks; a mail goes to who has the address (M-81)', async () => {
    for (const email of ['nobody@example.org', 'no address', EMAIL]) {
      const reply = await edge.browse('POST', 'password/forgot', { body: { email } });
      expect([reply.status, reply.json]).toEqual([200, {}]);
    }
    await expect.poll(() => edge.mails.length).toBe(1);
    expect(edge.mails[0]).toMatchObject({ kind: 'password-reset', to: EMAIL });
    expect(edge.mails[0]?.link).toMatch(/^http:\/\/stats\.test\/reset\?token=[A-Za-z0-9]{32}$/);
  });

  test('goes to the address of the account, however it was typed', async () => {
    await forgottenToken(edge, ' ADA@example.ORG');
    expect(edge.mails[0]?.to).toBe(EMAIL);
  });

  test.each([[{}], [{ email: '' }], [{ email: 5 }], [[]]])('as %j is refused', async (body) => {
    expect((await edge.browse('POST', 'password/forgot', { body })).status).toBe(400);
  });
});

describe('a link', () => {
  test('of who comes for the first time says in which language they are written to (O-21)', async () => {
    const language = async () => {
      const { view } = edge.registry;
      return view.by(user, 'email', EMAIL)?.language ?? '';
    };
    const resetIn = async (header: string) => {
      const body = { token: await forgottenToken(edge), password: PASSWORD };
      const headers = { origin: edge.baseUrl, 'accept-language': header };
      expect((await edge.browse('POST', 'password/reset', { body, headers })).status).toBe(200);
      return language();
    };
    expect(await resetIn('de-CH,fr;q=0.9')).toBe('de');
    // From then on it is what they say themselves.
    expect(await resetIn('en')).toBe('de');
    const { send } = await browser(edge);
    await send('PUT', 'user', { language: '' });
    expect(await resetIn('de')).toBe('');
  });

  test('sets the password once (M-81)', async () => {
    const token = await forgottenToken(edge);
    expect(await reset(token)).toMatchObject({ status: 200, json: {} });
    expect((await signIn(edge)).status).toBe(200);
    const again = await reset(token, 'another horse');
    expect(again.status).toBe(400);
    expect(again.json.validation.token).toContain('used or expired');
    expect((await signIn(edge)).status).toBe(200);
  });

  test.each([
    [ONE_TIME_LINK_MS - 1, 200],
    [ONE_TIME_LINK_MS, 400],
  ])('after %d ms is answered %d (M-81)', async (afterMs, status) => {
    const token = await forgottenToken(edge);
    edge.nowMs = NOW_MS + afterMs;
    expect((await reset(token)).status).toBe(status);
  });

  test('is ended by a newer one, and by a password (M-81)', async () => {
    const [older, newer] = [await forgottenToken(edge), await forgottenToken(edge)];
    expect((await reset(older)).status).toBe(400);
    expect((await reset(newer)).status).toBe(200);
    const last = await forgottenToken(edge);
    const { send } = await browser(edge);
    await send('PUT', 'user', { password: 'another horse', old_password: PASSWORD });
    expect((await reset(last)).status).toBe(400);
  });

  test('that two use at once sets one password', async () => {
    const token = await forgottenToken(edge);
    const wishes = ['the first horse', 'the second horse', 'the third horse'];
    const replies = await Promise.all(wishes.map((wish) => reset(token, wish)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const won = replies.findIndex(({ status }) => status === 200);
    for (const [index, password] of wishes.entries()) {
      expect((await signIn(edge, { password })).status).toBe(index === won ? 200 : 401);
    }
  });

  test('ends every session of the person (M-81)', async () => {
    await setPassword(edge);
    const { cookie, send } = await browser(edge);
    expect((await send('GET', 'user')).status).toBe(200);
    await setPassword(edge, 'another horse');
    expect((await edge.browse('GET', 'user', { headers: { cookie } })).status).toBe(401);
    expect((await signIn(edge)).status).toBe(401);
    expect((await signIn(edge, { password: 'another horse' })).status).toBe(200);
  });

  test('is not used up by a password that is refused', async () => {
    const token = await forgottenToken(edge);
    for (const password of ['short', 'qwertyuiop', 'x'.repeat(201)]) {
      const reply = await reset(token, password);
      expect(reply.status).toBe(400);
      expect(Object.keys(reply.json.validation)).toEqual(['password']);
    }
    expect((await reset(token)).status).toBe(200);
  });

  test('that nobody has is refused, with everything that is wrong', async () => {
    for (const token of ['x'.repeat(32), 'x', '../../etc', '\u0000']) {
      const reply = await reset(token, 'short');
      expect(reply.status).toBe(400);
      expect(Object.keys(reply.json.validation)).toEqual(['token', 'password']);
    }
    expect((await reset(1, [])).status).toBe(400);
    expect(edge.registry.view.count(passwordResource)).toBe(0);
  });

  test('is in the mail alone: the registry has its hash', async () => {
    const token = await forgottenToken(edge);
    const kept = JSON.stringify([...edge.registry.view.all(oneTimeLink)]);
    expect(kept).toContain('"tokenHash":"');
    expect(kept).not.toContain(token);
  });
});
