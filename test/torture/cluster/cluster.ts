/**
 * The cluster under test: NATS servers, nodes as an operator starts them, a link from each to
 * NATS.
 *
 * Every node has its data on a disk of its own; everything lies in one temporary directory.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/ports.ts';
import { placesDatabase } from '../../support/traffic/place-database.ts';
import { Clocks } from '../faults/clocks.ts';
import { Disks } from '../faults/disks.ts';
import { Links } from '../faults/links.ts';
import { type Answer, HttpClient } from '../load/http-client.ts';
import { Child, pause } from './child.ts';
import { makeNatsServers, type NatsServer } from './nats-servers.ts';

const READY_MS_MAX = 60_000;
/** Each node has few threads: three of them share this machine with the server and the load. */
const NODE_SETTINGS = {
  FOOTFALL_EDGES: '1',
  FOOTFALL_ACTORS: '2',
  FOOTFALL_QUERY_THREADS: '1',
  FOOTFALL_SHARDS: '12',
  FOOTFALL_LOG_LEVEL: 'warn',
  FOOTFALL_NATS_STREAM_BYTES: String(256 * 1_024 ** 2),
  // The receiver of webhooks is on this machine.
  FOOTFALL_OUTBOUND_PRIVATE: 'on',
};
/** A command that takes longer is given up. */
const COMMAND_MS_MAX = 30_000;

/** The built program; this file is built too, into `dist/test/torture`. */
const FOOTFALL = new URL('../../../src/main.js', import.meta.url).pathname;

/** What the commands of `footfall` print about a new domain, as far as it is used. */
export interface MadeDomain {
  id: string;
  hostname: string;
  client_id: string;
  client_secret: string;
  access_key: string;
}

/** What an account signs in with. */
export interface AccountSecrets {
  client_id: string;
  client_secret: string;
}

/** One node and how to reach it. */
export interface Node {
  readonly index: number;
  readonly child: Child;
  readonly baseUrl: string;
  readonly dataDir: string;
}

/** What a cluster is made of. */
export interface ClusterOptions {
  nodes: number;
  /** NATS servers; each keeps every record. */
  natsServers: number;
  /** Nodes take hits while the servers are away. */
  spool: boolean;
}

/** Everything that can be hurt. */
export class Cluster {
  readonly directory = mkdtempSync(join(tmpdir(), 'footfall-torture-'));
  readonly disks = new Disks();
  readonly clocks = new Clocks(this.directory);
  readonly nodes: Node[] = [];
  servers: NatsServer[] = [];
  links!: Links;
  readonly #http = new HttpClient();
  readonly #options: ClusterOptions;

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  /** Nodes may answer for hits that no statistic has yet. */
  get hasSpool(): boolean {
    return this.#options.spool;
  }

  /** Starts all of it. @returns an account's secrets. @throws Error when something does not come up. */
  async start(): Promise<AccountSecrets> {
    const { nodes: count, natsServers } = this.#options;
    this.servers = await makeNatsServers(natsServers, this);
    await Promise.all(this.servers.map(({ child }) => child.start()));
    this.links = await Links.open(this.#natsPorts, count);
    writeFileSync(join(this.directory, 'places.mmdb'), placesDatabase());
    for (let index = 0; index < count; index++) this.nodes.push(await this.#makeNode(index));
    const words = ['account', 'create', '--email', EMAIL, '--name', 'Torture'];
    const account = await this.footfall<AccountSecrets>(...words);
    await Promise.all(this.nodes.map(({ child }) => child.start()));
    return account;
  }

  /** A new domain, as an operator makes it. */
  async makeDomain(hostname: string): Promise<MadeDomain> {
    return this.footfall('domain', 'create', '--email', EMAIL, '--hostname', hostname);
  }

  /** Runs a command of `footfall` beside the first node. @throws Error when it is refused, or takes too long. */
  async footfall<Made>(...words: readonly string[]): Promise<Made> {
    const [{ dataDir }] = this.nodes as [Node];
    const env = this.#environment(this.#natsPorts);
    const all = [FOOTFALL, ...words, '--data-dir', dataDir, '--json'];
    const options = { env, timeout: COMMAND_MS_MAX, killSignal: 'SIGKILL' } as const;
    const { stdout } = await promisify(execFile)(process.execPath, all, options);
    return JSON.parse(stdout) as Made;
  }

  /** Waits until every node says that it is ready, and that nothing waits in a spool. @throws Error when one does not in 60 s. */
  async ready(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.#ready(node)));
  }

  /** Ends everything and removes the directory. */
  async dispose(keeps: boolean): Promise<void> {
    await Promise.all(this.nodes.map(({ child }) => child.dispose()));
    await Promise.all(this.servers.map(({ child }) => child.dispose()));
    await this.links?.close();
    this.#http.close();
    if (keeps) return;
    this.disks.dispose();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 });
  }

  async #ready({ baseUrl, child }: Node): Promise<void> {
    const startMs = performance.now();
    let answer: Answer | null = null;
    while (performance.now() - startMs < READY_MS_MAX) {
      answer = await this.#http.send({ url: `${baseUrl}/readyz`, timeoutMs: 1_000 });
      if (answer.status === 200 && !answer.text.includes('spool')) return;
      await pause(10);
    }
    const said = answer === null ? 'nothing' : `${answer.status} ${answer.text}`;
    throw new Error(`${child.name} was not ready after ${READY_MS_MAX} ms; /readyz says ${said}`);
  }

  async #makeNode(index: number): Promise<Node> {
    const dataDir = join(this.directory, `node-${index}`);
    this.disks.make(dataDir);
    mkdirSync(dataDir, { recursive: true });
    const port = await freePort();
    const words = ['serve', '--host', '127.0.0.1', '--port', String(port), '--data-dir', dataDir];
    const child = new Child({
      name: `node ${index}`,
      command: process.execPath,
      arguments: [FOOTFALL, ...words],
      env: {
        ...this.#environment(this.links.ports[index] as number[]),
        ...this.clocks.environment(index),
      },
      readyWords: 'listening on',
      logFile: join(this.directory, `node-${index}.log`),
    });
    return { index, child, baseUrl: `http://127.0.0.1:${port}`, dataDir };
  }

  get #natsPorts(): number[] {
    return this.servers.map(({ port }) => port);
  }

  /** All that a node sees of an environment; it reaches the NATS servers at those ports. */
  #environment(natsPorts: readonly number[]): Readonly<Record<string, string>> {
    return {
      ...NODE_SETTINGS,
      FOOTFALL_GEO_DB: join(this.directory, 'places.mmdb'),
      FOOTFALL_NATS_SERVERS: natsPorts.map((port) => `nats://127.0.0.1:${port}`).join(','),
      FOOTFALL_NATS_REPLICAS: String(natsPorts.length),
      FOOTFALL_SPOOL: this.hasSpool ? 'on' : 'off',
    };
  }
}

const EMAIL = 'torture@example.org';
