// Goal: what somebody has ended, by the link of a mail or here, is listed to them alone, and is wanted
// again here (O-21).
// Method: real HTTP to an edge over a real registry; who is told is asked of the code that sends.
import { beforeEach, expect, test } from 'vitest';
import { mailEndAddress } from '../../src/control/people/mail-ends.ts';
import { recipientsOf } from '../../src/control/people/notices.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { NOTICE_KINDS, type NoticeKind } from '../../src/control/resources/preference.ts';
import { join, newPerson, type Person } from './domains/people.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

let admin: Person;
let other: Person;

beforeEach(async () => {
  admin = await newPerson(edge, 'admin@example.org');
  other = await newPerson(edge, 'other@example.org');
  for (const person of [admin, other]) await join(edge, person, edge.own.id, 'Admin');
});

const isTold = ({ id }: Person, kind: NoticeKind) => {
  const { view } = edge.registry;
  const site = view.find(domain, edge.own.id);
  return site !== null && recipientsOf(view, site, kind).some((one) => one.id === id);
};
const list = async ({ bearer }: Person) =>
  (await edge.send('GET', 'user/notification', undefined, bearer)).json;
const set = (person: Person, fields: object = {}) => {
  const body = { id: edge.own.id, kind: 'goal', muted: true, ...fields };
  return edge.send('POST', 'user/notification', body, person.bearer);
};

test('O-21: what a link has ended is listed, and comes again from here', async () => {
  expect(await list(admin)).toEqual([]);
  const end = { kind: 'spike', domainId: edge.own.id, userId: admin.id } as const;
  const link = mailEndAddress(edge.baseUrl, end, edge.registry.tokenKey);
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  const { hostname, subdomain } = edge.registry.view.find(domain, edge.own.id) ?? {};
  const shown = { domain_id: edge.own.id, display_name: hostname, subdomain };
  expect(await list(admin)).toEqual([{ ...shown, muted: ['spike'] }]);
  expect(await list(other)).toEqual([]);
  expect((await set(admin, { kind: 'spike', muted: false })).json).toEqual({});
  expect(await list(admin)).toEqual([]);
  expect(isTold(admin, 'spike')).toBe(true);
});

test.each(NOTICE_KINDS)('O-21: %s ends here for who asks, and for nobody else', async (kind) => {
  expect((await set(admin, { kind })).status).toBe(200);
  expect([isTold(admin, kind), isTold(other, kind)]).toEqual([false, true]);
  for (const further of NOTICE_KINDS) expect(isTold(admin, further)).toBe(further !== kind);
  // Said twice it is the same (M-7).
  const { sequence } = edge.registry;
  await set(admin, { kind });
  expect(edge.registry.sequence).toBe(sequence);
});

test('O-21, M-4: nothing is ended at what somebody does not see, nor is it listed after they left', async () => {
  const stranger = await newPerson(edge, 'stranger@example.org');
  for (const id of [edge.own.id, 'x'.repeat(20)]) {
    const { status, json } = await set(stranger, { id });
    expect([status, json.error]).toEqual([404, [`no domain has the id '${id}'`]]);
  }
  await set(admin);
  const members = (await edge.send('GET', `member?id=${edge.own.id}`)).json;
  const { id } = members.find(({ user_id: userId }: { user_id: string }) => userId === admin.id);
  expect((await edge.send('DELETE', `member?id=${id}`, undefined, admin.bearer)).status).toBe(200);
  expect(await list(admin)).toEqual([]);
});

test.each([
  [{ kind: 'report' }, 'kind'],
  [{ kind: '' }, 'kind'],
  [{ kind: 'constructor' }, 'kind'],
  [{ kind: ['goal'] }, 'kind'],
  [{ muted: 'yes' }, 'muted'],
  [{ muted: null }, 'muted'],
  [{ id: 5 }, 'id'],
])('M-6: %j is refused by field, and nothing is different', async (fields, named) => {
  const { sequence } = edge.registry;
  const { status, json } = await set(admin, fields);
  expect([status, Object.keys(json.validation)]).toEqual([400, [named]]);
  expect(edge.registry.sequence).toBe(sequence);
});
