/**
 * The thread of what a node does by itself: the jobs of `jobs/job-table.ts`, and sending what is due
 * outwards (O-2). Beside edges and actors, so that nobody who is slow out there holds a hit up.
 *
 * Control plane around `jobs/` and `delivery/`.
 */
import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { randomShare } from '../../base/random.ts';
import { LogLinkAppender } from '../../bus/log/appender.ts';
import { HitWriter } from '../../bus/log/hit-writer.ts';
import type { LogEdgeLink } from '../../bus/log/links.ts';
import { answerCalls } from '../../bus/request-reply.ts';
import { Registry } from '../../control/registry/registry.ts';
import { RegistrySignal } from '../../control/registry/registry-signal.ts';
import { type Webhook, webhook } from '../../control/resources/webhook.ts';
import { webhookFailed } from '../../control/webhooks.ts';
import { HttpSender } from '../../delivery/http/http-sender.ts';
import { mailDoor } from '../../delivery/mail/mail-door.ts';
import { sampleOf } from '../../delivery/webhooks/sample.ts';
import { signedRequest } from '../../delivery/webhooks/standard-webhook.ts';
import { TestTurns } from '../../delivery/webhooks/test-turns.ts';
import { WebhookSender } from '../../delivery/webhooks/webhook-sender.ts';
import { exportsPlace } from '../../exports/offered.ts';
import type { JobContext } from '../../jobs/job.ts';
import { JobRunner, mayRun } from '../../jobs/job-runner.ts';
import { JOBS } from '../../jobs/job-table.ts';
import { MailQueue } from '../../jobs/mail-queue.ts';
import { type SiteNumbers, siteNumbers } from '../../jobs/site-numbers.ts';
import { type AskCrowds, crowdsAmong, domainsBefore, lastHitsOf } from '../../jobs/site-pulse.ts';
import { errors } from '../../model/errors.ts';
import { BEGINNING, type DomainId, NO_LEASE, type ShardId } from '../../model/ids.ts';
import { type Log, openLog } from '../../model/log.ts';
import type { AttemptOutcome } from '../../model/outbox.ts';
import { packageVersion } from '../../settings/package-root.ts';
import { hostsOf, publicUrl } from '../../settings/public-url.ts';
import type { Settings } from '../../settings/schema.ts';
import { ActorClient } from '../../shard/actor/actor-client.ts';
import { LeaseTable } from '../../shard/state/lease-table.ts';
import { shardOf } from '../../shard/state/placement.ts';
import { offerFiles } from '../exports/remote-files.ts';
import { runExport } from '../exports/run-export.ts';
import { PortAppender } from '../node-registry.ts';
import { QueryDoor } from '../query/query-door.ts';
import { ClusterStatus } from '../telemetry/cluster-status.ts';
import { JobBoard, readJobBoard } from '../telemetry/job-board.ts';
import { watchThread } from '../telemetry/thread-metrics.ts';
import { readApart } from './watched-reader.ts';

/** What is under way when the service stops has this long to be answered. */
const STOP_GRACE_MS = 1_000;

/** What the thread is started with. */
export interface JobsThreadData {
  settings: Settings;
  /** By actor: what is asked of them. */
  actorPorts: readonly MessagePort[];
  /** By actor: which shards have something new. */
  newsPorts: readonly MessagePort[];
  /** By edge: what they want sent at once. */
  edgePorts: readonly MessagePort[];
  leases: LeaseTable['memory'];
  /** Shards of the data directory. */
  shards: number;
  /**
   * Memory of the `ClusterStatus`; null when the log is on this machine. In a cluster questions go to
   * the main thread, which knows who owns what.
   */
  cluster: ClusterStatus['memory'] | null;
  /** As edges have them. */
  log: LogEdgeLink;
  scanPort: MessagePort;
  registryPort: MessagePort | null;
  registrySignal: RegistrySignal['memory'];
}

/** What an edge may ask: a sample is sent to a webhook, and what came of it is answered. */
export interface JobsCall {
  readonly kind: 'webhook-test';
  readonly webhookId: string;
}

/** What the main thread tells it. */
export type JobsCommand = 'log-lost' | 'stop';

/** A running thread. */
export interface JobsThread {
  /** Takes a command; resolves when it is carried out. */
  command(command: JobsCommand): Promise<void>;
}

/** Begins to send. */
export async function openJobsThread(data: JobsThreadData): Promise<JobsThread> {
  const { settings, actorPorts, newsPorts, edgePorts } = data;
  watchThread('jobs', 0);
  const { logLevel: level, logFormat: format } = settings;
  const log = openLog({ level, format, thread: 'jobs' });
  const changes = data.registryPort === null ? null : new PortAppender(data.registryPort);
  const registry = await openRegistry(data, changes);
  const http = new HttpSender({ allowsPrivate: settings.outboundPrivate === 'on' });
  const actors = new ActorClient(actorPorts);
  const appender = new LogLinkAppender(data.log);
  const queries = openQueries(data, actors, appender);
  const numbers = siteNumbers(queries, registry);
  const send = senderOf(http);
  const sender = openSender(data, { registry, actors, send, log });
  for (const port of newsPorts) port.on('message', (shard: ShardId) => sender.onNews(shard));
  const mails = openMails(data, { registry, numbers, log });
  const endOffer = await offerExports(data, log);
  const jobs = openJobs(data, { registry, numbers, queries, actors, appender, log });
  const tests = new TestTurns();
  const answer = (call: JobsCall) => sendSample(call, { registry, tests, send });
  const onFault = (error: unknown) => log.tell('webhook.test-failed', { err: error });
  for (const port of edgePorts) answerCalls(port, answer, onFault);
  return {
    async command(command) {
      if (command === 'log-lost') {
        appender.abandon();
        return;
      }
      for (const port of newsPorts) port.close();
      await endOffer();
      await jobs.stop();
      await Promise.all([sender.stop(STOP_GRACE_MS, () => http.close()), mails.stop()]);
      http.close();
      for (const port of edgePorts) port.close();
      queries.close();
      actors.close();
      appender.close();
      await registry.close();
      changes?.close();
    },
  };
}

/** The other nodes fetch what was exported here. @returns what ends it. */
function offerExports(
  { settings, cluster }: JobsThreadData,
  log: Log,
): Promise<() => Promise<void>> {
  if (cluster === null) return Promise.resolve(async () => undefined);
  const onFault = (error: unknown) => log.tell('export.file-not-read', { err: error });
  return offerFiles(settings, exportsPlace(settings.dataDir), onFault);
}

type Send = (to: Webhook, entry: { id: string; body: string }) => Promise<AttemptOutcome>;

/** The time of an attempt is that of its signature. */
function senderOf(http: HttpSender): Send {
  const userAgent = `Footfall/${packageVersion()}`;
  return (to, entry) => http.post(signedRequest(to, entry, { nowMs: systemClock(), userAgent }));
}

function openSender(
  data: JobsThreadData,
  of: { registry: Registry; actors: ActorClient; send: Send; log: Log },
): WebhookSender {
  const { registry, actors, send, log } = of;
  const leases = new LeaseTable(data.leases);
  const find = (id: string) => {
    registry.keepUp();
    return registry.view.find(webhook, id);
  };
  return new WebhookSender({
    ask: (shard, call) => actors.ask({ ...call, shard, sequence: BEGINNING }),
    epochOf: (shard) => leases.epochOf(shard),
    find,
    async isGone(id) {
      await registry.lookAgain();
      return find(id) === null;
    },
    async deactivate({ id, endpoint, domainId }, fault) {
      const stamp = { nowMs: systemClock(), by: { kind: 'node', id: '' } } as const;
      await registry.change(stamp, (view, nowMs) => webhookFailed(id, fault, { view, nowMs }));
      log.tell('webhook.inactive', { webhook: id, site: domainId, endpoint });
    },
    send,
    nowMs: systemClock,
    random: randomShare,
    onShed: (what) => log.tell('webhook.shed', what),
    onFault: (error) => log.tell('webhook.failed', { err: error }),
  });
}

/** The table, and how it goes for `footfall jobs`. */
function openJobs(
  { settings, leases: memory, shards, cluster }: JobsThreadData,
  of: Pick<JobContext, 'numbers'> & {
    registry: Registry;
    queries: QueryDoor;
    actors: ActorClient;
    appender: LogLinkAppender;
    log: Log;
  },
): { stop(): Promise<void> } {
  const { registry, numbers, queries, actors, appender, log } = of;
  const leases = new LeaseTable(memory);
  const shardOfSite = (domainId: DomainId) => shardOf(domainId, shards);
  const writer = new HitWriter(appender, shardOfSite);
  const epochOf = (shard: ShardId) => leases.epochOf(shard);
  const status = cluster && new ClusterStatus(cluster);
  // A look may be a moment behind the log: the next one is not far.
  const askCrowds: AskCrowds = async (shard, looks) =>
    (await actors.ask({ kind: 'crowds', shard, looks, sequence: BEGINNING })) as DomainId[];
  const context: JobContext = {
    ...{ registry, numbers, nowMs: systemClock },
    owns: (domainId) => epochOf(shardOfSite(domainId)) !== NO_LEASE,
    crowds: (looks) => crowdsAmong(looks, askCrowds, shardOfSite),
    lastHits: (domainIds) => lastHitsOf(domainIds, queries),
    haveBefore: (firsts) => domainsBefore(firsts, queries),
    retentionDays: settings.retentionDays,
    settledMs: () => status?.settledMs() ?? Number.POSITIVE_INFINITY,
    submitErasure: (erasure, done) => writer.submitErasure(erasure, done),
    imports: {
      dataDir: settings.dataDir,
      read: readApart(settings),
      hasOwnKeys: settings.visitorKeys === 'daily',
      log: writer,
      backlogBytes: () => appender.backlogBytes(),
      firstRowMs: async (domainId) =>
        (await queries.usage([domainId], null)).get(domainId)?.firstRowMs ?? null,
      isStopping: () => life.isStopping,
    },
    exports: {
      ...{ dataDir: settings.dataDir, place: exportsPlace(settings.dataDir) },
      isStopping: () => life.isStopping,
      write(plan, directory, watch) {
        const parts = { dataDir: settings.dataDir, queries, actors, shardOf: shardOfSite };
        return runExport(parts, { plan, directory }, watch);
      },
    },
  };
  const life = { isStopping: false };
  const runner = new JobRunner(JOBS, context, {
    mayRun: (job) => mayRun(job, { shards, epochOf }),
    before: readJobBoard(settings.dataDir),
    onFault: (job, error) => log.tell('job.failed', { err: error, job }),
  });
  const onFault = (error: unknown) => log.tell('jobs.not-kept', { err: error });
  const board = new JobBoard(settings.dataDir, () => runner.states(), onFault);
  return {
    async stop() {
      life.isStopping = true;
      await runner.stop();
      await writer.drained();
      board.close();
    },
  };
}

/** As an edge asks, so that what mails say is what the API answers (O-31). */
function openQueries(
  { settings, shards, cluster, scanPort }: JobsThreadData,
  actors: ActorClient,
  appender: LogLinkAppender,
): QueryDoor {
  return new QueryDoor({
    ...{ scanPort, appender, actors: cluster === null ? actors : null },
    shardOf: (domainId: DomainId) => shardOf(domainId, shards),
    ...{ rowsMax: settings.queryRowsMax, secondsMax: settings.querySecondsMax },
  });
}

/** O-22: what stands in the registry for people. */
function openMails(
  { settings, registryPort }: JobsThreadData,
  { registry, numbers, log }: { registry: Registry; numbers: SiteNumbers; log: Log },
) {
  return new MailQueue({
    ...{ registry, numbers, door: mailDoor(settings, log), nowMs: systemClock },
    ...{ publicUrl: publicUrl(settings), dashboardHost: hostsOf(settings).dashboards },
    language: settings.mailLanguage,
    isAlone: registryPort === null,
    onOutcome({ kind, to, attempts }, { answer }, isOver) {
      const told = { mail: kind, to, attempts, answer };
      log.tell(isOver ? 'mail.given-up' : 'mail.retried', told);
    },
    onFault: (error) => log.tell('mail.waits', { err: error }),
  });
}

/** O-13: whatever the webhook's state is, and without a trace among its deliveries. */
async function sendSample(
  { webhookId }: JobsCall,
  { registry, tests, send }: { registry: Registry; tests: TestTurns; send: Send },
) {
  registry.keepUp();
  const to = registry.view.find(webhook, webhookId);
  if (to === null) throw errors.RECORD_NOT_FOUND({ kind: webhook.name, id: webhookId });
  return tests.run(to.domainId, () => send(to, sampleOf(to, systemClock())));
}

function openRegistry(data: JobsThreadData, appender: PortAppender | null): Promise<Registry> {
  const { dataDir } = data.settings;
  const nowMs = systemClock();
  const signal = new RegistrySignal(data.registrySignal);
  return appender === null
    ? Promise.resolve(Registry.open(dataDir, nowMs, signal))
    : Registry.openShared(dataDir, nowMs, appender, signal);
}
