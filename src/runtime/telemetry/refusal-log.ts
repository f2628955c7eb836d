/** Says how many requests were refused, once a minute while there are any. Control plane. */

import type { HitWriter } from '../../bus/log/hit-writer.ts';
import { MINUTE_MS } from '../../model/limits.ts';
import type { Log } from '../../model/log.ts';

/** Tells from now on. @returns what tells for the last time and ends it. */
export function tellRefusals(writer: HitWriter, log: Log): () => void {
  const tell = () => {
    const refused = Object.fromEntries(writer.takeRefused());
    if (Object.keys(refused).length > 0) log.tell('requests.refused', { refused });
  };
  const timer = setInterval(tell, MINUTE_MS).unref();
  return () => {
    clearInterval(timer);
    tell();
  };
}
