/** Funnels of domains: made, changed and removed, with ids that stay. */
import { randomAlphanumeric } from '../base/random.ts';
import type { Funnel, FunnelStep, StepFilter } from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import { ENTITY_ID_LENGTH, FUNNEL_STEP_COUNT_MAX } from '../model/limits.ts';
import type { Registry } from './registry/registry.ts';

/** What a person says of a funnel; whether the steps are steps is the registry's rule. */
export interface FunnelWish {
  readonly name: string;
  readonly steps: readonly unknown[];
}

/** The funnels of one thread's registry. */
export class Funnels {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Funnels of a domain, oldest first, as of now: also those just made at another thread. */
  ofDomain(domainId: string): readonly Funnel[] {
    this.#registry.refresh();
    return this.#registry.view.funnelsOfDomain(domainId);
  }

  /** A funnel by id, as of now; whether a credential may see it is its domain's question. */
  find(id: string): Funnel | null {
    this.#registry.refresh();
    return this.#registry.view.funnel(id);
  }

  /** @throws VALIDATION_FAILED by field of the request. */
  async create(domainId: string, wish: FunnelWish, nowMs: number): Promise<Funnel> {
    let funnel: Funnel | undefined;
    await this.#registry.change(nowMs, (_, atMs) => {
      funnel = {
        id: randomAlphanumeric(ENTITY_ID_LENGTH),
        createdMs: atMs,
        modifiedMs: atMs,
        domainId,
        name: wish.name.trim(),
        steps: draftSteps(wish.steps, [], atMs),
      };
      return [{ kind: 'funnel-created', payload: funnel }];
    });
    return funnel as Funnel;
  }

  /**
   * Replaces name and steps; a step keeps the id of the one in its place.
   *
   * @throws FUNNEL_NOT_FOUND; VALIDATION_FAILED by field of the request.
   */
  async change(id: string, wish: FunnelWish, nowMs: number): Promise<Funnel> {
    let changed: Funnel | undefined;
    await this.#registry.change(nowMs, (view, atMs) => {
      const before = view.funnel(id);
      if (before === null) throw errors.FUNNEL_NOT_FOUND({ funnelId: id });
      const steps = draftSteps(wish.steps, before.steps, atMs);
      changed = { ...before, modifiedMs: atMs, name: wish.name.trim(), steps };
      return [{ kind: 'funnel-changed', payload: changed }];
    });
    return changed as Funnel;
  }

  /** @throws FUNNEL_NOT_FOUND. */
  async delete(id: string, nowMs: number): Promise<void> {
    await this.#registry.change(nowMs, (view) => {
      if (view.funnel(id) === null) throw errors.FUNNEL_NOT_FOUND({ funnelId: id });
      return [{ kind: 'funnel-deleted', payload: { id } }];
    });
  }
}

/**
 * Steps of a record from what was sent, which may be anything: the registry's rule refuses what is
 * no step. One more than is allowed is enough to be refused.
 */
function draftSteps(
  sent: readonly unknown[],
  before: readonly FunnelStep[],
  nowMs: number,
): FunnelStep[] {
  return sent.slice(0, FUNNEL_STEP_COUNT_MAX + 1).map((step, index) => {
    const { name, filter } = (step ?? {}) as { name?: unknown; filter?: unknown };
    const known = before[index];
    const drafted = {
      id: known?.id ?? randomAlphanumeric(ENTITY_ID_LENGTH),
      createdMs: known?.createdMs ?? nowMs,
      modifiedMs: nowMs,
      name: typeof name === 'string' ? name.trim() : ((name ?? '') as string),
      filter: filter as StepFilter,
    };
    return known !== undefined && isSame(known, drafted) ? known : drafted;
  });
}

function isSame(left: FunnelStep, right: FunnelStep): boolean {
  return left.name === right.name && JSON.stringify(left.filter) === JSON.stringify(right.filter);
}
