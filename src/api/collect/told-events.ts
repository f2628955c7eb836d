/**
 * What the events of a batch come to once each is written down for each of its webhooks (O-2): a body of
 * 8 MiB for five hundred of them would be gigabytes.
 *
 * Data plane. It goes by what stands in the hits, so by the very webhooks that the record will name:
 * one that is made meanwhile changes nothing. Nothing of the batch is stored before all of it fits.
 */
import { errors } from '../../model/errors.ts';
import type { Hit } from '../../model/hit.ts';
import { webhookCount } from '../../model/outbox.ts';
import {
  BATCH_ENTRY_BYTES_MAX,
  BATCH_ENTRY_COUNT_MAX,
  ENTRY_BYTES,
} from '../../model/outgoing-limits.ts';

/** The events of one batch that are told to webhooks. */
export class ToldEvents {
  #entries = 0;
  #bytes = 0;

  /**
   * Counts an event. The first is never too much: alone it would be taken as well.
   *
   * @param place how many items of the batch are before it, in order of time.
   * @throws VALIDATION_FAILED when with it the batch makes too many entries: those before it fit.
   */
  add(hit: Hit, place: number): void {
    const webhooks = webhookCount(hit.webhooks);
    const isFirst = this.#entries === 0;
    this.#entries += webhooks;
    this.#bytes += webhooks * (ENTRY_BYTES + sentLength(hit));
    const fits = this.#entries <= BATCH_ENTRY_COUNT_MAX && this.#bytes <= BATCH_ENTRY_BYTES_MAX;
    if (isFirst || fits) return;
    const body =
      `makes more than ${BATCH_ENTRY_COUNT_MAX} messages to webhooks, or ` +
      `${BATCH_ENTRY_BYTES_MAX} bytes of them: of its items, in order of time, the first ${place} fit`;
    throw errors.VALIDATION_FAILED({ validation: { body } });
  }
}

/** Of what a webhook is told of the event. */
function sentLength({ hostname, path, title, eventName, pairs, sentTags }: Hit): number {
  let length = hostname.length + path.length + title.length + eventName.length + sentTags.length;
  if (pairs !== null) for (let at = 0; at < pairs.length; at++) length += pairs[at]!.length;
  return length;
}
