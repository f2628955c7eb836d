// Goal: what a bearer may do follows the registry at once, and a change of something else costs a
// bearer seen before no hash; tokens of dashboards end with what they stand on (M-5, M-82).
// Method: two threads' registries over one directory and one signal; hashes are counted.
import * as crypto from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Access } from '../../src/control/access.ts';
import { createAccount, createDomain, type NewAccount } from '../../src/control/accounts.ts';
import type { Change } from '../../src/control/descriptor/resource.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { RegistrySignal } from '../../src/control/registry/registry-signal.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { ACCESS_TOKEN_MS } from '../../src/model/limits.ts';

vi.mock('node:crypto', { spy: true });

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';
const BASE = { createdMs: NOW_MS, modifiedMs: NOW_MS };

let directory: string;
let signal: RegistrySignal;
/** Who changes things, and who answers. */
let registry: Registry;
let reading: Registry;
let access: Access;
let account: NewAccount;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-access-'));
  signal = RegistrySignal.create();
  registry = Registry.open(directory, NOW_MS, signal);
  account = await createAccount(registry, { email: EMAIL }, NOW_MS);
  reading = Registry.open(directory, NOW_MS, new RegistrySignal(signal.memory));
  access = new Access(reading);
});

afterEach(async () => {
  await reading.close();
  await registry.close();
  rmSync(directory, { recursive: true });
});

const makeDomain = (hostname: string) => createDomain(registry, { email: EMAIL, hostname }, NOW_MS);

function change(kind: string, payload: object): Promise<unknown> {
  const stamp = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;
  return registry.change(stamp, () => [{ kind, payload } as Change]);
}

function makeLink(site: Domain, name: string): Promise<unknown> {
  const [id, code] = [name.padEnd(20, '0'), name.padEnd(24, '0')];
  return change('link-created', { ...BASE, id, code, domainId: site.id, description: '' });
}

async function publish(site: Domain, isPublic: boolean): Promise<Domain> {
  const next = { ...(registry.view.find(domain, site.id) as Domain), isPublic };
  await change('domain-changed', next);
  return next;
}

function hashes(): number {
  const { createHash, createHmac } = vi.mocked(crypto);
  return createHash.mock.calls.length + createHmac.mock.calls.length;
}

/** What the next request at the other thread sees. */
const asked = (bearer: string) => {
  reading.keepUp();
  return access.authenticate(bearer, NOW_MS);
};

describe('a thread that has changed nothing itself', () => {
  test('knows a key from the moment on that it was made, and no more when it was removed (M-5)', async () => {
    const { accessKey } = await makeDomain('a.test');
    const credential = asked(accessKey);
    expect(credential?.kind).toBe('key');
    await change('client-deleted', { id: credential?.clientId });
    expect(asked(accessKey)).toBeNull();
  });

  test('reads nothing while nobody has changed anything', async () => {
    const { accessKey } = await makeDomain('a.test');
    asked(accessKey);
    const refresh = vi.spyOn(reading, 'refresh');
    for (let count = 0; count < 100; count++) asked(accessKey);
    expect(refresh).not.toHaveBeenCalled();
    await makeDomain('b.test');
    asked(accessKey);
    asked(accessKey);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  test('hashes no bearer again because something else has changed', async () => {
    const { accessKey, clientId, clientSecret } = await makeDomain('a.test');
    reading.keepUp();
    const token = access.issueToken(clientId, clientSecret, NOW_MS)?.accessToken ?? '';
    asked(accessKey);
    asked(token);
    for (const hostname of ['b.test', 'c.test']) await makeDomain(hostname);
    const before = hashes();
    expect(before).toBeGreaterThan(0);
    expect([asked(accessKey)?.kind, asked(token)?.kind]).toEqual(['key', 'domain']);
    expect(hashes()).toBe(before);
  });

  test('has the scopes of a client as they are now', async () => {
    const { accessKey } = await makeDomain('a.test');
    const clientId = asked(accessKey)?.clientId ?? '';
    const { client } = await import('../../src/control/resources/client.ts');
    const record = registry.view.find(client, clientId);
    await change('client-changed', { ...record, scopes: { ...record?.scopes, hit: '' } });
    expect(asked(accessKey)?.scopes.hit).toBe('');
  });

  test('finds a domain by its hostname from the moment on that it was made', async () => {
    const token = (() => {
      reading.keepUp();
      return access.issueToken(account.clientId, account.clientSecret, NOW_MS)?.accessToken ?? '';
    })();
    const credential = asked(token)!;
    expect(access.domainForHostname(credential, 'a.test')).toBeNull();
    const made = await makeDomain('a.test');
    reading.keepUp();
    expect(access.domainForHostname(credential, 'a.test')?.id).toBe(made.domain.id);
    const before = access.domainsOf(credential);
    await makeLink(made.domain, 'link');
    reading.keepUp();
    // Nothing of it changed: the index of its hostnames serves on.
    expect(access.domainsOf(credential)).toBe(before);
  });
});

describe('the token of a dashboard', () => {
  const visit = (site: Domain, code?: string) => {
    reading.keepUp();
    return access.issueVisit(site, code, NOW_MS)?.accessToken ?? '';
  };

  test('reads one public domain for 60 minutes, as long as it is public (M-82)', async () => {
    const { domain: site } = await makeDomain('a.test');
    expect(visit(site)).toBe('');
    const open = await publish(site, true);
    const token = visit(open);
    expect(asked(token)).toMatchObject({ kind: 'code', domainId: site.id, userId: '' });
    expect(access.authenticate(token, NOW_MS + ACCESS_TOKEN_MS - 1)).not.toBeNull();
    expect(access.authenticate(token, NOW_MS + ACCESS_TOKEN_MS)).toBeNull();
    await publish(site, false);
    expect(asked(token)).toBeNull();
    // Nor later, when it was remembered as good.
    await publish(site, true);
    expect(asked(token)).not.toBeNull();
  });

  test('made with a code ends with its link, public or not (M-82)', async () => {
    const { domain: site } = await makeDomain('a.test');
    await makeLink(site, 'first');
    await makeLink(site, 'second');
    const [first, second] = ['first', 'second'].map((name) => visit(site, name.padEnd(24, '0')));
    expect([asked(first!)?.domainId, asked(second!)?.domainId]).toEqual([site.id, site.id]);
    await publish(site, true);
    await change('link-deleted', { id: 'first'.padEnd(20, '0') });
    expect([asked(first!), asked(second!)?.kind]).toEqual([null, 'code']);
  });

  test('is not given for a code of another domain, unless the domain is public (M-82)', async () => {
    const { domain: site } = await makeDomain('a.test');
    const { domain: other } = await makeDomain('b.test');
    await makeLink(other, 'link');
    expect(visit(site, 'link'.padEnd(24, '0'))).toBe('');
    expect(visit(site, 'nothing')).toBe('');
    const open = await publish(site, true);
    expect(asked(visit(open, 'nothing'))?.domainId).toBe(site.id);
  });

  test('of one kind is none of another kind: their ids are signed with it', async () => {
    const { domain: site } = await makeDomain('a.test');
    const open = await publish(site, true);
    const token = Buffer.from(visit(open), 'base64url');
    for (const version of [0, 1, 2, 4]) {
      token[0] = version;
      expect(asked(token.toString('base64url'))).toBeNull();
    }
    token[0] = 3;
    expect(asked(token.toString('base64url'))).not.toBeNull();
  });
});
