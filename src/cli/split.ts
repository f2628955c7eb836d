/**
 * `footfall domain split` and `footfall domain merge`: over how many lanes a site's visitors are spread.
 *
 * Control plane. Written to the registry like any change; the running service carries it out when its
 * time has come (`runtime/split-announcer.ts`).
 */
import type { Command } from 'commander';
import { parseHitTime } from '../api/hit-time.ts';
import { type SplitPlan, type SplitWish, splitDomain } from '../control/splits.ts';
import { errors } from '../model/errors.ts';
import { DAY_MS, SESSION_GAP_MS } from '../model/limits.ts';
import { type SharedFlags, withRegistry, withSharedFlags, writeResult } from './output.ts';

interface SplitFlags extends SharedFlags {
  readonly id: string;
  readonly lanes: string;
  readonly at?: string;
}

interface MergeFlags extends SharedFlags {
  readonly id: string;
  readonly now?: boolean;
}

/** Adds the commands to those of `footfall domain`. */
export function registerSplits(domain: Command): void {
  withSharedFlags(domain.command('split'))
    .description('spread the visitors of a very large site over several threads of its node')
    .requiredOption('--id <id>', 'the site: its id, or its hostname if no other site has it')
    .requiredOption('--lanes <count>', 'how many threads count its visitors, 1 to 16')
    .option('--at <instant>', 'when, such as 2026-11-21T00:30:00Z (default: now)')
    .action(split);
  withSharedFlags(domain.command('merge'))
    .description('bring a site that was split into one piece again')
    .requiredOption('--id <id>', 'the site: its id, or its hostname if no other site has it')
    .option('--now', 'at once (default: at the end of the UTC day, at 00:30)')
    .action(merge);
}

function split({ id, lanes, at, ...flags }: SplitFlags): Promise<void> {
  // '' and ' ' would be 0 to `Number`, which is out of bounds as well.
  return change(flags, (nowMs) => ({
    ...{ domain: id, lanes: Number(lanes) },
    fromMs: at === undefined || at === 'now' ? null : readInstant(at, nowMs),
  }));
}

function merge({ id, now, ...flags }: MergeFlags): Promise<void> {
  return change(flags, (nowMs) => ({
    ...{ domain: id, lanes: 1, fromMs: now === true ? null : endOfDayMs(nowMs) },
  }));
}

async function change(flags: SharedFlags, wishAt: (nowMs: number) => SplitWish): Promise<void> {
  const plan = await withRegistry(flags, (registry, nowMs) =>
    splitDomain(registry, wishAt(nowMs), nowMs),
  );
  const { domain, lanes, fromMs } = plan;
  const from = new Date(fromMs).toISOString();
  const result = { id: domain.id, hostname: domain.hostname, lanes, from };
  writeResult(result, { json: flags.json === true, note: noteOf(plan) });
}

function noteOf({ isWithdrawal, lanes }: SplitPlan): string {
  if (isWithdrawal) return 'The change that was planned is withdrawn; nothing else changes.';
  const what = lanes === 1 ? 'it is in one piece' : `its visitors are counted in ${lanes} lanes`;
  const how = 'A running service need not be restarted; every node must run this version.';
  return `From then on ${what}. ${how}`;
}

/** When nobody's session of the day before can come under its old id any more (I-46). */
function endOfDayMs(nowMs: number): number {
  const todaysMs = Math.floor(nowMs / DAY_MS) * DAY_MS + SESSION_GAP_MS;
  return todaysMs > nowMs ? todaysMs : todaysMs + DAY_MS;
}

function readInstant(text: string, nowMs: number): number {
  const atMs = parseHitTime(text);
  if (atMs > nowMs) return atMs;
  const example = new Date(endOfDayMs(nowMs)).toISOString();
  const at = Number.isNaN(atMs) ? `must be an instant such as ${example}` : 'must not be over yet';
  throw errors.VALIDATION_FAILED({ validation: { at } });
}
