/** Days of a domain as they are on disk, read one by one for an export. */

import type { DomainId } from '../../model/ids.ts';
import { openForReading, refreshSegment } from '../../segment/disk/persistence.ts';
import { readHeader, readHeaders } from '../../segment/disk/segment-header.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';

const ALL = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER - 1 };

/** Days that are on disk, in order. */
export function storedDays(environment: StateEnvironment, domainId: DomainId): number[] {
  return [...readHeaders(environment, domainId, ALL)].map(({ day }) => day);
}

/** A day; its columns are decoded when they are asked for. @returns null: it is not there. */
export function storedSegment(
  environment: StateEnvironment,
  domainId: DomainId,
  day: number,
): Segment | null {
  const header = readHeader(environment, domainId, day);
  if (header === null) return null;
  const stored = openForReading(environment, domainId, day, header);
  refreshSegment(environment, stored, header);
  return stored.segment;
}
