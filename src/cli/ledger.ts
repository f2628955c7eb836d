/**
 * `footfall ledger`: where everything has gone that the installation was sent (P-31).
 *
 * Control plane. Changes nothing, and may be run beside the service.
 */
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { DROP_REASONS } from '../model/drop-reasons.ts';
import { errors } from '../model/errors.ts';
import type { LedgerDay } from '../model/ledger.ts';
import { DAY_MS } from '../model/limits.ts';
import type { DaySpan } from '../model/usage.ts';
import { DATE_MESSAGE, parseDay } from '../query/question/calendar.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly from?: string;
  readonly to?: string;
}

const DATE_LENGTH = 'yyyy-mm-dd'.length;
const NOTE = 'received = stored + dropped + duplicates; refused requests are beside it.';
const PARTIAL =
  'A node of a cluster: only the shards that are stored here, as of their last save, those included that ' +
  'are elsewhere now. GET /api/v1/ledger is exact for a domain.';

/** Adds the command to the program. */
export function registerLedger(program: Command): void {
  withSharedFlags(program.command('ledger'))
    .description('tell where everything has gone that all sites were sent, by reason')
    .option('--from <date>', 'the first day, UTC (default: the first of this month)')
    .option('--to <date>', 'the last day, UTC (default: today)')
    .action(tellLedger);
}

async function tellLedger(flags: Flags): Promise<void> {
  const { dataDir } = givenSettings({ dataDir: flags.dataDir });
  const span = spanOf(flags);
  // Loaded here: the other commands need none of it.
  const { readInstallationLedger } = await import('../runtime/directory/installation-ledger.ts');
  const { refusedIn } = await import('../runtime/telemetry/refused-requests.ts');
  const { days, isRunning, isWhole } = await readInstallationLedger(dataDir, span);
  const result = {
    ...{ data_dir: dataDir, is_running: isRunning, is_whole: isWhole },
    ...{ from: dateOf(span.fromDay), to: dateOf(span.toDay) },
    ...sumOf(days),
    refused: refusedIn(dataDir, span),
  };
  writeResult(result, { json: flags.json === true, note: isWhole ? NOTE : PARTIAL });
}

/** @throws VALIDATION_FAILED. */
function spanOf({ from, to }: Flags): DaySpan {
  const today = Math.floor(systemClock() / DAY_MS);
  const firstOfMonth = today - new Date(today * DAY_MS).getUTCDate() + 1;
  const validation: Record<string, string> = {};
  const read = (name: string, text: string | undefined, otherwise: number): number => {
    const day = text === undefined ? otherwise : parseDay(text);
    if (day === null) validation[name] = DATE_MESSAGE;
    return day ?? otherwise;
  };
  const last = read('to', to, today);
  const first = read('from', from, Math.min(firstOfMonth, last));
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
  return { fromDay: Math.min(first, last), toDay: Math.max(first, last) };
}

function sumOf(days: readonly LedgerDay[]) {
  const stored = { page_views: 0, events: 0, keep_alives: 0 };
  const dropped: Record<string, number> = {};
  let received = 0;
  let openings = 0;
  for (const day of days) {
    stored.page_views += day.pageViews;
    stored.events += day.events;
    stored.keep_alives += day.keepAlives;
    openings += day.openings;
    received += day.pageViews + day.events + day.keepAlives;
    for (const [reason, , count] of day.dropped) {
      const text = DROP_REASONS[reason] as string;
      dropped[text] = (dropped[text] ?? 0) + count;
      received += count;
    }
  }
  const { duplicate: duplicates = 0, ...others } = dropped;
  return { received, stored, opening_events: openings, dropped: others, duplicates };
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, DATE_LENGTH);
}
