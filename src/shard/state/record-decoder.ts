/**
 * Unpacks records; one that was looked at ahead of its turn is not unpacked twice.
 *
 * Data plane, per record. What was unpacked last shares its texts with the thread's text table
 * (`bus/record/text-table.ts`), so a record that was looked at has to be applied before any other is
 * unpacked.
 */

import { decodeGroups } from '../../bus/record/codec.ts';
import type { DecodedRecord } from '../../bus/record/decoded-record.ts';

/** One per shard. */
export class RecordDecoder {
  #ahead: { payload: Uint8Array; record: DecodedRecord } | null = null;

  /** The hits of a payload. */
  decode(payload: Uint8Array): DecodedRecord {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead?.payload === payload) return ahead.record;
    return decodeGroups(payload);
  }

  /** Unpacks the hits of a payload, which is to be applied before any other is unpacked. */
  decodeAhead(payload: Uint8Array): DecodedRecord {
    const record = this.decode(payload);
    this.#ahead = { payload, record };
    return record;
  }

  /** The payload that was looked at comes later: by then others were unpacked. */
  forget(): void {
    this.#ahead = null;
  }
}
