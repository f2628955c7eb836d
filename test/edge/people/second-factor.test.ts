// Goal: with two-factor sign-in on, a password alone opens nothing, and no code opens anything twice.
// Method: an edge over a real registry; the app is `totpCode` with the secret that the service gave.
import { beforeEach, describe, expect, test } from 'vitest';
import { totpCode } from '../../../src/control/people/totp.ts';
import { secondFactor } from '../../../src/control/resources/second-factor.ts';
import { TOTP_STEP_MS } from '../../../src/model/limits.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { browser, EMAIL, PASSWORD, setPassword, signIn } from './people.ts';

const edge = useRegistryEdge();
type Browser = Awaited<ReturnType<typeof browser>>;
let ada: Browser;

beforeEach(async () => {
  await setPassword(edge);
  ada = await browser(edge);
});

/** What the app shows, some steps from now. */
const shown = (secret: string, steps = 0) =>
  totpCode(secret, Math.floor(edge.nowMs / TOTP_STEP_MS) + steps);
const later = () => {
  edge.nowMs += TOTP_STEP_MS;
};

/** Turns it on. @returns what the person keeps. */
async function turnOn(): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await ada.send('POST', 'user/totp')).json;
  const reply = await ada.send('POST', 'user/totp/confirm', { code: shown(secret) });
  expect(reply.status).toBe(200);
  return { secret, codes: reply.json.recovery_codes };
}

describe('turning it on', () => {
  test('gives a secret and its address, and asks for no code before one is confirmed (M-80)', async () => {
    const reply = await ada.send('POST', 'user/totp');
    expect(reply.status).toBe(200);
    const { secret, uri } = reply.json;
    expect(uri).toContain(`otpauth://totp/Footfall:${encodeURIComponent(EMAIL)}?secret=${secret}&`);
    expect(reply.headers.get('cache-control')).toContain('no-store');
    expect((await ada.send('GET', 'user')).json.totp).toBe(false);
    expect((await signIn(edge)).status).toBe(200);
  });

  test('shows ten recovery codes, once, and keeps their hashes (M-80)', async () => {
    const { codes } = await turnOn();
    expect(new Set(codes).size).toBe(10);
    expect((await ada.send('GET', 'user')).json.totp).toBe(true);
    const kept = JSON.stringify([...edge.registry.view.all(secondFactor)]);
    for (const code of codes) {
      expect(kept).not.toContain(code);
      expect(kept).not.toContain(code.replaceAll('-', ''));
    }
  });

  test('takes the code of the newest secret only', async () => {
    const older = (await ada.send('POST', 'user/totp')).json.secret;
    const newer = (await ada.send('POST', 'user/totp')).json.secret;
    const wrong = await ada.send('POST', 'user/totp/confirm', { code: shown(older) });
    expect(wrong.status).toBe(400);
    expect(Object.keys(wrong.json.validation)).toEqual(['code']);
    expect((await ada.send('POST', 'user/totp/confirm', { code: shown(newer) })).status).toBe(200);
  });

  test('is refused where it is on, or was not begun', async () => {
    const early = await ada.send('POST', 'user/totp/confirm', { code: '123456' });
    expect([early.status, early.json.error[0]]).toEqual([400, expect.stringContaining('is off')]);
    await turnOn();
    for (const [path, body] of [
      ['user/totp', undefined],
      ['user/totp/confirm', { code: '123456' }],
    ] as const) {
      const late = await ada.send('POST', path, body);
      expect([late.status, late.json.error[0]]).toEqual([400, expect.stringContaining('is on')]);
    }
  });
});

describe('signing in', () => {
  test('needs the code as well, and says so only to who has the password (M-80)', async () => {
    const { secret } = await turnOn();
    later();
    const missing = await signIn(edge);
    expect([missing.status, Object.keys(missing.json.validation)]).toEqual([401, ['code']]);
    const wrong = await signIn(edge, { code: '000000' });
    expect([wrong.status, Object.keys(wrong.json.validation)]).toEqual([401, ['code']]);
    const guessed = await signIn(edge, { password: 'wrong password', code: shown(secret) });
    expect([guessed.status, guessed.json.validation]).toEqual([401, {}]);
    expect((await signIn(edge, { code: shown(secret) })).status).toBe(200);
  });

  test('takes each code once, also from two at the same moment (M-80)', async () => {
    const { secret } = await turnOn();
    // The one that confirmed it was used.
    expect((await signIn(edge, { code: shown(secret) })).status).toBe(401);
    later();
    const code = shown(secret);
    const replies = await Promise.all(Array.from({ length: 6 }, () => signIn(edge, { code })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    // The one before it does not count any more either.
    expect((await signIn(edge, { code: shown(secret, -1) })).status).toBe(401);
    expect((await signIn(edge, { code: shown(secret, 1) })).status).toBe(200);
  });

  test('takes each recovery code once, however it is typed (M-80)', async () => {
    const { codes } = await turnOn();
    const [one = '', other = ''] = codes;
    const typed = one.toUpperCase().replaceAll('-', ' ');
    const replies = await Promise.all([1, 2, 3].map(() => signIn(edge, { code: typed })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await signIn(edge, { code: one })).status).toBe(401);
    expect((await signIn(edge, { code: other })).status).toBe(200);
  });

  test('a new password leaves the second factor as it is', async () => {
    await turnOn();
    await setPassword(edge, 'another horse');
    expect((await signIn(edge, { password: 'another horse' })).status).toBe(401);
  });
});

describe('turning it off', () => {
  test.each(['of the app', 'for recovery'])('takes a code %s (M-80)', async (kind) => {
    const { secret, codes } = await turnOn();
    later();
    const code = kind === 'of the app' ? shown(secret) : codes[3];
    expect((await ada.send('DELETE', 'user/totp', { code: '000000' })).status).toBe(400);
    expect((await ada.send('DELETE', 'user/totp', {})).status).toBe(400);
    expect((await ada.send('GET', 'user')).json.totp).toBe(true);
    expect(await ada.send('DELETE', 'user/totp', { code })).toMatchObject({
      status: 200,
      json: {},
    });
    expect((await ada.send('GET', 'user')).json.totp).toBe(false);
    expect((await signIn(edge)).status).toBe(200);
    expect((await ada.send('DELETE', 'user/totp', { code })).status).toBe(400);
  });

  test('and on again makes other secrets and codes', async () => {
    const first = await turnOn();
    later();
    await ada.send('DELETE', 'user/totp', { code: shown(first.secret) });
    const second = await turnOn();
    expect(second.secret).not.toBe(first.secret);
    expect((await signIn(edge, { code: first.codes[0] })).status).toBe(401);
  });
});

test('each person has a factor of its own', async () => {
  await setPassword(edge, PASSWORD, 'bob@example.org');
  const { secret } = await turnOn();
  later();
  const bob = await browser(edge, { email: 'bob@example.org' });
  expect((await bob.send('GET', 'user')).json.totp).toBe(false);
  expect((await bob.send('DELETE', 'user/totp', { code: shown(secret) })).status).toBe(400);
});
