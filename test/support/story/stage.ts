/**
 * Where a story plays: nodes of the built service, from an empty directory on, whose processes are
 * killed between what happens.
 *
 * Requests go to the nodes in turn. On one node an answer holds at once; on several it holds on the
 * others within a second (M-5), and a shard whose node was killed is answered for within its lease.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NatsPeer } from '../../../src/bus/nats/peer.ts';
import { asDomainId, asEpoch, type Epoch } from '../../../src/model/ids.ts';
import type { Board } from '../../../src/runtime/cluster/lease-plan.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { shardOf } from '../../../src/shard/state/placement.ts';
import type { Stream } from '../../torture/random.ts';
import { checkAnswer } from '../clients/answer-check.ts';
import { NatsServer } from '../nats-server.ts';
import { makeTemporaryDirectory, type RunningService, startService } from '../service.ts';
import { pause } from '../until.ts';

const SHARDS = 8;
const PREFIX = 'footfall';
/** What other nodes are given to know a change (M-5), and a busy machine to say so. */
const KNOWN_WITHIN_MS = 3_000;
/** What a shard is given to be answered for again when its node was killed. */
const ANSWERED_WITHIN_MS = 30_000;
const KILL_AFTER_MS_MAX = 300;

/** A request, and what it must be answered. */
export interface Wish {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1/, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A browser's page is one of the node that is asked. */
  readonly isFromPage?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** More that the answer must be; a node may take a moment to say so. */
  readonly is?: (json: unknown) => boolean;
  /** Told the status of every answer, of those that are not the one that is waited for too. */
  readonly saw?: (status: number) => void;
}

/** What came back. */
export interface Answer {
  readonly json: unknown;
  readonly headers: Headers;
}

/** The running nodes. */
export class Stage {
  readonly nodes: readonly RunningService[];
  readonly #nats: NatsServer | null;
  readonly #mailDir: string;
  readonly #random: Stream;
  #turn = 0;
  /** The node that is away at the moment. */
  #away: RunningService | null = null;
  killCount = 0;

  private constructor(
    nodes: readonly RunningService[],
    mailDir: string,
    { nats, random }: { readonly nats: NatsServer | null; readonly random: Stream },
  ) {
    this.nodes = nodes;
    this.#mailDir = mailDir;
    this.#nats = nats;
    this.#random = random;
  }

  /** Starts so many nodes on empty directories; several on a NATS server of their own. */
  static async open(nodeCount: number, random: Stream): Promise<Stage> {
    const nats = nodeCount === 1 ? null : new NatsServer();
    await nats?.start();
    const nodes: RunningService[] = [];
    const mailDir = makeTemporaryDirectory();
    for (let index = 0; index < nodeCount; index++) {
      const env = {
        ...{ FOOTFALL_LOG_LEVEL: 'warn', FOOTFALL_SHARDS: String(SHARDS) },
        ...{ FOOTFALL_EDGES: nodeCount === 1 ? '2' : '1', FOOTFALL_ACTORS: '1' },
        ...{ FOOTFALL_MAIL_FILE: join(mailDir, `${index}.jsonl`) },
        ...(nats === null ? {} : { FOOTFALL_NATS_SERVERS: nats.url }),
      };
      nodes.push(await startService({ env }));
    }
    return new Stage(nodes, mailDir, { nats, random });
  }

  /** What the first start said. */
  get firstOutput(): string {
    return (this.nodes[0] as RunningService).output;
  }

  /** The newest link that somebody was sent, its token. */
  mailedToken(address: string): string {
    const mails = readdirSync(this.#mailDir)
      .flatMap((file) => readFileSync(join(this.#mailDir, file), 'utf8').trim().split('\n'))
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { to: string; link: string })
      .filter(({ to, link }) => to === address && link.includes('token='));
    const token = /token=(\w+)/.exec(mails.at(-1)?.link ?? '')?.[1];
    if (token === undefined) throw new Error(`${address} was sent no link`);
    return token;
  }

  /** Sends a request to the next node, again to the next until it is answered as it must be. */
  async ask(wish: Wish): Promise<Answer> {
    const { status = 200, is = () => true } = wish;
    const isCluster = this.nodes.length > 1;
    const isStatistic = wish.path.startsWith('statistics/') || wish.path.startsWith('billing');
    const withinMs = isStatistic ? ANSWERED_WITHIN_MS : KNOWN_WITHIN_MS;
    const startMs = performance.now();
    for (;;) {
      // An answer may wait for a shard whose node was killed, and tell what was known when it was asked.
      const askedMs = performance.now();
      const answer = await this.#send(wish);
      wish.saw?.(answer.status);
      if (answer.status === status && is(answer.json)) return answer;
      if (!isCluster || askedMs - startMs > withinMs) {
        const told = `${answer.status} ${JSON.stringify(answer.json)}`;
        throw new Error(`${wish.method} ${wish.path} was answered ${told}, not ${status}`);
      }
      await pause(20);
    }
  }

  async #send(wish: Wish): Promise<Answer & { readonly status: number }> {
    const there = this.nodes.filter((node) => node !== this.#away);
    const node = there[this.#turn++ % there.length] as RunningService;
    const { method, path, body, headers, isFromPage } = wish;
    const url = `/api/v1/${path}`;
    const response = await fetch(node.baseUrl + url, {
      method,
      headers: { ...headers, ...(isFromPage === true ? { origin: node.baseUrl } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = JSON.parse(await response.text());
    checkAnswer(method, url, response.status, json);
    return { status: response.status, json, headers: response.headers };
  }

  /** Kills one node at a moment of its own; one that was killed before comes back first. */
  async strike(): Promise<void> {
    await this.recover();
    await pause(this.#random.whole(0, KILL_AFTER_MS_MAX));
    const node = this.#random.pick(this.nodes);
    await node.kill();
    this.killCount++;
    if (this.nodes.length === 1) await node.start();
    else this.#away = node;
  }

  /** All nodes are there. */
  async recover(): Promise<void> {
    const away = this.#away;
    if (away === null) return;
    await away.start();
    this.#away = null;
  }

  /**
   * Days that a domain has on disk, at the node that answers for it; NaN while nobody does. What a node
   * had before it lost the shard is worthless, and goes when it has the shard again.
   */
  async daysOnDisk(domainId: string): Promise<number> {
    const shard = shardOf(asDomainId(domainId), SHARDS);
    const { node, epoch } = await this.#leaseOf(shard);
    if (node === undefined) return Number.NaN;
    const segments = new SegmentReader(node.dataDir, 1_000_000_000);
    try {
      const always = { startMs: 0, endMs: Date.now() };
      return segments.read({ shard, epoch, domainId: asDomainId(domainId), ...always }).length;
    } finally {
      await segments.close();
    }
  }

  async #leaseOf(shard: number): Promise<{ node: RunningService | undefined; epoch: Epoch }> {
    if (this.#nats === null) return { node: this.nodes[0], epoch: asEpoch(1) };
    const access = {
      ...{ servers: [this.#nats.url], user: null, password: null },
      ...{ token: null, credentials: null },
    };
    const peer = await NatsPeer.open(access, { prefix: PREFIX, node: 'test', name: 'test' });
    try {
      const documents = await peer.documents('leases', { replicas: 1, timeoutMs: 5_000 });
      const lease = (await documents.read<Board>('board'))?.value.shards[shard];
      const isOwner = ({ dataDir }: RunningService): boolean =>
        lease !== undefined && readFileSync(join(dataDir, 'node-id'), 'utf8').includes(lease.node);
      const node = lease?.node === '' ? undefined : this.nodes.find(isOwner);
      return { node, epoch: lease?.epoch ?? asEpoch(1) };
    } finally {
      await peer.close();
    }
  }

  async dispose(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.dispose()));
    await this.#nats?.dispose();
    rmSync(this.#mailDir, { recursive: true, force: true });
  }
}
