/**
 * The keys of the days (P-22) of a node: their file, the other nodes, and the edges that use them.
 *
 * Control plane, on the main thread. With fixed keys there is nothing but what an earlier start has
 * left, which is destroyed.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import { setSharedInterval } from '../../base/shared-interval.ts';
import { natsAccess } from '../../bus/nats/driver.ts';
import { SharedDayKeys } from '../../ingest/visitor/day-keys.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../model/limits.ts';
import type { Log } from '../../model/log.ts';
import { metrics } from '../../model/metrics.ts';
import type { Settings } from '../../settings/schema.ts';
import { DayKeyFile, destroyDayKeys } from '../../store/day-key-file.ts';
import { type CommonKeys, commonKeys } from './agreed-keys.ts';
import { KeyKeeper } from './key-keeper.ts';

const LOOK_MS = SECOND_MS;
/** Where nodes share them, behind the prefix. */
const BUCKET = 'visitor-keys';
/** How long an answer of the servers is waited for. */
const ANSWER_MS = SECOND_MS;
/** Nodes write what they share once a day; where none runs any more the servers forget it soon after. */
const FORGET_MS = DAY_MS + HOUR_MS;

/** What an edge is started with. */
export interface VisitorKeysLink {
  /** null: the installation's key is that of every day. */
  readonly dayKeys: SharedDayKeys['memory'] | null;
  /** Says that keys came or went. */
  readonly dayKeysPort: MessagePort | null;
}

/** Opened keys of the days. */
interface OpenKeys {
  readonly memory: SharedDayKeys;
  readonly keeper: KeyKeeper;
  readonly file: DayKeyFile;
  readonly common: CommonKeys | null;
}

/** The keys of a node, and the edges that have them. */
export class NodeVisitorKeys {
  readonly #open: OpenKeys | null;
  readonly #ports: MessagePort[];
  readonly #endLooks: (() => void) | null;

  private constructor(open: OpenKeys | null, ports: MessagePort[]) {
    this.#open = open;
    this.#ports = ports;
    this.#endLooks = open && setSharedInterval(() => void this.#look(open.keeper), LOOK_MS);
    if (open !== null) setGauges(open.keeper);
  }

  /**
   * Opens them by the settings: today, the two days before and the two to come have keys then.
   *
   * @throws DATA_DIR_UNUSABLE; in a cluster LOG_UNAVAILABLE, NATS_UNREACHABLE, NATS_REFUSED.
   */
  static async open(settings: Settings, log: Log): Promise<NodeVisitorKeys> {
    if (settings.visitorKeys === 'fixed') {
      destroyFound(settings, log);
      return new NodeVisitorKeys(null, []);
    }
    const ports: MessagePort[] = [];
    const common = settings.natsServers.length === 0 ? null : await openCommon(settings);
    try {
      return new NodeVisitorKeys(await openKeys(settings, log, { common, ports }), ports);
    } catch (error) {
      await common?.close();
      if (error instanceof OperatingError) throw error;
      throw unusable(settings, error);
    }
  }

  /** What one more edge needs; its port moves there. */
  link(): VisitorKeysLink {
    if (this.#open === null) return { dayKeys: null, dayKeysPort: null };
    const { port1, port2 } = new MessageChannel();
    port1.unref();
    this.#ports.push(port1);
    return { dayKeys: this.#open.memory.memory, dayKeysPort: port2 };
  }

  /** Overwrites them in memory; no edge takes hits any more. */
  async close(): Promise<void> {
    if (this.#open === null) return;
    const { keeper, file, common } = this.#open;
    this.#endLooks?.();
    keeper.close();
    await common?.close();
    file.close();
  }

  async #look(keeper: KeyKeeper): Promise<void> {
    await keeper.look();
    setGauges(keeper);
  }
}

async function openKeys(
  settings: Settings,
  log: Log,
  { common, ports }: { common: CommonKeys | null; ports: readonly MessagePort[] },
): Promise<OpenKeys> {
  const file = new DayKeyFile(settings.dataDir);
  try {
    const { damagedCount: count } = file;
    if (count > 0) log.tell('visitor-keys.damaged', { count });
    const memory = SharedDayKeys.create();
    const keeper = new KeyKeeper({
      ...{ file, memory, common, nowMs: systemClock, monotonicMs },
      onChange() {
        for (const port of ports) port.postMessage(null);
      },
      tell: (what, days) => tellDays(log, what, days),
      onFault: (error) => log.tell('visitor-keys.failed', { err: error }),
      onApart: (error) => log.tell('visitor-keys.apart', { err: error }),
    });
    await keeper.open();
    return { memory, keeper, file, common };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Loaded only here: without NATS nobody needs its client. */
async function openCommon(settings: Settings): Promise<CommonKeys> {
  const { NatsPeer } = await import('../../bus/nats/peer.ts');
  const { jetStreamError } = await import('../../bus/nats/streams.ts');
  const { host, port, natsPrefix: prefix, natsReplicas: replicas } = settings;
  const name = `footfall ${host}:${port}, keys of days`;
  const peer = await NatsPeer.open(natsAccess(settings), { prefix, node: 'visitor-keys', name });
  const options = { replicas, timeoutMs: ANSWER_MS, forgetMs: FORGET_MS };
  const open = () => {
    return peer.documents(BUCKET, options).catch((cause: unknown) => {
      throw jetStreamError(`${prefix}_${BUCKET} (in memory)`, cause);
    });
  };
  return commonKeys(open, () => peer.close());
}

function destroyFound(settings: Settings, log: Log): void {
  try {
    const days = [...destroyDayKeys(settings.dataDir)];
    if (days.length > 0) tellDays(log, 'destroyed', days);
  } catch (error) {
    throw unusable(settings, error);
  }
}

function tellDays(
  log: Log,
  what: 'made' | 'destroyed' | 'replaced',
  dayIndexes: readonly number[],
): void {
  const days = dayIndexes.map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
  if (what === 'made') {
    metrics.dayKeys.add(days.length, 0);
    log.tell('visitor-keys.made', { days });
  } else if (what === 'destroyed') {
    metrics.dayKeys.add(days.length, 1);
    log.tell('visitor-keys.destroyed', { days });
  } else log.tell('visitor-keys.replaced', { days });
}

function setGauges(keeper: KeyKeeper): void {
  metrics.dayKeysHeld.set(keeper.heldCount);
  metrics.dayKeysOverdue.set(keeper.overdueCount);
}

function unusable({ dataDir }: Settings, cause: unknown): OperatingError {
  const reason = `the keys of the days: ${(cause as Error).message}`;
  return errors.DATA_DIR_UNUSABLE({ dataDir, reason }, cause);
}
