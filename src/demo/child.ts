/**
 * The service as a child process: a free port, a data directory of its own, removed at the end.
 *
 * Control plane. It is started like an operator would, with the command `footfall`. The child is in
 * a process group of its own: Ctrl-C in the terminal goes to the demo alone, which still wants to
 * read its statistics before it stops the service.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errors } from '../model/errors.ts';

const START_MS_MAX = 20_000;
const STOP_MS_MAX = 12_000;
const STDERR_LENGTH_MAX = 2_000;

/** The service, running or not, in its own data directory. */
export class ServiceChild {
  readonly #command: string;
  readonly dataDir: string;
  #process: ChildProcess | null = null;
  #stderr = '';

  /** @param command path of the program `footfall`. */
  constructor(command: string) {
    this.#command = command;
    this.dataDir = mkdtempSync(join(tmpdir(), 'footfall-demo-'));
  }

  /** Runs a command of `footfall` on the data directory and returns the object it prints. */
  async ask<T>(...args: string[]): Promise<T> {
    const all = [this.#command, ...args, '--data-dir', this.dataDir, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, all);
    return JSON.parse(stdout) as T;
  }

  /**
   * Starts the service.
   *
   * @returns its address, such as `http://127.0.0.1:40123`.
   * @throws DEMO_FAILED when it ends or says nothing for too long.
   */
  start(): Promise<string> {
    const listens = ['--host', '127.0.0.1', '--port', '0', '--tls-cert', '', '--tls-key', ''];
    const args = [this.#command, 'serve', ...listens];
    const child = spawn(
      process.execPath,
      [...args, '--data-dir', this.dataDir, '--log-level', 'warn'],
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    this.#process = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_LENGTH_MAX);
    });
    return new Promise((resolve, reject) => {
      let stdout = '';
      const fail = (what: string) =>
        reject(errors.DEMO_FAILED({ reason: `the service ${what}: ${this.#stderr.trim()}` }));
      const timer = setTimeout(() => fail('did not start in time'), START_MS_MAX);
      child.stdout.on('data', (chunk: Buffer) => {
        stdout = (stdout + chunk.toString('utf8')).slice(-STDERR_LENGTH_MAX);
        const address = /listening on (http:\/\/\S+)/.exec(stdout)?.[1];
        if (address === undefined) return;
        clearTimeout(timer);
        resolve(address);
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        fail(`ended with ${signal ?? code}`);
      });
    });
  }

  /** Whether the service has been started and has not ended. */
  get isRunning(): boolean {
    const child = this.#process;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  /** Last lines of the service's log. */
  get lastWords(): string {
    return this.#stderr.trim();
  }

  /** Ends the service, in order if it can, and removes its data. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child !== null && this.isRunning) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
        child.once('exit', () => {
          clearTimeout(timer);
          resolve();
        });
        child.kill('SIGTERM');
      });
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Ends the service at once and removes its data; for the end of this process only. */
  stopAtOnce(): void {
    if (this.isRunning) this.#process?.kill('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
