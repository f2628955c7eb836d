/**
 * Several nodes of the built service on one real NATS server, for end-to-end tests.
 *
 *   const cluster = await startCluster({ nodes: 3, hostnames: ['one.example'] });
 *   const [site] = cluster.sites;
 *   await site.send(0);                     // a hit to the first node
 *   await site.views(2);                    // page views as the third node tells them
 *   await cluster.shares();                 // shards by node, as the board has them
 *   await cluster.dispose();
 */
import { NatsPeer } from '../../src/bus/nats/peer.ts';
import type { Board } from '../../src/runtime/cluster/lease-plan.ts';
import { ApiClient } from './clients/client.ts';
import { totalViews } from './faults/ledger-check.ts';
import { NatsServer } from './nats-server.ts';
import { type DomainCredentials, type RunningService, startService } from './service.ts';
import { until } from './until.ts';

const PREFIX = 'footfall';
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 Footfall/test';

/** One domain, and what it owes. */
export class ClusterSite {
  readonly domain: DomainCredentials;
  readonly #nodes: readonly RunningService[];
  readonly #tokens = new Map<number, string>();
  #sent = 0;
  /** Page views that were acknowledged. */
  acknowledged = 0;

  constructor(domain: DomainCredentials, nodes: readonly RunningService[]) {
    this.domain = domain;
    this.#nodes = nodes;
  }

  /** Sends a hit of a new visitor to a node and wants a 200. */
  async send(node: number): Promise<void> {
    const id = this.#sent++;
    const writer = new ApiClient(this.#nodes[node]!.baseUrl, this.domain.access_key);
    await writer.collect('hit', {
      url: `https://${this.domain.hostname}/p/${id}`,
      ip: `10.9.${(id >> 8) & 255}.${id & 255}`,
      user_agent: USER_AGENT,
    });
    this.acknowledged++;
  }

  /** Page views as a node tells them. */
  async views(node: number): Promise<number> {
    return await totalViews({ domain: this.domain, reader: await this.reader(node) });
  }

  /** A client that reads from a node. */
  async reader(node: number): Promise<ApiClient> {
    const { baseUrl } = this.#nodes[node]!;
    const known = this.#tokens.get(node);
    if (known !== undefined) return new ApiClient(baseUrl, known);
    const { client_id, client_secret } = this.domain;
    const reader = await ApiClient.whenKnown(baseUrl, client_id, client_secret);
    this.#tokens.set(node, reader.bearer);
    return reader;
  }
}

/** Nodes with a data directory each, and their server. */
export class TestCluster {
  readonly server = new NatsServer();
  readonly nodes: RunningService[] = [];
  readonly sites: ClusterSite[] = [];

  /** Shards by node id, as the board has them. */
  async shares(): Promise<number[]> {
    const board = await this.board();
    const ids = Object.keys(board.members);
    return ids.map((id) => board.shards.filter(({ node }) => node === id).length);
  }

  /** The board as it is now. */
  async board(): Promise<Board> {
    const access = {
      ...{ servers: [this.server.url], user: null, password: null },
      ...{ token: null, credentials: null },
    };
    const peer = await NatsPeer.open(access, { prefix: PREFIX, node: 'test', name: 'test' });
    try {
      const documents = await peer.documents('leases', { replicas: 1, timeoutMs: 5_000 });
      const found = await documents.read<Board>('board');
      if (found === null) throw new Error('there is no board');
      return found.value;
    } finally {
      await peer.close();
    }
  }

  /** Waits until the shares are those of so many nodes, within one of even. @returns how long it took. */
  async balanced(nodes: number, withinMs = 20_000): Promise<number> {
    return await until(async () => {
      const shares = await this.shares();
      const sum = shares.reduce((left, right) => left + right, 0);
      if (shares.length !== nodes || sum !== (await this.board()).shards.length) return false;
      return Math.max(...shares) - Math.min(...shares) <= 1;
    }, withinMs);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.dispose()));
    await this.server.dispose();
  }
}

/** Starts a cluster; every node knows all domains. */
export async function startCluster(options: {
  nodes: number;
  hostnames: readonly string[];
  env?: Readonly<Record<string, string>>;
}): Promise<TestCluster> {
  const cluster = new TestCluster();
  await cluster.server.start();
  const env = {
    ...{ FOOTFALL_LOG_LEVEL: 'warn', FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1' },
    ...{ FOOTFALL_NATS_SERVERS: cluster.server.url, ...options.env },
  };
  for (let node = 0; node < options.nodes; node++) {
    cluster.nodes.push(await startService({ env, autoStart: false }));
  }
  const [first] = cluster.nodes as [RunningService, ...RunningService[]];
  const { email } = await first.createAccount();
  for (const hostname of options.hostnames) {
    const domain = await first.createDomain({ email, hostname, timezone: 'UTC' });
    cluster.sites.push(new ClusterSite(domain, cluster.nodes));
  }
  await Promise.all(cluster.nodes.map((node) => node.start()));
  return cluster;
}
