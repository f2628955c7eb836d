// Goal: who has the right password is signed in by a cookie, for as long as it is used; nobody else is.
// Method: an edge over a real registry; a browser is fetch with a cookie and an origin; the clock moves.
import { beforeEach, describe, expect, test } from 'vitest';
import { session } from '../../../src/control/resources/session.ts';
import { DAY_MS, SESSION_MS, USER_SESSION_COUNT_MAX } from '../../../src/model/limits.ts';
import { NOW_MS } from '../../support/fake-ports.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { browser, cookieOf, EMAIL, ownPage, PASSWORD, setPassword, signIn } from './people.ts';

const edge = useRegistryEdge();
beforeEach(() => setPassword(edge));

const get = (cookie: string) => edge.browse('GET', 'user', { headers: { cookie } });

describe('signing in', () => {
  test('sets a cookie for no script and no other site, and says nothing (M-80)', async () => {
    const reply = await signIn(edge);
    expect(reply).toMatchObject({ status: 200, json: {} });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const [pair, ...rules] = (reply.headers.get('set-cookie') ?? '').split('; ');
    expect(pair).toMatch(/^footfall_session=[A-Za-z0-9]{43}$/);
    expect(rules).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Lax']);
    expect(await get(cookieOf(reply))).toMatchObject({ status: 200, json: { email: EMAIL } });
  });

  test('behind https the cookie is for https alone (M-80)', async () => {
    edge.publicUrl = 'https://stats.test';
    expect((await signIn(edge)).headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('takes the address in any case and with spaces around, the password as it is', async () => {
    expect((await signIn(edge, { email: ' ADA@Example.org ' })).status).toBe(200);
    expect((await signIn(edge, { password: `${PASSWORD} ` })).status).toBe(401);
    expect((await signIn(edge, { password: PASSWORD.toUpperCase() })).status).toBe(401);
  });

  test('an unknown address, one without a password and a wrong one are answered alike (M-80)', async () => {
    const replies = await Promise.all([
      signIn(edge, { password: 'wrong password' }),
      signIn(edge, { email: 'nobody@example.org' }),
      signIn(edge, { email: 'bob@example.org' }),
      signIn(edge, { email: 'no address' }),
      signIn(edge, { password: '' }),
    ]);
    for (const { status, json, headers } of replies) {
      expect([status, json]).toEqual([401, replies[0]?.json]);
      expect(headers.get('set-cookie')).toBe(null);
    }
    expect(replies[0]?.json.error).toEqual(['email and password do not match an account']);
  });

  test('keeps the hash of a token only, and of the password as well', async () => {
    const { cookie } = await browser(edge);
    const token = cookie.split('=')[1] ?? '';
    const kept = JSON.stringify([...edge.registry.view.all(session)]);
    expect(kept).toContain('"tokenHash":"');
    expect(kept).not.toContain(token);
  });

  test.each([
    ['no object', 'x', 'the body is not valid JSON'],
    ['nothing', {}, 'email'],
    ['no password', { email: EMAIL }, 'password'],
    ['numbers', { email: 1, password: 2 }, 'email'],
    ['a long password', { email: EMAIL, password: 'x'.repeat(8_193) }, 'password'],
    ['a number as code', { email: EMAIL, password: PASSWORD, code: 123456 }, 'code'],
    ['a blank address', { email: '  ', password: PASSWORD }, 'email'],
  ])('with %s is refused with what to change', async (_, body, named) => {
    const reply = await edge.browse('POST', 'login', { body });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.json)).toContain(named);
  });

  test('is not for pages of other sites: nobody is signed in as somebody else (M-80)', async () => {
    const origin = edge.baseUrl;
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const reply = await signIn(edge, {}, headers as unknown as Record<string, string>);
      expect([reply.status, reply.headers.get('set-cookie')]).toEqual([403, null]);
    }
    expect((await signIn(edge, {}, { origin })).status).toBe(200);
    expect((await signIn(edge, {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });
});

describe('a session', () => {
  test('changes things from pages of the service only (M-80)', async () => {
    const { cookie } = await browser(edge);
    const body = { full_name: 'Ada' };
    const put = (headers: Record<string, string>) =>
      edge.browse('PUT', 'user', { body, headers: { cookie, ...headers } });
    expect((await put({})).status).toBe(403);
    expect((await put({ origin: 'https://evil.test' })).status).toBe(403);
    expect((await put({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await get(cookie)).json.full_name).toBe('');
    expect((await put({ origin: edge.baseUrl })).status).toBe(200);
    expect((await put({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await get(cookie)).json.full_name).toBe('Ada');
  });

  test('ends 30 days after its last use, and not before (M-80)', async () => {
    const { cookie } = await browser(edge);
    edge.nowMs = NOW_MS + SESSION_MS - 1;
    const used = await get(cookie);
    expect(used.status).toBe(200);
    // The browser is given the same cookie for as long.
    expect(cookieOf(used)).toBe(cookie);
    expect(used.headers.get('set-cookie')).toContain('Max-Age=2592000');
    edge.nowMs += SESSION_MS;
    expect((await get(cookie)).status).toBe(401);
  });

  test('that nobody uses for 30 days is over (M-80)', async () => {
    const { cookie } = await browser(edge);
    edge.nowMs = NOW_MS + SESSION_MS;
    expect((await get(cookie)).status).toBe(401);
  });

  test('is extended once a day at most: reading writes nothing (M-80)', async () => {
    const { cookie } = await browser(edge);
    const { registry } = edge;
    const before = registry.sequence;
    edge.nowMs = NOW_MS + DAY_MS - 1;
    for (let count = 0; count < 5; count++) expect(cookieOf(await get(cookie))).toBe('');
    expect(registry.sequence).toBe(before);
    edge.nowMs = NOW_MS + DAY_MS;
    const replies = await Promise.all(Array.from({ length: 5 }, () => get(cookie)));
    expect(replies.filter((reply) => cookieOf(reply) !== '')).toHaveLength(1);
    for (let count = 0; count < 5; count++) expect(cookieOf(await get(cookie))).toBe('');
    expect(registry.sequence).toBe(before + 1);
  });

  test('of a cookie that is garbage is none', async () => {
    for (const cookie of ['footfall_session=', 'footfall_session=x', `other=${'x'.repeat(43)}`]) {
      expect((await get(cookie)).status).toBe(401);
    }
  });

  test('makes room: of too many the one that was unused for longest ends', async () => {
    const first = await browser(edge);
    const [model] = edge.registry.view.all(session);
    if (model === undefined) throw new Error('who signed in has a session');
    // As if there were many browsers, each signed in a little later.
    await edge.registry.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () =>
      Array.from({ length: USER_SESSION_COUNT_MAX - 1 }, (_, index) => ({
        kind: 'session-created',
        payload: {
          ...model,
          ...{ id: `s${index}`.padEnd(20, 'x'), tokenHash: `hash ${index}` },
          ...{ createdMs: NOW_MS - 1, expiresMs: model.expiresMs + 1 },
        },
      })),
    );
    expect((await get(first.cookie)).status).toBe(200);
    const last = await browser(edge);
    expect((await get(first.cookie)).status).toBe(401);
    expect((await get(last.cookie)).status).toBe(200);
    expect(edge.registry.view.count(session)).toBe(USER_SESSION_COUNT_MAX);
  });
});

describe('signing out', () => {
  test('ends this session and takes its cookie away (M-80)', async () => {
    const [one, other] = [await browser(edge), await browser(edge)];
    const reply = await one.send('POST', 'logout');
    expect(reply).toMatchObject({ status: 200, json: {} });
    expect(reply.headers.get('set-cookie')).toMatch(/^footfall_session=; Path=\/; Max-Age=0;/);
    expect((await get(one.cookie)).status).toBe(401);
    expect((await get(other.cookie)).status).toBe(200);
    expect((await one.send('POST', 'logout')).status).toBe(401);
  });

  test('everywhere ends all of the person and nobody else (M-80)', async () => {
    await setPassword(edge, PASSWORD, 'bob@example.org');
    const [one, other] = [await browser(edge), await browser(edge)];
    const bob = await browser(edge, { email: 'bob@example.org' });
    expect((await one.send('POST', 'logout/all')).status).toBe(200);
    expect((await get(one.cookie)).status).toBe(401);
    expect((await get(other.cookie)).status).toBe(401);
    expect((await get(bob.cookie)).status).toBe(200);
  });

  test('is for people: a client of the account has no session (M-80)', async () => {
    for (const path of ['logout', 'logout/all']) {
      const reply = await edge.send('POST', path, undefined, edge.bearers.account);
      expect(reply.status).toBe(403);
      expect(reply.json.error[0]).toContain('a signed-in person');
    }
  });

  test('is not for pages of other sites either', async () => {
    const { cookie } = await browser(edge);
    const headers = { ...ownPage(edge, cookie), origin: 'https://evil.test' };
    expect((await edge.browse('POST', 'logout', { headers })).status).toBe(403);
    expect((await get(cookie)).status).toBe(200);
  });
});

test('sign-ins that compete with a new password never keep the old one alive', async () => {
  const { send } = await browser(edge);
  const change = send('PUT', 'user', { password: 'another horse', old_password: PASSWORD });
  const replies = await Promise.all([change, ...Array.from({ length: 12 }, () => signIn(edge))]);
  expect(replies[0]?.status).toBe(200);
  const cookies = replies.slice(1).map(cookieOf);
  const after = await Promise.all(cookies.filter((one) => one !== '').map(get));
  expect(after.map(({ status }) => status)).not.toContain(200);
  expect((await signIn(edge)).status).toBe(401);
});
