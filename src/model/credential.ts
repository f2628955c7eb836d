/**
 * Who is asking: what a verified access token or access key stands for.
 *
 * Made by `control/access`, read by every endpoint; frozen, shared by all requests of a bearer.
 */
import type { Scopes } from './rights.ts';

/** A verified bearer. */
export interface Credential {
  /** Id of the `Client` (not its oauth `client_id`). */
  readonly clientId: string;
  readonly userId: string;
  /** null: an account-level client, which sees every domain of its user. */
  readonly domainId: string | null;
  /** Access keys may only collect. */
  readonly isAccessKey: boolean;
  readonly scopes: Scopes;
}
