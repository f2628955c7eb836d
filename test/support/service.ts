/**
 * Starts the built service as a real process, for end-to-end tests.
 *
 * Uses `dist/src/main.js` (run `npm run build` first) exactly as an operator would: `serve` with
 * FOOTFALL_* settings in the environment, `account create` and `domain create` for credentials.
 *
 *   const running = await startService();                 // temporary data directory, free port
 *   const account = await running.createAccount();
 *   const domain = await running.createDomain({ email: account.email, hostname: 'example.org' });
 *   … fetch(`${running.baseUrl}/livez`) …
 *   await running.kill(); await running.start();          // SIGKILL, then again on the same data
 *   await running.dispose();                              // stops it and removes the directory
 *
 * Nothing leaks: `dispose` ends the process and removes the directory; if the test process itself
 * dies, in whatever way, a one-line shell notices the closed pipe and does both.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports.ts';
import { placesDatabase } from './traffic/place-database.ts';

const execFileAsync = promisify(execFile);

/** The repository's root, with a slash at the end. */
export const PROJECT_ROOT = new URL('../..', import.meta.url).pathname;

/** The built entry point of the command `footfall`. */
export const ENTRY_POINT = join(PROJECT_ROOT, 'dist/src/main.js');

/** Generous, because CI machines start a dozen Node threads slowly. */
const START_MS_MAX = 60_000;
/** The service promises 10 s; beyond this `stop` reports a hang. */
const STOP_MS_MAX = 15_000;
/** Characters of output kept for the message of a failed start. */
const OUTPUT_LENGTH_MAX = 64_000;

export interface AccountCredentials {
  user_id: string;
  email: string;
  client_id: string;
  client_secret: string;
}

/** The domain object of the contract, as far as tests use it, and its clients' credentials. */
export interface DomainCredentials {
  id: string;
  hostname: string;
  subdomain: string;
  timezone: string;
  identification_code: string;
  client_id: string;
  client_secret: string;
  access_key: string;
}

export interface ServiceOptions {
  /** Default: a new temporary directory, which `dispose` removes. */
  dataDir?: string;
  /** Settings such as `{ FOOTFALL_EDGES: '2' }`; those of the test's own environment do not leak in. */
  env?: Readonly<Record<string, string>>;
  /** Flags after `serve`. */
  flags?: readonly string[];
  /** Knows the places of place-database.ts instead of the bundled database's countries. */
  hasCities?: boolean;
  /** Default: the build of this repository. */
  entryPoint?: string;
  /** false: only prepares; call `start()` later, e.g. after creating domains. */
  autoStart?: boolean;
}

export interface DomainOptions {
  email: string;
  hostname: string;
  subdomain?: string;
  timezone?: string;
}

/** The test's environment without settings of the operator's own, plus those given. */
export function cleanEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('FOOTFALL_'));
  return { ...Object.fromEntries(inherited), ...env };
}

/** A new directory under the system's temporary one. */
export function makeTemporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'footfall-test-'));
}

/**
 * Runs `footfall …arguments --json` to its end and gives the object it prints.
 *
 * @throws Error with the command's standard error when it exits with another status than 0.
 */
export async function runCommand<Answer>(
  commandArguments: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { stdout } = await execFileAsync(
    process.execPath,
    [ENTRY_POINT, ...commandArguments, '--json'],
    { env: cleanEnvironment(env), maxBuffer: 16 * 1_024 * 1_024 },
  );
  return JSON.parse(stdout) as Answer;
}

/**
 * Kills `pid` (and removes `directory` unless '') once this test process is gone.
 *
 * The shell reads a pipe that only we hold open; it ends when we do, also by SIGKILL.
 */
function startWatchdog(pid: number, directory: string): ChildProcess {
  const script =
    'cat >/dev/null; kill -9 "$1" 2>/dev/null; if [ -n "$2" ]; then sleep 1; rm -rf "$2"; fi';
  const watchdog = spawn('sh', ['-c', script, 'watchdog', String(pid), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without an own handler a failed pipe would end the test run instead of being noticed there.
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined);
  (watchdog.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  watchdog.unref();
  return watchdog;
}

/** One service process at a time on one data directory. */
export class RunningService {
  readonly dataDir: string;
  /** `http://HOST:PORT` or https, without a slash at the end; the same after every restart. */
  baseUrl = '';
  /** Both streams of all runs so far, the newest 64,000 characters. */
  output = '';
  private readonly ownsDataDir: boolean;
  private readonly env: Record<string, string>;
  private readonly flags: readonly string[];
  private readonly entryPoint: string;
  private port = 0;
  private child: ChildProcess | null = null;
  private watchdog: ChildProcess | null = null;
  private ended: Promise<number | null> = Promise.resolve(null);

  constructor(options: ServiceOptions) {
    this.ownsDataDir = options.dataDir === undefined;
    this.dataDir = options.dataDir ?? makeTemporaryDirectory();
    // A suite is one caller that does more in a minute than any person.
    this.env = { FOOTFALL_RATE_LIMITS: 'off', ...options.env };
    if (options.hasCities === true) {
      const path = join(this.dataDir, 'places.mmdb');
      writeFileSync(path, placesDatabase());
      this.env.FOOTFALL_GEO_DB = path;
    }
    this.flags = options.flags ?? [];
    this.entryPoint = options.entryPoint ?? ENTRY_POINT;
  }

  /** Process id; 0 while it is not running. */
  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /**
   * Starts the process and waits until it says that it listens.
   *
   * The first start takes a free port, later ones the same port, so that clients keep their address.
   *
   * @throws Error with the output so far when it ends or stays silent instead.
   */
  async start(): Promise<void> {
    if (this.child !== null) throw new Error('the service is already running');
    if (this.port === 0) this.port = await freePort();
    const child = spawn(
      process.execPath,
      [
        this.entryPoint,
        'serve',
        ...['--port', String(this.port), '--data-dir', this.dataDir],
        ...this.flags,
      ],
      { env: cleanEnvironment(this.env), stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.child = child;
    this.watchdog = startWatchdog(child.pid ?? 0, this.ownsDataDir ? this.dataDir : '');
    // Until `ended` resolves the process counts as running: a second start must not overlap.
    this.ended = new Promise((resolve) => {
      child.once('close', (code) => {
        this.child = null;
        // The shell goes first: at the end of its input it would kill and remove.
        this.watchdog?.kill('SIGKILL');
        this.watchdog?.stdin?.destroy();
        this.watchdog = null;
        resolve(code);
      });
    });
    this.baseUrl = await this.waitUntilListening(child);
    this.port = Number(new URL(this.baseUrl).port);
  }

  /** SIGTERM. @returns its exit code, null if a signal ended it. @throws Error when it hangs. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** SIGKILL, and waits until the process is gone. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /**
   * Sends it a signal.
   *
   * @throws Error when it is not running: to the system process 0 means everything of the sender's own
   *   group, so that a stopped runner and all of its tests would stand still for ever.
   */
  signal(name: NodeJS.Signals): void {
    if (this.child === null) throw new Error(`the service is not running: nobody to send ${name}`);
    this.child.kill(name);
  }

  /** Stops it properly and starts it again on the same data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Ends the process, if it runs, and removes the data directory if it was a temporary one. */
  async dispose(): Promise<void> {
    if (this.child !== null) await this.end('SIGKILL');
    if (this.ownsDataDir) rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
  }

  /** `footfall account create`; works whether or not the service is running. */
  async createAccount(email = 'owner@example.org'): Promise<AccountCredentials> {
    return this.command(['account', 'create', '--email', email, '--name', 'Owner']);
  }

  /** `footfall domain create`; a running service knows it within a second (`ApiClient.whenKnown`). */
  async createDomain(options: DomainOptions): Promise<DomainCredentials> {
    const flags = ['--email', options.email, '--hostname', options.hostname];
    if (options.subdomain !== undefined) flags.push('--subdomain', options.subdomain);
    if (options.timezone !== undefined) flags.push('--timezone', options.timezone);
    return this.command(['domain', 'create', ...flags]);
  }

  /** Any command on this data directory. */
  async command<Answer>(commandArguments: readonly string[]): Promise<Answer> {
    return runCommand([...commandArguments, '--data-dir', this.dataDir], this.env);
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.child;
    if (child === null) return this.ended;
    child.kill(signal);
    let timer: NodeJS.Timeout | undefined;
    const hang = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`the service did not end within ${STOP_MS_MAX} ms\n${this.output}`));
      }, STOP_MS_MAX);
    });
    try {
      return await Promise.race([this.ended, hang]);
    } finally {
      clearTimeout(timer);
    }
  }

  private waitUntilListening(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      let standardOutput = '';
      const fail = (reason: string): void => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        reject(new Error(`the service ${reason}; it said:\n${this.output}`));
      };
      const timer = setTimeout(() => fail(`was not up after ${START_MS_MAX} ms`), START_MS_MAX);
      child.once('error', (error) => fail(`could not be started (${error.message})`));
      child.once('close', (code, signal) =>
        fail(`ended with ${signal ?? code} before it listened`),
      );
      child.stderr?.on('data', (chunk: Buffer) => this.keepOutput(chunk.toString()));
      child.stdout?.on('data', (chunk: Buffer) => {
        this.keepOutput(chunk.toString());
        if (standardOutput.length > OUTPUT_LENGTH_MAX) return;
        standardOutput += chunk.toString();
        const found = /listening on (https?:\/\/[^\s"/]+)/.exec(standardOutput)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        standardOutput = ' '.repeat(OUTPUT_LENGTH_MAX + 1);
        resolve(found);
      });
    });
  }

  private keepOutput(text: string): void {
    this.output = (this.output + text).slice(-OUTPUT_LENGTH_MAX);
  }
}

/**
 * A service of its own for one test file.
 *
 * @throws Error when `dist` is missing or the service does not come up.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const running = new RunningService(options);
  if (options.autoStart === false) return running;
  try {
    await running.start();
  } catch (error) {
    await running.dispose();
    throw error;
  }
  return running;
}
