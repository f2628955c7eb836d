/**
 * A domain split over several lanes by visitor, as the log says it (DECISIONS 33). Plain data.
 *
 * A visitor of a split domain belongs to a lane by a class that a hit carries, the same on all days.
 * Each change of the number of lanes begins a generation. What a generation stored stays as it was: the
 * next one copies a visitor when it is seen again, and says that the old copy does not count.
 *
 *     generation    0         1                 2
 *     holders       D         D/1.0 … D/1.3     D/2.0
 */

/** One change of the number of lanes. */
export interface Split {
  readonly domainId: string;
  /** Number of lanes by generation, from the first on; the last is the one that begins. */
  readonly lanes: readonly number[];
}

/** Lanes that a domain may be split over. */
export const LANE_COUNT_MAX = 16;

/** Generations of a domain, the first included: every question looks into what all of them stored. */
export const GENERATION_COUNT_MAX = 64;

/** Classes of visitors; a class is a byte. */
export const VISITOR_CLASS_COUNT = 256;

// No id of a domain has such a character.
const SEPARATOR = '\u0001';

/** Name under which a lane of a generation keeps its part of a domain; that of generation 0 is the domain's. */
export function holderId(domainId: string, generation: number, lane: number): string {
  return generation === 0 ? domainId : `${domainId}${SEPARATOR}${generation}.${lane}`;
}

/** The domain of a holder. */
export function domainOfHolder(holder: string): string {
  const end = holder.indexOf(SEPARATOR);
  return end < 0 ? holder : holder.slice(0, end);
}

/** Names of all holders of a domain, those of the newest generation last. */
export function holdersOf(domainId: string, lanes: readonly number[]): string[] {
  return lanes.flatMap((count, generation) =>
    Array.from({ length: count }, (_, lane) => holderId(domainId, generation, lane)),
  );
}

/** Lane of a visitor among `count`. */
export function laneOf(visitorClass: number, count: number): number {
  return visitorClass % count;
}
