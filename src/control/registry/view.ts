/**
 * The registry in memory: every entity by id, and the indexes that requests are answered from.
 *
 * Control plane; edges read it per request, so every lookup is one or two Map hits. Holds no rules:
 * `put` and `remove` do as told, and keep the indexes in step with the entities.
 */
import { unreachable } from '../../base/assert.ts';
import type { Client, Domain, Funnel, Goal, User } from '../../model/entities.ts';

/** Keys made once for the whole installation; hexadecimal. */
export interface Secrets {
  readonly id: 'secrets';
  /** Keys the visitor ids; it never changes, or visitors would be counted twice. */
  readonly visitorKey: string;
  /** Signs access tokens. */
  readonly tokenKey: string;
}

/** The entity tables. */
export interface Entities {
  users: User;
  domains: Domain;
  clients: Client;
  goals: Goal;
  funnels: Funnel;
  secrets: Secrets;
}

export type TableName = keyof Entities;

/** What a change does to one entity; null removes it. */
export type EntityChange = {
  [Table in TableName]: {
    readonly table: Table;
    readonly id: string;
    readonly value: Entities[Table] | null;
  };
}[TableName];

/** Domains of one user. */
export interface AccountDomains {
  /** Oldest first. */
  readonly domains: readonly Domain[];
  /** The oldest domain of each hostname (I-9). */
  readonly byHostname: ReadonlyMap<string, Domain>;
  /** Those with alternative hostnames, oldest first. */
  readonly withAlternatives: readonly Domain[];
}

const NO_DOMAINS: AccountDomains = { domains: [], byHostname: new Map(), withAlternatives: [] };

/** What stands in the registry at one sequence. */
export class RegistryView {
  readonly #users = new Map<string, User>();
  readonly #domains = new Map<string, Domain>();
  readonly #clients = new Map<string, Client>();
  readonly #userByEmail = new Map<string, User>();
  readonly #domainBySubdomain = new Map<string, Domain>();
  readonly #clientByOauthId = new Map<string, Client>();
  readonly #clientByKeyHash = new Map<string, Client>();
  readonly #domainsByUser = new Map<string, Map<string, Domain>>();
  /** Worked out when first asked for, dropped when a domain of the user changes. */
  readonly #accountDomains = new Map<string, AccountDomains>();
  readonly #goals = new DomainTable<Goal>();
  readonly #funnels = new DomainTable<Funnel>();
  #secrets: Secrets | null = null;

  get userCount(): number {
    return this.#users.size;
  }

  get secrets(): Secrets | null {
    return this.#secrets;
  }

  user(id: string): User | null {
    return this.#users.get(id) ?? null;
  }

  /** Upper and lower case are the same person. */
  userByEmail(email: string): User | null {
    return this.#userByEmail.get(email.toLowerCase()) ?? null;
  }

  domain(id: string): Domain | null {
    return this.#domains.get(id) ?? null;
  }

  domainBySubdomain(subdomain: string): Domain | null {
    return this.#domainBySubdomain.get(subdomain) ?? null;
  }

  domains(): Iterable<Domain> {
    return this.#domains.values();
  }

  client(id: string): Client | null {
    return this.#clients.get(id) ?? null;
  }

  /** The oauth client of a `client_id`. */
  clientByOauthId(oauthId: string): Client | null {
    return this.#clientByOauthId.get(oauthId) ?? null;
  }

  /** The token client whose access key has this SHA-256. */
  clientByKeyHash(keyHash: string): Client | null {
    return this.#clientByKeyHash.get(keyHash) ?? null;
  }

  /** Domains of a user; empty for an unknown one. */
  accountDomains(userId: string): AccountDomains {
    const known = this.#accountDomains.get(userId);
    if (known !== undefined) return known;
    const owned = this.#domainsByUser.get(userId);
    if (owned === undefined) return NO_DOMAINS;
    const domains = [...owned.values()].sort(byAge);
    const byHostname = new Map<string, Domain>();
    for (const domain of domains) {
      if (!byHostname.has(domain.hostname)) byHostname.set(domain.hostname, domain);
    }
    const withAlternatives = domains.filter((domain) => domain.alternativeHostnames.length > 0);
    const account = { domains, byHostname, withAlternatives };
    this.#accountDomains.set(userId, account);
    return account;
  }

  /** Goals of a domain, oldest first. */
  goalsOfDomain(domainId: string): readonly Goal[] {
    return this.#goals.ofDomain(domainId);
  }

  funnel(id: string): Funnel | null {
    return this.#funnels.find(id);
  }

  /** Funnels of a domain, oldest first. */
  funnelsOfDomain(domainId: string): readonly Funnel[] {
    return this.#funnels.ofDomain(domainId);
  }

  /** Users with access to a domain: its owner, as long as domains have no other members (S-74). */
  memberCount(domain: Domain): number {
    return this.#users.has(domain.userId) ? 1 : 0;
  }

  /**
   * Puts or removes one entity.
   *
   * @returns the change that undoes it.
   */
  apply(change: EntityChange): EntityChange {
    switch (change.table) {
      case 'users':
        return { ...change, value: this.#setUser(change.id, change.value) };
      case 'domains':
        return { ...change, value: this.#setDomain(change.id, change.value) };
      case 'clients':
        return { ...change, value: this.#setClient(change.id, change.value) };
      case 'goals':
        return { ...change, value: this.#goals.set(change.id, change.value) };
      case 'funnels':
        return { ...change, value: this.#funnels.set(change.id, change.value) };
      case 'secrets': {
        const before = this.#secrets;
        this.#secrets = change.value;
        return { ...change, value: before };
      }
      default:
        return unreachable(change);
    }
  }

  #setUser(id: string, value: User | null): User | null {
    const before = replace(this.#users, id, value);
    if (before !== null) this.#userByEmail.delete(before.email.toLowerCase());
    if (value !== null) this.#userByEmail.set(value.email.toLowerCase(), value);
    return before;
  }

  #setDomain(id: string, value: Domain | null): Domain | null {
    const before = replace(this.#domains, id, value);
    if (before !== null) {
      this.#domainBySubdomain.delete(before.subdomain);
      this.#domainsByUser.get(before.userId)?.delete(id);
      this.#accountDomains.delete(before.userId);
    }
    if (value !== null) {
      this.#domainBySubdomain.set(value.subdomain, value);
      const owned = this.#domainsByUser.get(value.userId) ?? new Map<string, Domain>();
      this.#domainsByUser.set(value.userId, owned.set(id, value));
      this.#accountDomains.delete(value.userId);
    }
    return before;
  }

  #setClient(id: string, value: Client | null): Client | null {
    const before = replace(this.#clients, id, value);
    if (before?.type === 'oauth') this.#clientByOauthId.delete(before.clientId);
    if (before?.type === 'token') this.#clientByKeyHash.delete(before.secretHash);
    if (value?.type === 'oauth') this.#clientByOauthId.set(value.clientId, value);
    if (value?.type === 'token') this.#clientByKeyHash.set(value.secretHash, value);
    return before;
  }
}

interface OfDomain {
  readonly id: string;
  readonly createdMs: number;
  readonly domainId: string;
}

/** Things that belong to a domain for good, by id and by domain. */
class DomainTable<Value extends OfDomain> {
  readonly #byId = new Map<string, Value>();
  readonly #byDomain = new Map<string, Map<string, Value>>();

  find(id: string): Value | null {
    return this.#byId.get(id) ?? null;
  }

  /** Oldest first. */
  ofDomain(domainId: string): readonly Value[] {
    return [...(this.#byDomain.get(domainId)?.values() ?? [])].sort(byAge);
  }

  /** @returns what stood there before. */
  set(id: string, value: Value | null): Value | null {
    const before = replace(this.#byId, id, value);
    if (value !== null) {
      const ofDomain = this.#byDomain.get(value.domainId) ?? new Map<string, Value>();
      this.#byDomain.set(value.domainId, ofDomain.set(id, value));
    } else if (before !== null) {
      const ofDomain = this.#byDomain.get(before.domainId);
      ofDomain?.delete(id);
      if (ofDomain?.size === 0) this.#byDomain.delete(before.domainId);
    }
    return before;
  }
}

function replace<Value>(map: Map<string, Value>, id: string, value: Value | null): Value | null {
  const before = map.get(id) ?? null;
  if (value === null) map.delete(id);
  else map.set(id, value);
  return before;
}

interface Aged {
  readonly id: string;
  readonly createdMs: number;
}

/** The id decides between entities of the same millisecond, so that every node has one order. */
function byAge(left: Aged, right: Aged): number {
  return left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1);
}
