// Goal: a bearer opens exactly what its client may reach, for exactly as long as it is valid.
// Method: a registry in a temporary directory; the time is passed in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Access } from '../../src/control/access.ts';
import { createAccount, createDomain, type NewAccount } from '../../src/control/accounts.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { alternative as alternativeResource } from '../../src/control/resources/alternative.ts';
import type { Domain } from '../../src/control/resources/domain.ts';
import { ACCESS_TOKEN_MS, CREDENTIAL_CACHE_COUNT_MAX } from '../../src/model/limits.ts';
import { scopesOf } from '../../src/model/rights.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';

let directory: string;
let registry: Registry;
let access: Access;
let account: NewAccount;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-access-'));
  registry = Registry.open(directory, NOW_MS);
  access = new Access(registry);
  account = await createAccount(registry, { email: EMAIL }, NOW_MS);
});

afterEach(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

function domain(hostname: string, createdMs = NOW_MS) {
  return createDomain(registry, { email: EMAIL, hostname }, createdMs);
}

function alternative(of: Domain, hostname: string) {
  const sent = { domain_id: of.id, hostname };
  const request = { sent, userId: '', nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;
  return new Records(registry).create(alternativeResource, request);
}

function tokenOf(client: { clientId: string; clientSecret: string }): string {
  return access.issueToken(client.clientId, client.clientSecret, NOW_MS)?.accessToken ?? '';
}

describe('access tokens', () => {
  test.each([
    { aged: '0 ms', ageMs: 0, isValid: true },
    { aged: '59:59.999', ageMs: ACCESS_TOKEN_MS - 1, isValid: true },
    { aged: '60:00', ageMs: ACCESS_TOKEN_MS, isValid: false },
    { aged: '60:00.001', ageMs: ACCESS_TOKEN_MS + 1, isValid: false },
  ])('a token aged $aged is valid: $isValid (A-16)', ({ ageMs, isValid }) => {
    const token = tokenOf(account);
    expect(access.authenticate(token, NOW_MS + ageMs) !== null).toBe(isValid);
    // Again, now that it is remembered.
    expect(access.authenticate(token, NOW_MS + ageMs) !== null).toBe(isValid);
    expect(access.authenticate(token, NOW_MS) !== null).toBe(true);
  });

  test('a token says when it expires', () => {
    const issued = access.issueToken(account.clientId, account.clientSecret, NOW_MS);
    expect(issued?.expiresMs).toBe(NOW_MS + 3_600_000);
  });

  test('several tokens of a client are valid at once (A-16)', () => {
    const [first, second] = [tokenOf(account), tokenOf(account)];
    expect(first).not.toBe(second);
    expect(access.authenticate(first, NOW_MS)).not.toBeNull();
    expect(access.authenticate(second, NOW_MS)).not.toBeNull();
  });

  test('a token survives a restart', async () => {
    const token = tokenOf(account);
    await registry.close();
    registry = Registry.open(directory, NOW_MS);
    expect(new Access(registry).authenticate(token, NOW_MS)?.userId).toBe(account.user.id);
  });

  test('a token issued by one thread counts in every other', async () => {
    const other = Registry.open(directory, NOW_MS);
    expect(new Access(other).authenticate(tokenOf(account), NOW_MS)).not.toBeNull();
    await other.close();
  });

  test('a token of another installation is refused', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'footfall-access-'));
    const other = Registry.open(elsewhere, NOW_MS);
    expect(new Access(other).authenticate(tokenOf(account), NOW_MS)).toBeNull();
    await other.close();
    rmSync(elsewhere, { recursive: true });
  });

  test('a token with any character changed is refused', () => {
    const token = tokenOf(account);
    for (let index = 0; index < token.length; index++) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const forged = token.slice(0, index) + other + token.slice(index + 1);
      expect(access.authenticate(forged, NOW_MS)).toBeNull();
    }
  });

  test.each(['', ' ', 'x', 'pa_', `pa_${'x'.repeat(45)}`, 'A'.repeat(92), '\0'.repeat(92), 'é'])(
    'the bearer %j is refused',
    (bearer) => {
      expect(access.authenticate(bearer, NOW_MS)).toBeNull();
    },
  );

  test('a token shortened, lengthened or spelled otherwise is refused', () => {
    const token = tokenOf(account);
    for (const other of [token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`]) {
      expect(access.authenticate(other, NOW_MS)).toBeNull();
    }
  });

  test('a wrong secret or an unknown client gets no token', () => {
    expect(access.issueToken(account.clientId, 'x'.repeat(64), NOW_MS)).toBeNull();
    expect(access.issueToken(account.clientId, '', NOW_MS)).toBeNull();
    expect(access.issueToken('x'.repeat(32), account.clientSecret, NOW_MS)).toBeNull();
    expect(access.issueToken('', '', NOW_MS)).toBeNull();
  });

  test('the token of a deleted client is refused at once, also when it was remembered', async () => {
    const token = tokenOf(account);
    const id = access.authenticate(token, NOW_MS)?.clientId ?? '';
    await registry.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () => [
      { kind: 'client-deleted', payload: { id } },
    ]);
    expect(access.authenticate(token, NOW_MS)).toBeNull();
    expect(access.issueToken(account.clientId, account.clientSecret, NOW_MS)).toBeNull();
  });
});

describe('access keys', () => {
  test('an access key stands for its domain and may only collect (A-17)', async () => {
    const made = await domain('a.test');
    expect(access.authenticate(made.accessKey, NOW_MS)).toMatchObject({
      userId: account.user.id,
      domainId: made.domain.id,
      kind: 'key',
      scopes: { hit: 'w', event: 'w', session: 'w', statistics: '', domains: '', themes: '' },
    });
  });

  test('an access key does not expire', async () => {
    const { accessKey } = await domain('a.test');
    expect(access.authenticate(accessKey, NOW_MS + 10 * 365 * 86_400_000)).not.toBeNull();
  });

  test('an access key gets no token', async () => {
    const { accessKey } = await domain('a.test');
    expect(access.issueToken('', accessKey, NOW_MS)).toBeNull();
  });

  test('the first client of an account has every scope, that of a domain what a domain has', async () => {
    const made = await domain('a.test');
    const all = scopesOf('w');
    for (const [client, kind, scopes] of [
      [account, 'user', all],
      [made, 'domain', { ...all, organizations: '', themes: '', billing: '' }],
    ] as const) {
      const credential = access.authenticate(tokenOf(client), NOW_MS);
      expect(credential?.kind).toBe(kind);
      expect(credential?.scopes).toEqual(scopes);
      expect(credential?.userId).toBe(account.user.id);
    }
  });
});

describe('the memory of verified bearers', () => {
  test('a bearer that was seen gives the same credential', () => {
    const token = tokenOf(account);
    const credential = access.authenticate(token, NOW_MS);
    expect(access.authenticate(token, NOW_MS)).toBe(credential);
  });

  test('a bearer pushed out by others is verified again', async () => {
    const { accessKey } = await domain('a.test');
    const first = access.authenticate(accessKey, NOW_MS);
    for (let number = 0; number < 2 * CREDENTIAL_CACHE_COUNT_MAX + 1; number++) {
      access.authenticate(tokenOf(account), NOW_MS);
    }
    const again = access.authenticate(accessKey, NOW_MS);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});

describe('domains of a credential', () => {
  test('an account sees all of its domains, oldest first; a domain client its own', async () => {
    const made = [
      await domain('c.test', NOW_MS + 2),
      await domain('a.test', NOW_MS + 3),
      await domain('b.test'),
    ];
    const owner = access.authenticate(tokenOf(account), NOW_MS);
    const hostnames = access.domainsOf(owner as never).map((one) => one.hostname);
    expect(hostnames).toEqual(['b.test', 'c.test', 'a.test']);
    const client = access.authenticate(tokenOf(made[1] as never), NOW_MS);
    expect(access.domainsOf(client as never).map((one) => one.hostname)).toEqual(['a.test']);
  });

  test('a credential has a role on domains of its own and on no other (M-2)', async () => {
    const mine = await domain('a.test');
    const sibling = await domain('b.test');
    await createAccount(registry, { email: 'eve@example.org' }, NOW_MS);
    const wish = { email: 'eve@example.org', hostname: 'a.test' };
    const foreign = await createDomain(registry, wish, NOW_MS);
    const owner = access.authenticate(tokenOf(account), NOW_MS) as never;
    const client = access.authenticate(tokenOf(mine), NOW_MS) as never;
    const reached = (credential: never) =>
      [mine, sibling, foreign].map(({ domain: { id } }) =>
        access.roleOn(credential, { kind: 'domain', id }),
      );
    expect(reached(owner)).toEqual(['Owner', 'Owner', null]);
    expect(reached(client)).toEqual(['Admin', null, null]);
    expect(access.domainForHostname(owner, 'a.test')?.id).toBe(mine.domain.id);
  });

  test('of several domains of one hostname the oldest is meant (I-9)', async () => {
    const newer = await domain('a.test', NOW_MS + 1);
    const older = await domain('a.test', NOW_MS);
    const owner = access.authenticate(tokenOf(account), NOW_MS) as never;
    expect(access.domainForHostname(owner, 'a.test')?.id).toBe(older.domain.id);
    expect(newer.domain.hostname).toBe('a.test');
  });

  test('an exact hostname goes before an older alternative one (I-9)', async () => {
    const older = await domain('old.test', NOW_MS - 1);
    await alternative(older.domain, '*.shop.test');
    await alternative(older.domain, 'shop.test');
    const exact = await domain('shop.test');
    const owner = access.authenticate(tokenOf(account), NOW_MS) as never;
    const found = (hostname: string) => access.domainForHostname(owner, hostname)?.id;
    expect(found('shop.test')).toBe(exact.domain.id);
    expect(found('eu.shop.test')).toBe(older.domain.id);
    expect(found('nowhere.test')).toBeUndefined();
  });

  test('of several with an alternative that matches the oldest is meant, at once (I-9)', async () => {
    const newer = await domain('new.test', NOW_MS + 1);
    const older = await domain('old.test');
    const owner = access.authenticate(tokenOf(account), NOW_MS) as never;
    const found = (hostname: string) => access.domainForHostname(owner, hostname)?.id;
    expect(found('a.shop.test')).toBeUndefined();
    await alternative(newer.domain, 'a.shop.test');
    expect(found('a.shop.test')).toBe(newer.domain.id);
    await alternative(older.domain, 'a.*.test');
    expect(found('a.shop.test')).toBe(older.domain.id);
    expect(found('b.shop.test')).toBeUndefined();
    await alternative(newer.domain, '*.shop.test');
    expect(found('b.shop.test')).toBe(newer.domain.id);
  });

  test('a site is made once, and anew when its alternatives change (I-5)', async () => {
    const one = await domain('one.test');
    const two = await domain('two.test');
    const site = access.siteOf(one.domain);
    expect(access.siteOf(two.domain).hostname).toBe('two.test');
    expect(access.siteOf(one.domain)).toBe(site);
    await alternative(two.domain, 'else.test');
    expect(access.siteOf(one.domain)).toBe(site);
    expect(site.alternatives.has('else.test')).toBe(false);
    await alternative(one.domain, 'else.test');
    expect(access.siteOf(one.domain).alternatives.has('else.test')).toBe(true);
  });

  test('a domain client implies its domain whatever the hostname (I-9)', async () => {
    const made = await domain('a.test');
    const client = access.authenticate(made.accessKey, NOW_MS) as never;
    expect(access.domainForHostname(client, 'foreign.test')?.id).toBe(made.domain.id);
  });
});
