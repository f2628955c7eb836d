// Goal: what the page of the dashboard is given is what the interface answers to the same browser, and
// to nobody else; what people wrote cannot end it (D-2, D-3, M-4, M-80).
// Method: an edge over a real registry; pages are read as a browser reads them, and compared with what
// the interface says to the same cookie or code.
import { beforeEach, describe, expect, test } from 'vitest';
import { domain } from '../../src/control/resources/domain.ts';
import { PAGE_GIVEN_MS_MAX, SESSION_MS } from '../../src/model/limits.ts';
import { NOW_MS } from '../support/fake-ports.ts';
import { browser, EMAIL, setPassword, signIn } from './people/people.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();
const FIRST_ROW_MS = NOW_MS - 86_400_000;
const NASTY = `</script><script>alert(1)</script><!-- $& $\` $' \u2028 "'&lt;`;

interface Given {
  readonly user?: Record<string, unknown>;
  readonly domain?: Record<string, unknown>;
  readonly access?: { readonly access_token: string; readonly filter: unknown };
}

interface Page {
  readonly html: string;
  readonly given: Given | null;
}

beforeEach(async () => {
  await setPassword(edge);
  const used = {
    firstRowMs: FIRST_ROW_MS,
    usage: { views: 0, events: 0, keepAlives: 0 },
    lastHit: 'unknown',
    importedDays: null,
  } as const;
  edge.usage = async (ids) => new Map(ids.map((id) => [id, used]));
});

/** The page, and what is given with it: the only inline script that a page may have, which is data. */
async function pageAt(path: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(edge.baseUrl + path, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const html = await response.text();
  const inline = [...html.matchAll(/<script(?![^>]* src=)([^>]*)>(.*?)<\/script>/gs)];
  expect(inline.length).toBeLessThan(2);
  const [, attributes, json] = inline[0] ?? [];
  if (json === undefined) return { html, given: null };
  expect(attributes).toBe(' type="application/json" id="given"');
  return { html, given: JSON.parse(json) as Given };
}

const subdomainOf = (id: string) => edge.registry.view.find(domain, id)?.subdomain ?? '';
const own = () => `/${subdomainOf(edge.own.id)}`;

describe('who has signed in', () => {
  test('is given account and domain as the interface answers them (D-3)', async () => {
    const { cookie } = await browser(edge);
    const { given } = await pageAt(own(), { cookie });
    const headers = { cookie };
    const user = await edge.browse('GET', 'user', { headers });
    const site = await edge.browse('GET', `domain?id=${edge.own.id}`, { headers });
    expect(given).toEqual({ user: user.json, domain: site.json });
    expect(given?.user?.['email']).toBe(EMAIL);
    expect(given?.domain?.['statistics_start']).toBe(new Date(FIRST_ROW_MS).toISOString());
  });

  test('is given the account alone beside the list of sites, and at what they may not see (M-4)', async () => {
    const { cookie } = await browser(edge);
    const paths = ['/', '/account', '/nobody-knows', `/${subdomainOf(edge.foreign.id)}`];
    for (const path of paths) {
      const { given } = await pageAt(path, { cookie });
      expect(Object.keys(given ?? {}), path).toEqual(['user']);
    }
  });

  test('of a session that has ended is given nothing (M-80)', async () => {
    const { cookie, send } = await browser(edge);
    expect((await send('POST', 'logout')).status).toBe(200);
    expect((await pageAt(own(), { cookie })).given).toBe(null);
    const { cookie: late } = await browser(edge);
    edge.nowMs += SESSION_MS + 1;
    expect((await pageAt(own(), { cookie: late })).given).toBe(null);
    expect((await pageAt(own(), { cookie: 'footfall_session=forged' })).given).toBe(null);
  });

  test('is given names that end no element, whatever they hold (D-2)', async () => {
    const { cookie, send } = await browser(edge);
    expect((await send('PUT', 'user', { full_name: NASTY })).status).toBe(200);
    const metadata = { [NASTY]: NASTY };
    expect(
      (await send('POST', 'domain/metadata', { domain_id: edge.own.id, metadata })).status,
    ).toBe(200);
    const { given, html } = await pageAt(own(), { cookie });
    expect(given?.user?.['full_name']).toBe(NASTY);
    expect(given?.domain?.['metadata']).toEqual(metadata);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html.match(/<!--/g)).toBe(null);
    expect(html.match(/<\/head>/g)).toHaveLength(1);
  });
});

describe('strangers', () => {
  test('are told apart nothing of private dashboards and of none (M-4)', async () => {
    const [some, none] = await Promise.all([pageAt(own()), pageAt('/nobody-knows')]);
    expect(some).toEqual(none);
    expect(some.given).toBe(null);
  });

  test('are given a public dashboard as the interface shows it to visitors (M-16, M-82)', async () => {
    const { cookie, send } = await browser(edge);
    await send('POST', 'domain/public', { domain_id: edge.own.id });
    const { given } = await pageAt(own());
    const token = given?.access?.access_token ?? '';
    const seen = await edge.send('GET', `domain?id=${edge.own.id}`, undefined, token);
    expect(given).toEqual({ domain: seen.json, access: expect.anything() });
    // Whoever sees it anyway reads it as themselves; whoever does not, as a visitor.
    expect(Object.keys((await pageAt(own(), { cookie })).given ?? {})).toEqual(['user', 'domain']);
    await setPassword(edge, 'another password', 'bob@example.org');
    const bob = await signIn(edge, { email: 'bob@example.org', password: 'another password' });
    const pair = (bob.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const keys = Object.keys((await pageAt(own(), { cookie: pair })).given ?? {});
    expect(keys.sort()).toEqual(['access', 'domain']);
  });

  test('with an access link are given what it shows, whoever has signed in (M-20, D-19)', async () => {
    const { cookie, send } = await browser(edge);
    const filter = { referrer_name: ['Google'] };
    const frame = ['https://friend.example'];
    const link = await send('POST', 'domain/link', { domain_id: edge.own.id, filter, frame });
    const { given } = await pageAt(`${own()}?access=${link.json.code}`, { cookie });
    // Also in a frame, where no cookie comes along.
    const framed = await fetch(`${edge.baseUrl}${own()}?access=${link.json.code}`);
    expect(framed.headers.get('content-security-policy')).toContain(`frame-ancestors ${frame[0]}`);
    expect(Object.keys((await pageAt(`${own()}?access=${link.json.code}`)).given ?? {})).toEqual(
      Object.keys(given ?? {}),
    );
    expect(given?.user).toBe(undefined);
    expect(given?.access?.filter).toEqual(filter);
    expect(given?.domain?.['id']).toBe(edge.own.id);
    expect((await pageAt(`${own()}?access=${'x'.repeat(24)}`)).given).toBe(null);
    expect((await pageAt(`/nobody-knows?access=${link.json.code}`)).given).toBe(null);
    await send('DELETE', `domain/link?id=${link.json.id}`);
    expect((await pageAt(`${own()}?access=${link.json.code}`)).given).toBe(null);
  });
});

describe('where it is not known', () => {
  test('the page comes without it, at once or soon (D-2)', async () => {
    const { cookie } = await browser(edge);
    edge.usage = () => Promise.reject(new TypeError('it is away'));
    expect((await pageAt(own(), { cookie })).given).toBe(null);
    let end = () => {};
    edge.usage = () => new Promise((_, reject) => (end = () => reject(new TypeError('too late'))));
    expect(PAGE_GIVEN_MS_MAX).toBeLessThan(1_000);
    expect((await pageAt(own(), { cookie })).given).toBe(null);
    end();
  });
});
