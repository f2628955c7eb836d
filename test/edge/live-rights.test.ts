// Goal: a stream ends when the credential ends that opened it, whichever way, and no other does
// (O-51, M-4).
// Method: an edge over a real registry; a stream by each kind of credential, then what takes it away.
import { afterEach, expect, test } from 'vitest';
import { ACCESS_TOKEN_MS, SESSION_MS } from '../../src/model/limits.ts';
import { EventClient } from '../support/clients/event-client.ts';
import { pause } from '../support/until.ts';
import { join, newPerson } from './domains/people.ts';
import { browser, setPassword } from './people/people.ts';
import { useRegistryEdge } from './registry-edge.ts';

/** Rights are looked at each second. */
const ENDS_WITHIN_MS = 3_000;

const edge = useRegistryEdge();
const streams: EventClient[] = [];

afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

/** A stream of the domain, opened by what is given; its first event has come. */
async function listen(by: { bearer?: string; access?: string; cookie?: string }) {
  const code = by.access === undefined ? '' : `&access=${by.access}`;
  const url = `${edge.baseUrl}/api/v1/statistics/live?id=${edge.own.id}${code}`;
  const headers: Record<string, string> = {};
  if (by.bearer !== undefined) headers['authorization'] = `Bearer ${by.bearer}`;
  if (by.cookie !== undefined) headers['cookie'] = by.cookie;
  const stream = await EventClient.openWith(url, headers);
  streams.push(stream);
  expect(stream.status).toBe(200);
  await stream.next('active');
  return stream;
}

/** Whether each is over, once it must be. */
async function areOver(...asked: EventClient[]): Promise<boolean[]> {
  const late = pause(ENDS_WITHIN_MS).then(() => false);
  const first = asked.slice(0, 1).map(({ ended }) => Promise.race([ended.then(() => true), late]));
  const [isOver = false] = await Promise.all(first);
  const others = asked.slice(1).map(({ isOver: isOtherOver }) => isOtherOver);
  return [isOver, ...others];
}

test('of a session that signs out, not of another session of the same person (O-51, M-80)', async () => {
  await setPassword(edge);
  const [one, other] = [await browser(edge), await browser(edge)];
  const stream = await listen(one);
  const left = await listen(other);
  expect((await one.send('POST', 'logout')).status).toBe(200);
  expect(await areOver(stream, left)).toEqual([true, false]);
  expect((await other.send('POST', 'logout/all')).status).toBe(200);
  expect(await areOver(left)).toEqual([true]);
});

test('of a session whose password is changed by mail, or that has lasted its time (O-51, M-80)', async () => {
  await setPassword(edge);
  const stream = await listen(await browser(edge));
  await setPassword(edge, 'another horse battery');
  expect(await areOver(stream)).toEqual([true]);
  const late = await listen(await browser(edge, { password: 'another horse battery' }));
  edge.nowMs += SESSION_MS + 1;
  expect(await areOver(late)).toEqual([true]);
});

test('of a token after its hour, while a session listens on (O-51)', async () => {
  await setPassword(edge);
  const [byToken, bySession] = [await listen({ bearer: edge.bearers.viewer }), await browser(edge)];
  const left = await listen(bySession);
  edge.nowMs += ACCESS_TOKEN_MS + 1;
  expect(await areOver(byToken, left)).toEqual([true, false]);
});

test('of a link that is deleted, not of another link (O-51, M-60)', async () => {
  const make = async () => {
    const sent = { domain_id: edge.own.id, description: '' };
    return (await edge.send('POST', 'domain/link', sent, edge.bearers.account)).json;
  };
  const [link, other] = [await make(), await make()];
  const [stream, left] = [
    await listen({ access: link.code }),
    await listen({ access: other.code }),
  ];
  const gone = await edge.send(
    'DELETE',
    `domain/link?id=${link.id}`,
    undefined,
    edge.bearers.account,
  );
  expect(gone.status).toBe(200);
  expect(await areOver(stream, left)).toEqual([true, false]);
});

test('of a link that shows something else from now on, not of one that is only renamed (O-51, D-19)', async () => {
  const { account } = edge.bearers;
  const make = async () => {
    const sent = { domain_id: edge.own.id, description: '', filter: { path: '/shown' } };
    return (await edge.send('POST', 'domain/link', sent, account)).json;
  };
  const [link, other] = [await make(), await make()];
  const [stream, left] = [
    await listen({ access: link.code }),
    await listen({ access: other.code }),
  ];
  const kept = { id: other.id, description: 'press' };
  expect((await edge.send('PUT', 'domain/link', kept, account)).status).toBe(200);
  const changed = { id: link.id, description: '', filter: { path: '/else' } };
  expect((await edge.send('PUT', 'domain/link', changed, account)).status).toBe(200);
  expect(await areOver(stream, left)).toEqual([true, false]);
});

test('of a member who is removed, not of the owner (O-51, M-4)', async () => {
  const person = await newPerson(edge, 'cleo@example.org');
  await join(edge, person, edge.own.id, 'Viewer');
  const stream = await listen({ bearer: person.bearer });
  const left = await listen({ bearer: edge.bearers.account });
  const members = await edge.send(
    'GET',
    `member?id=${edge.own.id}`,
    undefined,
    edge.bearers.account,
  );
  const { id } = members.json.find(({ user_id }: { user_id: string }) => user_id === person.id);
  const gone = await edge.send('DELETE', `member?id=${id}`, undefined, edge.bearers.account);
  expect(gone.status).toBe(200);
  expect(await areOver(stream, left)).toEqual([true, false]);
});

test('of a client that is deleted, and all of a domain that is (O-51)', async () => {
  const byDomain = await listen({ bearer: edge.bearers.domain });
  const left = await listen({ bearer: edge.bearers.account });
  const id = edge.clientIdOf(edge.bearers.domain);
  const gone = await edge.send('DELETE', `client?id=${id}`, undefined, edge.bearers.account);
  expect(gone.status).toBe(200);
  expect(await areOver(byDomain, left)).toEqual([true, false]);
  const sent = `domain?id=${edge.own.id}`;
  expect((await edge.send('DELETE', sent, undefined, edge.bearers.account)).status).toBe(200);
  expect(await areOver(left)).toEqual([true]);
});

test('is not opened by a cookie on a page of others, nor for who may not see the site (M-5, M-80)', async () => {
  const url = `${edge.baseUrl}/api/v1/statistics/live?id=${edge.own.id}`;
  const asked: [Record<string, string>, number][] = [
    [{}, 401],
    [{ authorization: `Bearer ${edge.bearers.foreign}` }, 404],
    [{ authorization: `Bearer ${edge.bearers.key}` }, 403],
    [{ cookie: 'footfall_session=nothing' }, 401],
  ];
  for (const [headers, status] of asked) {
    const stream = await EventClient.openWith(url, headers);
    expect([headers, stream.status]).toEqual([headers, status]);
    await stream.ended;
  }
});
