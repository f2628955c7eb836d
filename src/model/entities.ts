/**
 * The entities of the registry as the program holds them. Wire shapes (snake_case) are made in `api`.
 */

/** What a client may do with one area: nothing, read, or write (which includes read). */
export type Scope = '' | 'r' | 'w';

/** The areas of the contract's API client. */
export const SCOPE_AREAS = [
  'hit',
  'event',
  'session',
  'statistics',
  'domains',
  'organizations',
  'themes',
  'billing',
] as const;

export type ScopeArea = (typeof SCOPE_AREAS)[number];

export type Scopes = Readonly<Record<ScopeArea, Scope>>;

export interface User {
  id: string;
  email: string;
  fullName: string;
  createdMs: number;
  modifiedMs: number;
}

/** One tracked site (contract, section 2). */
export interface Domain {
  id: string;
  createdMs: number;
  modifiedMs: number;
  userId: string;
  organizationId: string | null;
  hostname: string;
  subdomain: string;
  identificationCode: string;
  isPublic: boolean;
  /** IANA name. */
  timezone: string;
  groupByTitle: boolean;
  activeVisitorsSeconds: number;
  disableScripts: boolean;
  displayName: string;
  metadata: Record<string, unknown>;
  settings: Record<string, unknown>;
  themeId: string | null;
  theme: Record<string, unknown>;
  themeSettings: Record<string, unknown>;
  customDomain: string | null;
  /** Hostnames beside the domain's own, may hold `*` (I-5). */
  alternativeHostnames: readonly string[];
}

/** An API client: oauth (id and secret) or token (an access key). Secrets only as hashes. */
export interface Client {
  id: string;
  createdMs: number;
  modifiedMs: number;
  type: 'oauth' | 'token';
  userId: string;
  /** null for an account-level client. */
  domainId: string | null;
  /** oauth: 32 characters; token: ''. */
  clientId: string;
  /** SHA-256, hex, of the client secret or of the access key. */
  secretHash: string;
  description: string;
  scopes: Scopes;
}

/** What visitors should come to do on a domain (contract, section 2; ). */
export interface Goal {
  id: string;
  createdMs: number;
  modifiedMs: number;
  domainId: string;
  name: string;
  /** As configured; null without a condition on pages. */
  pathPattern: string | null;
  /** The regular expression made of it. */
  pattern: string | null;
  /** The three parts of an event filter. */
  eventName: string | null;
  eventMetaKey: string | null;
  eventMetaValue: string | null;
  customMetricKey: string | null;
  customMetricType: 'integer' | 'float' | null;
  /** Targets; null where none is set. */
  visitorGoal: number | null;
  /** In percent. */
  crGoal: number | null;
  customMetricTotalGoal: number | null;
  customMetricAvgGoal: number | null;
  deleteReached: boolean;
  emailReached: boolean;
}

/** Filters of one step: parameter → value or values. */
export type StepFilter = Readonly<Record<string, string | readonly string[]>>;

export interface FunnelStep {
  id: string;
  createdMs: number;
  modifiedMs: number;
  name: string;
  filter: StepFilter;
}

/** Steps that visitors take on a domain, in order. */
export interface Funnel {
  id: string;
  createdMs: number;
  modifiedMs: number;
  domainId: string;
  name: string;
  steps: readonly FunnelStep[];
}
