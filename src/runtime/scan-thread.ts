/**
 * A query thread: reads a domain's segments from a snapshot and answers in JSON bytes.
 *
 * Data plane inside `runStatistics`; here only the way in and out.
 */

import { OperatingError, sendError } from '../model/errors.ts';
import { spanOf } from '../query/request.ts';
import { runStatistics } from '../query/run.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import type { ScanResult, ScanTask, ScanThreadData } from './scan-pool.ts';

const encoder = new TextEncoder();

/** Makes the function that a query thread runs for every task. */
export function openScanThread(data: ScanThreadData): (task: ScanTask) => ScanResult {
  const reader = new SegmentReader(data.dataDir, data.segmentCacheBytes);
  return ({ shard, query }) => {
    try {
      const request = { shard, domainId: query.domainId, ...spanOf(query) };
      const answer = runStatistics(query, reader.read(request));
      return { bytes: encoder.encode(JSON.stringify(answer)), error: null };
    } catch (error) {
      if (error instanceof OperatingError) return { bytes: null, error: sendError(error) };
      throw error;
    }
  };
}
