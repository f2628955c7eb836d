// Goal: nobody tries many passwords of one person, from however many addresses.
// Method: an edge with limits, behind a proxy that says another address of the client each time.
import { beforeEach, expect, test } from 'vitest';
import { must } from '../../../src/base/assert.ts';
import { Access } from '../../../src/control/access.ts';
import { created, draftNew } from '../../../src/control/descriptor/draft.ts';
import { client } from '../../../src/control/resources/client.ts';
import { user } from '../../../src/control/resources/user.ts';
import { RateWindows } from '../../../src/edge/rate/rate-windows.ts';
import { RATE_SECURITY_COUNT_MAX } from '../../../src/model/limits.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { EMAIL, PASSWORD, setPassword, signIn } from './people.ts';

const edge = useRegistryEdge({
  rateWindows: RateWindows.create(1_000),
  trustedProxies: ['127.0.0.1'],
});
let addresses = 0;
/** From where nobody has come before. */
const elsewhere = () => ({
  'x-forwarded-for': `81.2.${Math.floor(++addresses / 200)}.${addresses % 200}`,
});
const attempt = (more: object = {}) => signIn(edge, { ...more }, elsewhere());

// Windows outlive the test: each has a minute of its own.
let minutes = 0;
beforeEach(async () => {
  edge.nowMs += ++minutes * 120_000;
  await setPassword(edge);
});

test('ten failures in a minute are enough for one address of mail (M-90)', async () => {
  for (let count = 0; count < RATE_SECURITY_COUNT_MAX; count++) {
    const email = count % 2 === 0 ? EMAIL : ` ${EMAIL.toUpperCase()} `;
    expect((await attempt({ email, password: 'wrong password' })).status).toBe(401);
  }
  const refused = await attempt();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  // Others are not held up by it, and the person is not for longer than a minute.
  expect((await attempt({ email: 'bob@example.org' })).status).toBe(401);
  edge.nowMs += 60_000;
  expect((await attempt({ password: PASSWORD })).status).toBe(200);
});

test('who signs in does not count against its own address of mail (M-90)', async () => {
  for (let count = 0; count < RATE_SECURITY_COUNT_MAX + 2; count++) {
    expect((await attempt()).status).toBe(200);
  }
});

test('many at once count as many (M-90)', async () => {
  const wrong = { password: 'wrong password' };
  const replies = await Promise.all(
    Array.from({ length: RATE_SECURITY_COUNT_MAX + 5 }, () => attempt(wrong)),
  );
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
});

test('so do wrong old passwords, with however many clients they are tried (M-90)', async () => {
  const { view } = edge.registry;
  const owner = must(view.by(user, 'email', EMAIL), 'the person is there');
  const access = new Access(edge.registry);
  const wish = { password: 'another horse', old_password: 'wrong password' };
  const statuses: number[] = [];
  for (let count = 0; count <= RATE_SECURITY_COUNT_MAX; count++) {
    const made = draftNew(client, {
      ...{ sent: { type: 'oauth' }, userId: owner.id, nowMs: edge.nowMs, view },
    });
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => [
      created(client, made.record),
    ]);
    const secret = made.revealed['client_secret'] ?? '';
    const token = access.issueToken(made.record.clientId, secret, edge.nowMs)?.accessToken;
    statuses.push((await edge.send('PUT', 'user', wish, token)).status);
  }
  expect(statuses.slice(0, -1)).toEqual(Array.from({ length: RATE_SECURITY_COUNT_MAX }, () => 400));
  expect(statuses.at(-1)).toBe(429);
  // The right one does not count, and is refused as long as the wrong ones do.
  expect((await attempt()).status).toBe(429);
});
