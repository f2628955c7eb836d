/**
 * The managed records of one thread's registry: listed, found, made, changed, removed, acted upon.
 *
 * Control plane. One door for every resource; what differs stands in the descriptors. Whether a
 * caller may do it is asked before, by the endpoint.
 */
import { isDeepStrictEqual } from 'node:util';
import { errors } from '../model/errors.ts';
import type { HistoryPage } from '../store/registry-history.ts';
import type { Author } from '../store/registry-store.ts';
import { type AuditEntry, auditEntry } from './audit.ts';
import { changed, created, type Draft, draftChanged, draftNew } from './descriptor/draft.ts';
import type {
  Action,
  ActMaking,
  Base,
  Change,
  Look,
  Place,
  Resource,
  Viewing,
} from './descriptor/resource.ts';
import { removalOf } from './registry/changes.ts';
import type { Registry, Stamp } from './registry/registry.ts';

/** A request of somebody to the registry. */
export interface RecordRequest {
  /** The body, its schema checked. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Whom the caller stands for. */
  readonly userId: string;
  readonly by: Author;
  readonly nowMs: number;
}

/** What is to happen, and what is answered then. */
export interface Decision<Result> {
  readonly changes: readonly Change[];
  readonly result: Result;
}

/** Reads are as of now: also of what was just made at another thread. */
export class Records {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** What stands in the registry now. */
  look(): Look {
    this.#registry.refresh();
    return this.#registry.view;
  }

  /** Records that refer to another one by a field, oldest first: the goals of a domain. */
  list<Rec extends Base>(
    resource: Resource<Rec>,
    field: keyof Rec & string,
    id: string,
  ): readonly Rec[] {
    this.#registry.refresh();
    return this.#registry.view.of(resource, field, id);
  }

  /** What was changed of what belongs to a place, the newest first (M-8). */
  audit(place: Place, page: HistoryPage, viewing: Viewing): AuditEntry[] {
    return this.#registry.history(place, page).map((entry) => auditEntry(entry, viewing));
  }

  /** Null when there is none. */
  find<Rec extends Base>(resource: Resource<Rec>, id: string): Rec | null {
    this.#registry.refresh();
    return this.#registry.view.find(resource, id);
  }

  /** @throws VALIDATION_FAILED by field of the request. */
  async create<Rec extends Base>(
    resource: Resource<Rec>,
    request: RecordRequest,
  ): Promise<Draft<Rec>> {
    let made: Draft<Rec> | undefined;
    await this.#registry.change(request, (view, atMs) => {
      made = draftNew(resource, { ...request, view, nowMs: atMs });
      return [created(resource, made.record)];
    });
    return made as Draft<Rec>;
  }

  /**
   * Changes what the request carries; one that changes nothing writes no record (M-7).
   *
   * @throws RECORD_NOT_FOUND; VALIDATION_FAILED by field of the request.
   */
  async change<Rec extends Base>(
    resource: Resource<Rec>,
    id: string,
    request: RecordRequest,
  ): Promise<Rec> {
    return this.#replace(resource, id, request, (before, making) =>
      draftChanged(resource, before, making),
    );
  }

  /** Removes a record and what belongs to it. @throws RECORD_NOT_FOUND. */
  async remove(resource: Resource, id: string, stamp: Stamp): Promise<void> {
    await this.#registry.change(stamp, (view, atMs) => {
      if (view.find(resource, id) === null) throw notFound(resource, id);
      return removalOf([{ resource, id }], view, atMs);
    });
  }

  /** Carries out an action. @throws RECORD_NOT_FOUND; VALIDATION_FAILED by field of the request. */
  async act<Rec extends Base>(
    resource: Resource<Rec>,
    action: Action<Rec>,
    id: string,
    request: RecordRequest,
  ): Promise<Rec> {
    return this.#replace(resource, id, request, (before, making) => {
      const after = action.act(before, making);
      const isSame = isDeepStrictEqual(after, before);
      return isSame ? before : { ...after, modifiedMs: making.nowMs };
    });
  }

  /**
   * Several records at once: what is decided from the state is one record of the log, or nothing.
   *
   * @param decide called again when somebody else was first; `result` is that of the last call.
   * @throws VALIDATION_FAILED, and what `decide` throws.
   */
  async decide<Result>(stamp: Stamp, decide: (view: Look, atMs: number) => Decision<Result>) {
    let result: Result | undefined;
    await this.#registry.change(stamp, (view, atMs) => {
      const decision = decide(view, atMs);
      result = decision.result;
      return decision.changes;
    });
    return result as Result;
  }

  async #replace<Rec extends Base>(
    resource: Resource<Rec>,
    id: string,
    request: RecordRequest,
    next: (before: Rec, making: ActMaking) => Rec,
  ): Promise<Rec> {
    let after: Rec | undefined;
    await this.#registry.change(request, (view, atMs) => {
      const before = view.find(resource, id);
      if (before === null) throw notFound(resource, id);
      after = next(before, { ...request, view, nowMs: atMs });
      return after === before ? [] : [changed(resource, after)];
    });
    return after as Rec;
  }
}

/** What is answered for a record that is not there, or that the caller may not see (M-4). */
export function notFound({ name: kind }: Resource, id: string) {
  return errors.RECORD_NOT_FOUND({ kind, id });
}
