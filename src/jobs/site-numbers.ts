/**
 * The numbers of a domain for what goes out: reports, spikes, goals. They are those of the API,
 * because the same questions go the same way: read by `control/site-questions.ts`, answered from
 * one state of the domain by whichever node owns its shard (D-14, A-64).
 *
 * Control plane.
 */
import type { Look } from '../control/descriptor/resource.ts';
import type { Domain } from '../control/resources/domain.ts';
import { type SiteQuestion, siteQuestion } from '../control/site-questions.ts';
import { errors } from '../model/errors.ts';
import { asDomainId, type DomainId } from '../model/ids.ts';
import type { BatchEntry } from '../query/question/batch.ts';

/** Where statistics are computed (`runtime/query/query-door.ts` has this shape). */
export interface NumbersDoor {
  /** As `POST /api/v1/statistics/batch` answers it: JSON bytes. */
  batch(domainId: DomainId, entries: readonly BatchEntry[]): Promise<Uint8Array>;
}

/** Asks about domains. */
export interface SiteNumbers {
  /**
   * Several numbers of one moment.
   *
   * @param nowMs "today" of the questions.
   * @returns the answers in order, each as the GET of its name answers it. Rejects when any question is
   *   refused or nobody can answer now: whoever asks tries again later.
   */
  ask(site: Domain, questions: readonly SiteQuestion[], nowMs: number): Promise<unknown[]>;
}

/** The numbers of every domain of a registry. */
export function siteNumbers(door: NumbersDoor, registry: { readonly view: Look }): SiteNumbers {
  return {
    async ask(site, questions, nowMs) {
      const { view } = registry;
      const entries = questions.map((one) => siteQuestion(one, site, { view, nowMs }));
      const bytes = await door.batch(asDomainId(site.id), entries);
      const { results } = JSON.parse(Buffer.from(bytes).toString()) as { results: unknown[] };
      for (const [index, answer] of results.entries()) {
        const fault = faultIn(answer);
        if (fault === null) continue;
        throw errors.NUMBERS_MISSING({ name: String(questions[index]?.name), fault });
      }
      return results;
    },
  };
}

/** Of an error in the place of an answer what it says; null: it is an answer. */
function faultIn(answer: unknown): string | null {
  const told = answer as { validation?: Record<string, string>; error?: string[] } | null;
  if (!Array.isArray(told?.error) || told.validation === undefined) return null;
  const fields = Object.entries(told.validation).map(([name, text]) => `${name} ${text}`);
  return [...told.error, ...fields].join('; ');
}
