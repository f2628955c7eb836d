/**
 * A data directory full of visits without the hours of sending them: what the actor would have made
 * of them, and a registry with their domain.
 *
 * Control plane. The hits go through the codec of the log and the actor itself, whose clock is the
 * time of the hits; only edge and log are left out. The log that remains is the one of a service
 * whose every record is saved: a file without a record, whose name carries the position on.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileHead } from '../../../src/bus/local/file-format.ts';
import { logFileName } from '../../../src/bus/local/recovery.ts';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import { createFirstAccount } from '../../../src/control/accounts.ts';
import { Registry } from '../../../src/control/registry/registry.ts';
import { DAY_MS, HOUR_MS } from '../../../src/model/limits.ts';
import { bindLog } from '../../../src/runtime/directory/data-layout.ts';
import { SETTINGS } from '../../../src/settings/schema.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { shardOf } from '../../../src/shard/state/placement.ts';
import { Visits } from './visits.ts';

const HOSTNAME = 'example.org';
const EMAIL = 'bench@footfall.example';
/** Beside the service's own files, which it does not touch. */
const DESCRIPTION = 'filled.json';
const RECORD_HITS = 1_000;
/** How often the actor looks what is due, in its own time. */
const TICK_MS = 6 * HOUR_MS;
/** Long enough for the actor to let a day go that is over. */
const QUIET_MS = 12 * HOUR_MS;

/** What is in the directory, and how to ask for it. */
export interface FilledDirectory {
  domainId: string;
  shard: number;
  /** Account-level. */
  clientId: string;
  clientSecret: string;
  /** UTC dates, both included. */
  from: string;
  to: string;
  hits: number;
}

/**
 * Fills a new data directory. Nothing else may use it meanwhile.
 *
 * @param options.lastDay days since the epoch; the last one with visits.
 * @param options.isWide half of all texts are new ones.
 * @param options.tell called after each day.
 */
export async function fillDirectory(
  dataDir: string,
  options: {
    seed: number;
    views: number;
    days: number;
    lastDay: number;
    isWide?: boolean;
    tell?: (day: number) => void;
  },
): Promise<FilledDirectory> {
  const { seed, views, days, lastDay, isWide = false } = options;
  const firstDay = lastDay - days + 1;
  mkdirSync(dataDir, { recursive: true });
  const made = await createDomain(dataDir, firstDay * DAY_MS);
  const shards = SETTINGS.shards.fallback;
  bindLog(dataDir, shards, { kind: 'local' });
  const shard = shardOf(made.domainId, shards);
  const writer = new Writer(dataDir, made.domainId, shard);
  const visits = new Visits({
    ...{ seed, firstDay, viewsPerDay: views / days },
    ...{ hostname: HOSTNAME, isWide },
  });
  for (let day = firstDay; day <= lastDay; day++) {
    writer.day(day, visits.day(day));
    options.tell?.(day);
  }
  const hits = await writer.close((lastDay + 1) * DAY_MS);
  const filled = { ...made, shard, from: isoDate(firstDay), to: isoDate(lastDay), hits };
  writeFileSync(join(dataDir, DESCRIPTION), JSON.stringify(filled, null, 2));
  return filled;
}

/** What is in a directory that `fillDirectory` made earlier. */
export function describeFilled(dataDir: string): FilledDirectory {
  return JSON.parse(readFileSync(join(dataDir, DESCRIPTION), 'utf8')) as FilledDirectory;
}

async function createDomain(dataDir: string, nowMs: number) {
  const registry = Registry.open(dataDir, nowMs);
  const made = await createFirstAccount(registry, { email: EMAIL, hostname: HOSTNAME }, nowMs);
  await registry.close();
  if (made === null) throw new Error(`${dataDir} has an account already: give an empty directory`);
  const { clientId, clientSecret } = made.account;
  return { domainId: made.domain.domain.id, clientId, clientSecret };
}

/** The actor with the hits of one domain. */
class Writer {
  readonly #dataDir: string;
  readonly #actor: Actor;
  readonly #place: { domainId: string; shard: number };
  #sequence = 0;
  #hits = 0;

  constructor(dataDir: string, domainId: string, shard: number) {
    this.#dataDir = dataDir;
    this.#place = { domainId, shard };
    this.#actor = new Actor({
      dataDir,
      shards: [shard],
      leases: LeaseTable.alone(shard + 1),
      reply: () => {},
      onFault: (error) => {
        throw error;
      },
    });
  }

  day(day: number, hits: ReturnType<Visits['day']>): void {
    let tickMs = day * DAY_MS;
    for (let first = 0; first < hits.length; first += RECORD_HITS) {
      const some = hits.slice(first, first + RECORD_HITS);
      const nowMs = some.at(-1)!.timeMs;
      this.#actor.onRecords([this.#record(some, nowMs)], nowMs);
      if (nowMs < tickMs) continue;
      this.#actor.tick(nowMs);
      tickMs = nowMs + TICK_MS;
    }
    this.#hits += hits.length;
  }

  /** @returns how many hits were written. */
  async close(endMs: number): Promise<number> {
    this.#actor.tick(endMs + QUIET_MS);
    await this.#actor.close();
    const logDir = join(this.#dataDir, 'log');
    mkdirSync(logDir, { recursive: true });
    const firstSequence = this.#sequence + 1;
    const head = fileHead({ salt: 0, isSynced: true, firstSequence });
    writeFileSync(join(logDir, logFileName(firstSequence)), head);
    return this.#hits;
  }

  #record(hits: ReturnType<Visits['day']>, receivedMs: number): LogRecord {
    const { domainId, shard } = this.#place;
    const head = { domainId, receivedMs, idempotencyHash: '', dropped: null };
    return { shard, sequence: ++this.#sequence, payload: encodeGroups([{ ...head, hits }]) };
  }
}

function isoDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
