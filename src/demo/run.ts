/**
 * One run of the demo from an empty data directory to the closing summary.
 *
 * Control plane. Order: accounts and domains through the command line, the service as a child, the
 * past in batches, the present visit by visit; then the books are compared with the statistics.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { monotonicMs, systemClock } from '../base/clock.ts';
import { errors } from '../model/errors.ts';
import type { ServiceChild } from './child.ts';
import { ApiClient, StatisticsReader } from './client.ts';
import { Ledger } from './ledger.ts';
import { Player } from './player.ts';
import { Seeded } from './simulator/seeded.ts';
import { SITES } from './simulator/sites.ts';
import { Traffic } from './simulator/traffic.ts';
import { grouped, Screen } from './view.ts';
import { type Site, Watcher } from './watch.ts';

const EMAIL = 'demo@footfall.example';
/** Connections for hits; statistics have their own, so that neither waits for the other. */
const HIT_CONNECTIONS = 48;
const STATISTICS_CONNECTIONS = 8;
const READING_MS = 1_000;

/** What a person may say about a run. */
export interface DemoOptions {
  /** The present ends after this many seconds; Infinity: when the signal says so. */
  seconds: number;
  seed: number;
  /** Requests a second at the busiest hour. */
  peakPerSecond: number;
  /** Days of past that the dashboards begin with. */
  days: number;
  /** Visits of an average day of the past, all sites together. */
  visitsPerDay: number;
}

/** What a run needs of the service's process. */
export type DemoService = Pick<
  ServiceChild,
  'dataDir' | 'ask' | 'start' | 'isRunning' | 'lastWords'
>;

interface Stage {
  address: string;
  link: string;
  sites: Site[];
  accessKeys: Map<string, string>;
  reader: StatisticsReader;
  hits: ApiClient;
}

/**
 * Runs the demo on a service that has not been started yet. The caller stops the service.
 *
 * @param context.signal ends the present early.
 * @returns true when the statistics say what was acknowledged, for every site.
 */
export async function runDemo(
  service: DemoService,
  options: DemoOptions,
  context: { out: WriteStream; signal: AbortSignal },
): Promise<boolean> {
  const { out, signal } = context;
  out.write(`data in ${service.dataDir}, removed at the end\n`);
  const stage = await setTheStage(service);
  out.write(`the service listens on ${stage.address}\n`);
  out.write(`its dashboard, once you chose a password for ${EMAIL}: ${stage.link}\n`);
  const ledger = new Ledger();
  const random = new Seeded(options.seed);
  const traffic = new Traffic({ sites: SITES, random, peakPerSecond: options.peakPerSecond });
  const player = new Player({ client: stage.hits, ledger, accessKeys: stage.accessKeys });
  await sendPast({ player, traffic, ledger, options, out });
  const end = new AbortController();
  const stop = () => end.abort();
  signal.addEventListener('abort', stop, { once: true });
  const timer = Number.isFinite(options.seconds) ? setTimeout(stop, options.seconds * 1_000) : null;
  const watcher = new Watcher(stage.reader, stage.sites);
  const playing = signal.aborted ? Promise.resolve() : player.playPresent(traffic, end.signal);
  try {
    await watchPresent({ stage, watcher, ledger, out, end, service });
  } finally {
    if (timer !== null) clearTimeout(timer);
    end.abort();
    await playing;
  }
  const isExact = await summarize({ watcher, sites: stage.sites, ledger, options, out });
  stage.hits.close();
  stage.reader.close();
  return isExact;
}

/** One account, the three sites, and the service that serves them. */
async function setTheStage(service: DemoService): Promise<Stage> {
  const account = await service.ask<{ client_id: string; client_secret: string }>(
    ...['account', 'create', '--email', EMAIL],
  );
  const sites: Site[] = [];
  const accessKeys = new Map<string, string>();
  for (const { hostname, timezone } of SITES) {
    const domain = await service.ask<{ id: string; access_key: string }>(
      ...['domain', 'create', '--email', EMAIL, '--hostname', hostname, '--timezone', timezone],
    );
    sites.push({ hostname, timezone, domainId: domain.id });
    accessKeys.set(hostname, domain.access_key);
  }
  const address = await service.start();
  const { link } = await service.ask<{ link: string }>(
    ...['account', 'password', '--email', EMAIL, '--base-url', address],
  );
  const credentials = { clientId: account.client_id, clientSecret: account.client_secret };
  const reader = new StatisticsReader(new ApiClient(address, STATISTICS_CONNECTIONS), credentials);
  const hits = new ApiClient(address, HIT_CONNECTIONS);
  return { address, link, sites, accessKeys, reader, hits };
}

async function sendPast(context: {
  player: Player;
  traffic: Traffic;
  ledger: Ledger;
  options: DemoOptions;
  out: WriteStream;
}): Promise<void> {
  const { player, traffic, ledger, options, out } = context;
  const startMs = monotonicMs();
  const shareSum = SITES.reduce((sum, site) => sum + site.share, 0);
  await Promise.all(
    SITES.map((site) => {
      const visitsPerDay = (options.visitsPerDay * site.share) / shareSum;
      const past = { nowMs: systemClock(), days: options.days, visitsPerDay };
      return player.sendPast(site.hostname, traffic.past(site, past));
    }),
  );
  const seconds = (monotonicMs() - startMs) / 1_000;
  out.write(
    `the last ${options.days} days: ${grouped(ledger.acknowledged)} hits in batches, ` +
      `${seconds.toFixed(1)} s\n`,
  );
}

/** Reads and shows once a second until the end. */
async function watchPresent(context: {
  stage: Pick<Stage, 'address' | 'link'>;
  watcher: Watcher;
  ledger: Ledger;
  out: WriteStream;
  end: AbortController;
  service: DemoService;
}): Promise<void> {
  const { stage, watcher, ledger, out, end, service } = context;
  const screen = new Screen(out);
  const startMs = monotonicMs();
  ledger.beginSeconds();
  try {
    while (!end.signal.aborted) {
      const dueMs = startMs + Math.ceil((monotonicMs() - startMs + 1) / READING_MS) * READING_MS;
      await delay(dueMs - monotonicMs(), undefined, { signal: end.signal }).catch(() => undefined);
      if (!service.isRunning)
        throw errors.DEMO_FAILED({ reason: `the service ended: ${service.lastWords}` });
      const reading = await watcher.read();
      ledger.tick();
      screen.show({
        address: stage.address,
        link: stage.link,
        elapsedSeconds: (monotonicMs() - startMs) / 1_000,
        acknowledged: ledger.acknowledged,
        perSecond: ledger.perSecond,
        latencyMsP50: ledger.latencyMs(0.5),
        latencyMsP99: ledger.latencyMs(0.99),
        troubled: ledger.troubled,
        reading,
      });
    }
  } finally {
    screen.close();
  }
}

/** Compares the books with the statistics and prints both. */
async function summarize(context: {
  watcher: Watcher;
  sites: readonly Site[];
  ledger: Ledger;
  options: DemoOptions;
  out: WriteStream;
}): Promise<boolean> {
  const { watcher, sites, ledger, options, out } = context;
  let isExact = true;
  out.write('\nacknowledged by the service, beside what its statistics say:\n');
  for (const site of sites) {
    const book = ledger.book(site.hostname);
    const counted = await watcher.counted(site, options.days);
    const agrees =
      isWithin(counted.views, book.views, book.uncertain) &&
      isWithin(counted.events, book.events, book.uncertain);
    isExact &&= agrees;
    out.write(
      `  ${site.hostname.padEnd(14)} page views ${grouped(book.views)} / ${grouped(counted.views)}, ` +
        `events ${grouped(book.events)} / ${grouped(counted.events)}, ` +
        `keep-alives ${grouped(book.keepAlives)}, bots ${grouped(book.bots)} (not counted), ` +
        `refused ${book.refused}, unanswered ${book.uncertain}: ${agrees ? 'exact' : 'DIFFERENT'}\n`,
    );
  }
  out.write(
    `${grouped(ledger.acknowledged)} hits acknowledged, ` +
      `collection p50 ${ledger.latencyMs(0.5).toFixed(1)} ms, ` +
      `p99 ${ledger.latencyMs(0.99).toFixed(1)} ms: ` +
      `${isExact ? 'every one is in the statistics' : 'the statistics DIFFER'}\n`,
  );
  return isExact;
}

/** A hit without an answer may have been stored or not. */
function isWithin(counted: number, acknowledged: number, uncertain: number): boolean {
  return counted >= acknowledged && counted <= acknowledged + uncertain;
}
