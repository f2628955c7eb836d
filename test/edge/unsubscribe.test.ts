// Goal: the link of a mail ends just those mails for just that reader, at one POST and never by being
// looked at; what was ended by mistake begins again (O-21, RFC 8058).
// Method: real HTTP to an edge over a real registry; sent as mail programs and browsers send it.
import { beforeEach, expect, test } from 'vitest';
import { changed } from '../../src/control/descriptor/draft.ts';
import { type MailEnd, mailEndAddress } from '../../src/control/people/mail-ends.ts';
import { recipientsOf } from '../../src/control/people/notices.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { type NoticeKind, preferenceOf } from '../../src/control/resources/preference.ts';
import { report } from '../../src/control/resources/report.ts';
import { user } from '../../src/control/resources/user.ts';
import { join, newPerson } from './domains/people.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

let ownerId: string;
let adminId: string;

beforeEach(async () => {
  ownerId = String(edge.registry.view.find(domain, edge.own.id)?.userId);
  adminId = await invited('admin@example.org', 'Admin');
  await invited('viewer@example.org', 'Viewer');
});

async function invited(email: string, role: 'Viewer' | 'Admin'): Promise<string> {
  const person = await newPerson(edge, email);
  await join(edge, person, edge.own.id, role);
  return person.id;
}

const told = (kind: NoticeKind) => {
  const { view } = edge.registry;
  const site = view.find(domain, edge.own.id);
  return site === null ? [] : recipientsOf(view, site, kind).map(({ id }) => id);
};

function addressOf(end: MailEnd): string {
  return mailEndAddress(edge.baseUrl, end, edge.registry.tokenKey);
}

const spikesOf = (userId: string) => addressOf({ kind: 'spike', domainId: edge.own.id, userId });

async function ask(url: string, method = 'GET') {
  // As mail programs send it (RFC 8058, section 3.2).
  const body = method === 'POST' ? 'List-Unsubscribe=One-Click' : undefined;
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://mail.test',
  };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('O-21, M-2: Owner and Admins are told, Viewers and strangers are not', () => {
  expect(told('spike')).toEqual([ownerId, adminId]);
});

test('O-21: looking at the link changes nothing, and shows a button', async () => {
  const { sequence } = edge.registry;
  const page = await ask(spikesOf(adminId));
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toContain('no-store');
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
  expect(page.text).toMatch(/<form method="post" action="\?token=[\w-]{99}"><button>End them</);
  expect(page.text).toContain('mails on traffic spikes of example.org');
  expect(edge.registry.sequence).toBe(sequence);
});

test('O-21: one POST ends one kind, of one domain, for one reader; another one changes nothing', async () => {
  const done = await ask(spikesOf(adminId), 'POST');
  expect(done.status).toBe(200);
  expect(done.text).toContain('You no longer get mails on traffic spikes of example.org');
  expect(told('spike')).toEqual([ownerId]);
  for (const kind of ['warning', 'goal', 'webhook'] as const) {
    expect(told(kind)).toEqual([ownerId, adminId]);
  }
  expect(preferenceOf(edge.registry.view, adminId, edge.own.second)).toBeNull();
  const { sequence } = edge.registry;
  expect((await ask(spikesOf(adminId), 'POST')).status).toBe(200);
  expect(edge.registry.sequence).toBe(sequence);
  expect((await ask(spikesOf(adminId))).text).toContain('Get them again');
});

test('O-21, M-14: what else is thought of the domain stays, and the mails come again', async () => {
  await ask(spikesOf(adminId), 'POST');
  await ask(addressOf({ kind: 'goal', domainId: edge.own.id, userId: adminId }), 'POST');
  const page = await ask(spikesOf(adminId));
  const action = /action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await ask(new URL(action, spikesOf(adminId)).href, 'POST')).text).toContain('End them');
  expect(told('spike')).toEqual([ownerId, adminId]);
  expect(told('goal')).toEqual([ownerId]);
  expect(preferenceOf(edge.registry.view, adminId, edge.own.id)?.favorite).toBe(false);
});

test('O-21: the report of a mail is removed, and no other', async () => {
  const sent = { domain_id: edge.own.id, emails: ['a@example.org', 'b@example.org'], interval: 1 };
  const made = (await edge.send('POST', 'report', { ...sent, link_to: '' })).json;
  const [first, second] = (made as { id: string }[]).map(({ id }) => id) as [string, string];
  const url = addressOf({ kind: 'report', reportId: first });
  expect((await ask(url)).text).toContain('this report of example.org');
  expect([...edge.registry.view.all(report)]).toHaveLength(2);
  const done = await ask(url, 'POST');
  expect(done.text).toContain('You no longer get this report of example.org');
  expect(done.text).not.toContain('<form');
  expect([...edge.registry.view.all(report)].map(({ id }) => id)).toEqual([second]);
  expect((await ask(url, 'POST')).status).toBe(200);
});

test('O-21: a link of what is gone is answered, and a token of nobody is refused', async () => {
  const url = spikesOf(adminId);
  expect(
    (await edge.send('DELETE', `domain?id=${edge.own.id}`, undefined, edge.bearers.account)).status,
  ).toBe(200);
  expect((await ask(url, 'POST')).status).toBe(200);
  for (const method of ['GET', 'POST']) {
    const refused = await ask(`${edge.baseUrl}/api/v1/unsubscribe?token=${'x'.repeat(99)}`, method);
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({
      validation: { token: 'is not whole: open the link of the mail again' },
    });
  }
});

test('O-21: the page speaks as the mail does where the browser asks for no language of ours', async () => {
  const page = async (end: MailEnd, language: string) => {
    const headers = { 'accept-language': language };
    const text = await (await fetch(addressOf(end), { headers })).text();
    return /<html lang="(\w+)">/.exec(text)?.[1];
  };
  const spike = { kind: 'spike', domainId: edge.own.id, userId: adminId } as const;
  expect(await page(spike, 'fr')).toBe('en');
  await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, (view) => {
    const admin = view.find(user, adminId);
    return admin === null ? [] : [changed(user, { ...admin, language: 'de' })];
  });
  expect(await page(spike, 'fr')).toBe('de');
  expect(await page(spike, 'en-GB')).toBe('en');
  const [made] = (
    await edge.send('POST', 'report', {
      ...{ domain_id: edge.own.id, emails: ['ben@example.org'], interval: 0, language: 'de' },
    })
  ).json;
  const ofReport = { kind: 'report', reportId: made.id } as const;
  expect(await page(ofReport, 'fr')).toBe('de');
  // Once it is gone nobody knows.
  await edge.send('DELETE', `report?id=${made.id}`);
  expect(await page(ofReport, 'fr')).toBe('en');
});

test('O-21, D-18: the page speaks the language that the browser asks for', async () => {
  const page = async (language: string) => {
    const headers = { 'accept-language': language };
    return (await fetch(spikesOf(adminId), { headers })).text();
  };
  const german = await page('de-AT,en;q=0.5');
  expect(german).toContain('<html lang="de">');
  expect(german).toContain(
    'Du bekommst dann Mails über Besucherspitzen von example.org nicht mehr.',
  );
  for (const language of ['en', 'fr,de;q=0.9', '']) {
    const english = await page(language);
    expect(english).toContain('<html lang="en">');
    expect(english).toContain('You will no longer get mails on traffic spikes of example.org.');
  }
});
