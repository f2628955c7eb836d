/**
 * The cluster under test: a NATS server, nodes as an operator starts them, a link from each to
 * NATS.
 *
 * Every node has its data on a disk of its own; everything lies in one temporary directory.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { placesDatabase } from '../support/place-database.ts';
import { Child, pause } from './child.ts';
import { Clocks } from './clocks.ts';
import { Disks } from './disks.ts';
import { type Answer, HttpClient } from './http-client.ts';
import { Links } from './links.ts';

const READY_MS_MAX = 60_000;
/** Each node has few threads: three of them share this machine with the server and the load. */
const NODE_SETTINGS = {
  FOOTFALL_EDGES: '1',
  FOOTFALL_ACTORS: '2',
  FOOTFALL_QUERY_THREADS: '1',
  FOOTFALL_SHARDS: '12',
  FOOTFALL_LOG_LEVEL: 'warn',
  FOOTFALL_NATS_STREAM_BYTES: String(256 * 1_024 ** 2),
};
const NATS_STORE_BYTES = 1_024 ** 3;

/** The built program; this file is built too, into `dist/test/torture`. */
const FOOTFALL = new URL('../../src/main.js', import.meta.url).pathname;

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

/** Everything that can be hurt. */
export class Cluster {
  readonly directory = mkdtempSync(join(tmpdir(), 'footfall-torture-'));
  readonly disks = new Disks();
  readonly clocks = new Clocks(this.directory);
  readonly nodes: Node[] = [];
  readonly natsDir = join(this.directory, 'nats');
  nats!: Child;
  links!: Links;
  readonly #http = new HttpClient();
  #natsPort = 0;

  /** Starts all of it. @returns an account's secrets. @throws Error when something does not come up. */
  async start(count: number): Promise<AccountSecrets> {
    this.#natsPort = await freePort();
    this.nats = this.#makeNats();
    await this.nats.start();
    this.links = await Links.open(this.#natsPort, count);
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

  /** Runs a command of `footfall` beside the first node. @throws Error when it is refused. */
  async footfall<Made>(...words: readonly string[]): Promise<Made> {
    const [node] = this.nodes as [Node];
    const env = this.#environment(this.#natsPort);
    const all = [FOOTFALL, ...words, '--data-dir', node.dataDir, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, all, { env });
    return JSON.parse(stdout) as Made;
  }

  /** Waits until every node says that it is ready. @throws Error when one does not in 60 s. */
  async ready(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.#ready(node)));
  }

  /** Ends everything and removes the directory. */
  async dispose(keeps: boolean): Promise<void> {
    await Promise.all(this.nodes.map(({ child }) => child.dispose()));
    await this.nats?.dispose();
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
      if (answer.status === 200) return;
      await pause(10);
    }
    const said = answer === null ? 'nothing' : `${answer.status} ${answer.text}`;
    throw new Error(`${child.name} was not ready after ${READY_MS_MAX} ms; /readyz says ${said}`);
  }

  #makeNats(): Child {
    this.disks.make(this.natsDir);
    const config = join(this.directory, 'nats.conf');
    writeFileSync(
      config,
      `listen: "127.0.0.1:${this.#natsPort}"\n` +
        `jetstream { store_dir: "${this.natsDir}", max_file: ${NATS_STORE_BYTES} }\n`,
    );
    return new Child({
      name: 'NATS',
      command: 'nats-server',
      arguments: ['-c', config],
      readyWords: 'Server is ready',
      logFile: join(this.directory, 'nats.log'),
    });
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
        ...this.#environment(this.links.ports[index] as number),
        ...this.clocks.environment(index),
      },
      readyWords: 'listening on',
      logFile: join(this.directory, `node-${index}.log`),
    });
    return { index, child, baseUrl: `http://127.0.0.1:${port}`, dataDir };
  }

  /** All that a node sees of an environment; it reaches NATS at that port. */
  #environment(natsPort: number): Readonly<Record<string, string>> {
    return {
      ...NODE_SETTINGS,
      FOOTFALL_GEO_DB: join(this.directory, 'places.mmdb'),
      FOOTFALL_NATS_SERVERS: `nats://127.0.0.1:${natsPort}`,
    };
  }
}

const EMAIL = 'torture@example.org';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
