/** What becomes of a webhook that fails too often in a row. Pure. */
import { changed } from './descriptor/draft.ts';
import type { Change, Look } from './descriptor/resource.ts';
import { inactiveWebhookWanted } from './people/mails.ts';
import { webhook } from './resources/webhook.ts';

/**
 * Sets it inactive and writes down that its Owner is told: one record of the registry, so neither is
 * without the other.
 *
 * @param fault what the receiver answered last.
 * @returns nothing when it is inactive already, or gone.
 */
export function webhookFailed(
  id: string,
  fault: string,
  { view, nowMs }: { readonly view: Look; readonly nowMs: number },
): Change[] {
  const before = view.find(webhook, id);
  if (before === null || !before.active) return [];
  const rested = { ...before, active: false, modifiedMs: nowMs };
  return [changed(webhook, rested), ...inactiveWebhookWanted(rested, fault, { view, nowMs })];
}
