/**
 * Who is asking: what a verified token, key, cookie or access code stands for.
 *
 * Made by `control/access`, read by every endpoint; frozen, shared by all requests of a bearer.
 */
import type { CallerKind, Scopes } from './rights.ts';

/** Filters that nobody can take off: parameter → value or values, as requests carry them. */
export type PinnedFilter = Readonly<Record<string, string | readonly string[]>>;

/** A verified caller. */
export interface Credential {
  readonly kind: CallerKind;
  /** Id of the `Client` (not its oauth `client_id`); '' for persons and codes. */
  readonly clientId: string;
  /** Id of the `Session` of a person; '' for all others. */
  readonly sessionId: string;
  /** '' for an access code: it stands for nobody. */
  readonly userId: string;
  /** null: it sees every domain of its user. */
  readonly domainId: string | null;
  readonly scopes: Scopes;
  /** Filters that hold whatever it asks: those of an access link (D-19); null: none. */
  readonly pinned: PinnedFilter | null;
}
