// Goal: what changes about people, organizations and clients holds at every thread once it is answered.
// Method: the service that all suites share has two edges; every request has a connection of its own,
// and those are dealt to the edges by turns.
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { sharedSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { runCommand } from '../../support/service.ts';

/** Requests that meet both edges, whichever the first one meets. */
const TURNS = 6;

let site: TestSite;
let domain: TestDomain;
let people = 0;

beforeAll(async () => {
  site = await sharedSite({ hostname: 'team.example' });
  domain = await site.next();
});

/** One request by a connection that ends with it. */
async function send(by: ApiClient, method: string, path: string, body?: unknown) {
  const headers = { connection: 'close' };
  const { status, body: answer } = await by.request(method, `/api/v1/${path}`, { body, headers });
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect
  return { status, json: answer as any };
}

/** The statuses of one request, asked until both edges have answered it. */
async function everywhere(by: ApiClient, path: string): Promise<number[]> {
  const statuses = new Set<number>();
  for (let turn = 0; turn < TURNS; turn++) statuses.add((await send(by, 'GET', path)).status);
  return [...statuses];
}

/** Invites an address that nobody has, and makes a client for it on the command line. */
async function newcomer(place: object): Promise<ApiClient> {
  const email = `person-${process.pid}-${people++}@team.example`;
  const sent = { ...place, emails: [email] };
  expect((await send(site.reader, 'POST', 'member', sent)).status).toBe(200);
  const { baseUrl, dataDir } = inject('sharedService');
  const words = ['client', 'create', '--email', email, '--data-dir', dataDir];
  const made = await runCommand<{ client_id: string; client_secret: string }>(words);
  // At once: a client that an edge does not know makes it look once more (M-5).
  return ApiClient.withSecret(baseUrl, made.client_id, made.client_secret);
}

async function accepted(person: ApiClient): Promise<void> {
  const { json } = await send(person, 'GET', 'invitation');
  const { status } = await send(person, 'POST', 'invitation', { id: json[0].id });
  expect(status).toBe(200);
}

const hundred = <Reply>(ask: (index: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: 100 }, (_, index) => ask(index)));

function counts(replies: readonly { status: number }[]): Record<number, number> {
  const found: Record<number, number> = {};
  for (const { status } of replies) found[status] = (found[status] ?? 0) + 1;
  return found;
}

describe('a person', () => {
  test('has its role at every edge as soon as it is told so, and none as soon as it is removed (M-2, M-5)', async () => {
    const person = await newcomer({ id: domain.id });
    const goal = { domain_id: domain.id, name: 'g', path_pattern: '/' };
    expect(await everywhere(person, `goal?id=${domain.id}`)).toEqual([404]);
    await accepted(person);
    expect(await everywhere(person, `goal?id=${domain.id}`)).toEqual([200]);
    expect(await everywhere(person, `member?id=${domain.id}`)).toEqual([403]);
    expect((await send(person, 'POST', 'goal', goal)).status).toBe(403);
    const members = (await send(site.reader, 'GET', `member?id=${domain.id}`)).json;
    const { id } = members.at(-1);
    const raised = { id, role: 'Admin' };
    expect((await send(site.reader, 'PUT', 'member', raised)).status).toBe(200);
    expect(await everywhere(person, `member?id=${domain.id}`)).toEqual([200]);
    expect((await send(site.reader, 'DELETE', `member?id=${id}`)).status).toBe(200);
    expect(await everywhere(person, `goal?id=${domain.id}`)).toEqual([404]);
    expect((await send(person, 'GET', 'domain')).json).toEqual([]);
  });

  test('that a hundred requests invite, or that answers a hundred times, is a member once (M-30, M-31)', async () => {
    const other = await site.next();
    const emails = [`crowd-${process.pid}@team.example`];
    const invited = await hundred(() =>
      send(site.reader, 'POST', 'member', { id: other.id, emails }),
    );
    expect(counts(invited)).toEqual({ 200: 100 });
    const open = await send(site.reader, 'GET', `invitation?domain_id=${other.id}`);
    expect(open.json).toHaveLength(1);
    const person = await newcomer({ id: other.id });
    const [{ id }] = (await send(person, 'GET', 'invitation')).json;
    const replies = await hundred(() => send(person, 'POST', 'invitation', { id }));
    expect(counts(replies)).toEqual({ 200: 1, 404: 99 });
    expect((await send(site.reader, 'GET', `member?id=${other.id}`)).json).toHaveLength(1);
  });
});

describe('an organization', () => {
  test('gives and takes its domains at every edge (M-5, M-32)', async () => {
    const { id } = (await send(site.reader, 'POST', 'organization', { name: 'Works' })).json;
    const own = await site.next();
    const person = await newcomer({ organization_id: id });
    await accepted(person);
    const put = { id, domain_id: own.id };
    expect(await everywhere(person, `domain?id=${own.id}`)).toEqual([404]);
    expect((await send(site.reader, 'POST', 'organization/domain', put)).status).toBe(200);
    expect(await everywhere(person, `domain?id=${own.id}`)).toEqual([200]);
    expect((await send(site.reader, 'DELETE', `organization?id=${id}`)).status).toBe(200);
    expect(await everywhere(person, `domain?id=${own.id}`)).toEqual([404]);
    expect(await everywhere(site.reader, `domain?id=${own.id}`)).toEqual([200]);
  });

  test('is renamed by a hundred at once: each whole, in some order (M-5)', async () => {
    const { id } = (await send(site.reader, 'POST', 'organization', { name: 'Crowd' })).json;
    const replies = await hundred((index) =>
      send(site.reader, 'PUT', 'organization', { id, name: `Name ${index}` }),
    );
    expect(counts(replies)).toEqual({ 200: 100 });
    for (const [index, { json }] of replies.entries()) expect(json.name).toBe(`Name ${index}`);
    const list = (await send(site.reader, 'GET', 'organization')).json;
    const { name } = list.find((one: { id: string }) => one.id === id);
    expect(name).toMatch(/^Name \d+$/);
  });
});

test('a client is refused at every edge as soon as it is deleted (M-5, M-40)', async () => {
  const sent = { domain_id: domain.id, scope_domains: 'r' };
  const made = (await send(site.reader, 'POST', 'client', sent)).json;
  const { baseUrl } = inject('sharedService');
  const used = await ApiClient.withSecret(baseUrl, made.client_id, made.client_secret);
  expect(await everywhere(used, 'domain')).toEqual([200]);
  expect((await send(site.reader, 'DELETE', `client?id=${made.id}`)).status).toBe(200);
  expect(await everywhere(used, 'domain')).toEqual([401]);
});
