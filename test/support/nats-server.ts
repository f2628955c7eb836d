/**
 * A real NATS server for tests: on a free port, with a temporary store, killed and started at will.
 *
 * It is Debian's `nats-server`; `npm test` installs it (`config/tools/test-programs.mjs`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';

const START_MS_MAX = 20_000;

/** What it is started with besides the store. */
export interface NatsServerOptions {
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** One server at a time on one store; the same port after every restart. */
export class NatsServer {
  readonly directory = mkdtempSync(join(tmpdir(), 'footfall-nats-'));
  port = 0;
  #child: ChildProcess | null = null;
  readonly #flags: readonly string[];
  readonly #env: Readonly<Record<string, string>>;

  constructor({ flags = ['-js'], env = {} }: NatsServerOptions = {}) {
    this.#flags = flags;
    this.#env = env;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it and waits until it listens. */
  async start(): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    const portsDir = mkdtempSync(join(this.directory, 'ports-'));
    const store = join(this.directory, 'store');
    const child = spawn(
      'nats-server',
      [
        ...['-a', '127.0.0.1', '-p', String(this.port)],
        ...['--ports_file_dir', portsDir],
        // A settings file names the store itself, by this variable.
        ...(this.#flags.includes('-c') ? [] : ['-sd', store]),
        ...this.#flags,
      ],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, NATS_STORE: store, ...this.#env },
      },
    );
    this.#child = child;
    let output = '';
    let isReady = false;
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8_000);
      isReady ||= output.includes('Server is ready');
    });
    let failure: Error | null = null;
    child.once('error', (error) => {
      failure = error;
    });
    const endMs = Date.now() + START_MS_MAX;
    while (!isReady || portsText(portsDir) === '') {
      if (failure !== null) throw new Error(`nats-server cannot be run: ${String(failure)}`);
      if (child.exitCode !== null || Date.now() > endMs) {
        throw new Error(`nats-server did not start:\n${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { nats } = JSON.parse(portsText(portsDir));
    this.port = Number(new URL(nats[0]).port);
  }

  /** SIGKILL; the store stays. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** Deletes a stream, as an operator's tool does. */
  async deleteStream(name: string): Promise<void> {
    await this.#ask(`STREAM.DELETE.${name}`, '"success":true');
  }

  /** What the server says of a stream, as JSON with the protocol's words around it. */
  async streamText(name: string): Promise<string> {
    return await this.#ask(`STREAM.INFO.${name}`, '"type":"io.nats.jetstream.api.v1.stream_info');
  }

  /** In the protocol's own words. @returns what has come once `end` is in it. */
  async #ask(call: string, end: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    const request = `PUB $JS.API.${call} _INBOX.ask 0\r\n\r\n`;
    socket.write(`CONNECT {"verbose":false}\r\nSUB _INBOX.ask 1\r\n${request}`);
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.includes(end) && text.endsWith('}\r\n')) break;
    }
    return text;
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** Ends it and removes the store. */
  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** What the server has written about its ports; '' while it has not, also when its file is empty yet. */
function portsText(directory: string): string {
  const [file] = readdirSync(directory);
  return file === undefined ? '' : readFileSync(join(directory, file), 'utf8');
}
