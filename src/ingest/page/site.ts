/**
 * What the pipeline knows of the domain a hit belongs to; the edge keeps one per domain.
 */

/** A domain as ingestion sees it. */
export interface Site {
  readonly domainId: string;
  /** Normalised by I-4 (`normalizeHostname`), as are the alternatives. */
  readonly hostname: string;
  /** May hold `*` (I-5). */
  readonly alternativeHostnames: readonly string[];
}
