/**
 * The limits of requests for one edge: whose window a request counts in, and what its client is told
 * (M-90).
 */
import type { RateKind, RateRule } from '../../api/rate-rules.ts';
import type { Credential } from '../../model/credential.ts';
import { errors } from '../../model/errors.ts';
import { RATE_CHANGE_COUNT_MAX, RATE_SECURITY_COUNT_MAX, SECOND_MS } from '../../model/limits.ts';
import { networkOf } from '../http/client-address.ts';
import type { RateState, RateWindows } from './rate-windows.ts';

const LIMITS: Readonly<Record<RateKind, number>> = {
  security: RATE_SECURITY_COUNT_MAX,
  change: RATE_CHANGE_COUNT_MAX,
};

/** One request in the windows that it counts in. */
export class RequestRate {
  readonly #windows: RateWindows;
  readonly #rule: RateRule;
  readonly #address: string;
  readonly #nowMs: number;
  #kind: RateKind;
  /** Under its caller, as it was counted last. */
  #own: Counted | null = null;
  /** The window with the least room. */
  #told: RateState | null = null;

  constructor(
    windows: RateWindows,
    rule: RateRule,
    { address, nowMs }: { readonly address: string; readonly nowMs: number },
  ) {
    this.#windows = windows;
    this.#rule = rule;
    this.#kind = rule.kind;
    this.#address = address;
    this.#nowMs = nowMs;
  }

  /** Only the body says in which window it counts. */
  get isOfBody(): boolean {
    return this.#rule.securityField !== undefined;
  }

  /**
   * Counts it under its caller; a caller that is known only now takes the place of its address.
   *
   * @param body null: it is not known, or says nothing.
   * @throws RATE_LIMITED.
   */
  count(credential: Credential | null, body: unknown = null): void {
    this.#own?.giveBack();
    this.#kind = this.#kindOf(body);
    this.#own = this.#take(this.#kind, callerName(credential, this.#address));
    this.#told = this.#own.state;
    this.#refuse(this.#told);
  }

  /** Counts it under another name as well. @returns takes that back. @throws RATE_LIMITED. */
  countAs(name: string): () => void {
    const before = this.#told;
    const { state, giveBack } = this.#take(this.#kind, name);
    if (before === null || state.isRefused || state.remaining < before.remaining) {
      this.#told = state;
    }
    this.#refuse(state);
    return () => {
      this.#told = before;
      giveBack();
    };
  }

  /** What its client is told; a request that was refused before it was counted counts now. */
  told(credential: Credential | null): RateState {
    if (this.#told !== null) return this.#told;
    this.#told = this.#take(this.#kind, callerName(credential, this.#address)).state;
    return this.#told;
  }

  #kindOf(body: unknown): RateKind {
    const { kind, securityField } = this.#rule;
    if (securityField === undefined || typeof body !== 'object' || body === null) return kind;
    return Object.hasOwn(body, securityField) ? 'security' : kind;
  }

  #take(kind: RateKind, name: string): Counted {
    const window = `${kind} ${name}`;
    const state = this.#windows.take(window, LIMITS[kind], this.#nowMs);
    const giveBack = () => {
      if (!state.isRefused) this.#windows.giveBack(window, state.atMs);
    };
    return { state, giveBack };
  }

  #refuse({ isRefused, limit, resetMs }: RateState): void {
    if (!isRefused) return;
    const seconds = Math.max(1, Math.ceil((resetMs - this.#nowMs) / SECOND_MS));
    throw errors.RATE_LIMITED({ limit, seconds });
  }
}

/** How a window stands, and what undoes it. */
interface Counted {
  readonly state: RateState;
  giveBack(): void;
}

/** Under which name a caller counts: its client or user, else the network it comes from. */
function callerName(credential: Credential | null, address: string): string {
  const network = `address ${networkOf(address)}`;
  if (credential === null) return network;
  const { clientId, userId } = credential;
  if (clientId !== '') return `client ${clientId}`;
  return userId === '' ? network : `user ${userId}`;
}
