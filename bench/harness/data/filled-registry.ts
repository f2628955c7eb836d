/**
 * A registry with many records and a long history: one user with its domains, their clients and goals.
 *
 * Control plane. Through the registry itself, many records a change: what counts is how it is read.
 */
import { createAccount } from '../../../src/control/accounts.ts';
import { changed, created, draftNew } from '../../../src/control/descriptor/draft.ts';
import type { Change } from '../../../src/control/descriptor/resource.ts';
import { Registry } from '../../../src/control/registry/registry.ts';
import { client } from '../../../src/control/resources/client.ts';
import { type Domain, domain } from '../../../src/control/resources/domain.ts';
import { goal } from '../../../src/control/resources/goal.ts';

const EMAIL = 'bench@footfall.example';
const NOW_MS = Date.UTC(2026, 10, 20, 12);
/** Domains of one change, with all that belongs to them. */
const CHUNK = 250;
const STAMP = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;

/** What to put in. */
export interface RegistrySize {
  domains: number;
  /** Two clients of each domain are records, too. */
  goalsPerDomain: number;
  /** How often each domain is changed afterwards. */
  changesPerDomain: number;
}

/** Who may ask, and what there is. */
export interface FilledRegistry {
  client: { clientId: string; clientSecret: string };
  records: number;
  domainIds: string[];
}

/** Fills the registry of a new data directory. */
export async function fillRegistry(dataDir: string, size: RegistrySize): Promise<FilledRegistry> {
  const registry = Registry.open(dataDir, NOW_MS);
  const account = await createAccount(registry, { email: EMAIL }, NOW_MS);
  const userId = account.user.id;
  const domains: Domain[] = [];
  while (domains.length < size.domains) {
    const first = domains.length;
    const last = Math.min(first + CHUNK, size.domains);
    await registry.change(STAMP, (view) => {
      domains.length = first;
      const changes: Change[] = [];
      const context = { userId, nowMs: NOW_MS, view };
      for (let index = first; index < last; index++) {
        const sent = { hostname: `site-${index}.example`, subdomain: `site-${index}` };
        const { record } = draftNew(domain, { ...context, sent });
        domains.push(record);
        changes.push(created(domain, record));
        for (const type of ['oauth', 'token']) {
          const wish = { type, domain_id: record.id, scope_hit: 'w', description: type };
          changes.push(created(client, draftNew(client, { ...context, sent: wish }).record));
        }
        for (let number = 0; number < size.goalsPerDomain; number++) {
          const wish = {
            domain_id: record.id,
            name: `Goal ${number}`,
            path_pattern: `/${number}/**`,
          };
          changes.push(created(goal, draftNew(goal, { ...context, sent: wish }).record));
        }
      }
      return changes;
    });
  }
  for (let round = 0; round < size.changesPerDomain; round++) {
    for (let first = 0; first < domains.length; first += CHUNK) {
      await registry.change(STAMP, () =>
        domains
          .slice(first, first + CHUNK)
          .map((record) => changed(domain, { ...record, groupByTitle: round % 2 === 0 })),
      );
    }
  }
  await registry.close();
  const records = 2 + domains.length * (3 + size.goalsPerDomain);
  return { client: account, records, domainIds: domains.map(({ id }) => id) };
}

/** Reads a registry as each thread of a starting node does. @returns milliseconds, closing left out. */
export async function readRegistry(dataDir: string): Promise<number> {
  const startMs = performance.now();
  const registry = Registry.open(dataDir, NOW_MS);
  const tookMs = performance.now() - startMs;
  await registry.close();
  return tookMs;
}
