/** Conversion goals of domains: what stands in the registry, and how one is made. */
import { randomAlphanumeric } from '../base/random.ts';
import type { Goal } from '../model/entities.ts';
import { ENTITY_ID_LENGTH } from '../model/limits.ts';
import { expressionOf } from './conversion-rules.ts';
import type { Registry } from './registry/registry.ts';

/** What a person says of a new goal; blank texts and targets of 0 are unset. */
export interface GoalWish {
  readonly domainId: string;
  readonly name: string;
  readonly pathPattern: string;
  readonly eventName: string;
  readonly eventMetaKey: string;
  readonly eventMetaValue: string;
  readonly customMetricKey: string;
  readonly customMetricType: 'integer' | 'float' | null;
  readonly visitorGoal: number;
  /** In percent. */
  readonly crGoal: number;
  readonly customMetricTotalGoal: number;
  readonly customMetricAvgGoal: number;
  readonly deleteReached: boolean;
  readonly emailReached: boolean;
}

/** The goals of one thread's registry. */
export class Goals {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Goals of a domain, oldest first, as of now: also those just made at another thread. */
  ofDomain(domainId: string): readonly Goal[] {
    this.#registry.refresh();
    return this.#registry.view.goalsOfDomain(domainId);
  }

  /** @throws VALIDATION_FAILED by field of the request. */
  async create(wish: GoalWish, nowMs: number): Promise<Goal> {
    let goal: Goal | undefined;
    await this.#registry.change(nowMs, (_, atMs) => {
      goal = draftGoal(wish, atMs);
      return [{ kind: 'goal-created', payload: goal }];
    });
    return goal as Goal;
  }
}

/** The record of a wish. */
export function draftGoal(wish: GoalWish, nowMs: number): Goal {
  const pathPattern = textOrNull(wish.pathPattern);
  return {
    id: randomAlphanumeric(ENTITY_ID_LENGTH),
    createdMs: nowMs,
    modifiedMs: nowMs,
    domainId: wish.domainId,
    name: wish.name.trim(),
    pathPattern,
    pattern: pathPattern === null ? null : expressionOf(pathPattern),
    eventName: textOrNull(wish.eventName),
    eventMetaKey: textOrNull(wish.eventMetaKey),
    eventMetaValue: textOrNull(wish.eventMetaValue),
    customMetricKey: textOrNull(wish.customMetricKey),
    customMetricType: wish.customMetricType,
    visitorGoal: targetOrNull(wish.visitorGoal),
    crGoal: targetOrNull(wish.crGoal),
    customMetricTotalGoal: targetOrNull(wish.customMetricTotalGoal),
    customMetricAvgGoal: targetOrNull(wish.customMetricAvgGoal),
    deleteReached: wish.deleteReached,
    emailReached: wish.emailReached,
  };
}

/** Trimmed as the names and metadata of events are (I-53, I-54). */
function textOrNull(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}

/** */
function targetOrNull(target: number): number | null {
  return target === 0 ? null : target;
}
