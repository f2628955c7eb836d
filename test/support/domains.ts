/**
 * Many fresh domains at once, for tests that need one per case.
 *
 * Uses the registry directly, as the CLI does, but without a process per domain. Works beside a
 * running service, which sees the domains within a second; call it before starting to need no wait.
 */
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import type { AccountCredentials } from './service.ts';

export interface TestDomain {
  id: string;
  hostname: string;
  clientId: string;
  clientSecret: string;
  accessKey: string;
}

export interface TestSite {
  account: AccountCredentials;
  domains: TestDomain[];
}

export interface TestSiteOptions {
  /** Data directory of the service. */
  dataDir: string;
  /** Of all domains, or of the n-th one. Default: example.org. */
  hostname?: string | ((index: number) => string);
  timezone?: string;
  /** Domains to make. */
  count: number;
}

/** An account and its domains. */
export async function createTestSite(options: TestSiteOptions): Promise<TestSite> {
  const { dataDir, hostname = 'example.org', timezone = 'UTC', count } = options;
  const nowMs = Date.now();
  const registry = Registry.open(dataDir, nowMs);
  try {
    const email = `owner-${nowMs}@example.org`;
    const account = await createAccount(registry, { email, name: 'Owner' }, nowMs);
    const domains: TestDomain[] = [];
    for (let index = 0; index < count; index++) {
      // Each a millisecond younger than the one before: the oldest of one hostname is the first (I-9).
      const host = typeof hostname === 'string' ? hostname : hostname(index);
      const made = await createDomain(
        registry,
        { hostname: host, timezone, email },
        nowMs - count + index,
      );
      const { clientId, clientSecret, accessKey } = made;
      domains.push({ id: made.domain.id, hostname: host, clientId, clientSecret, accessKey });
    }
    return {
      account: {
        user_id: account.user.id,
        email,
        client_id: account.clientId,
        client_secret: account.clientSecret,
      },
      domains,
    };
  } finally {
    await registry.close();
  }
}
