/**
 * A program that is killed, paused and ended, and started again by a supervisor when it ends by
 * itself.
 *
 * Nodes and the NATS server are both this. Should the test itself die, in whatever way, a one-line
 * shell notices the closed pipe and kills the program.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';

/** A supervisor's rest before it starts a program again that ended by itself. */
const REST_MS = 300;
const START_MS_MAX = 60_000;
/** `footfall serve` promises 10 s. */
const STOP_MS_MAX = 15_000;
const OUTPUT_LENGTH_MAX = 16_000;

/** How the program is run. */
export interface ChildOptions {
  name: string;
  command: string;
  arguments: readonly string[];
  /** Absent: that of this process. */
  env?: Readonly<Record<string, string>>;
  /** What it says, on either stream, when it is up. */
  readyWords: string;
  /** Its output is kept here too. */
  logFile: string;
}

/** What a supervisor would do about it now. */
type Wish = 'runs' | 'is down';

/** One program. */
export class Child {
  readonly #options: ChildOptions;
  #wish: Wish = 'is down';
  #child: ChildProcess | null = null;
  #watchdog: ChildProcess | null = null;
  #isUp = false;
  #isDisposed = false;
  #output = '';
  #timer: NodeJS.Timeout | null = null;
  /** Last lines of runs that ended without having been told to. */
  readonly ownEnds: string[] = [];
  /** Stops that did not come to an end in time. */
  hangs = 0;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Whether it has said that it is up and has not ended since. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Starts it, as often as it takes, and waits until it is up. @throws Error after 60 s. */
  async start(): Promise<void> {
    this.#wish = 'runs';
    if (this.#child === null) this.#spawn();
    const endMs = performance.now() + START_MS_MAX;
    while (!this.#isUp) {
      if (performance.now() > endMs) {
        throw new Error(`${this.name} was not up after ${START_MS_MAX} ms:\n${this.#output}`);
      }
      await pause(5);
    }
  }

  /** Starts it without waiting. */
  begin(): void {
    this.#wish = 'runs';
    if (this.#child === null) this.#spawn();
  }

  /** SIGKILL, and waits until it is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** SIGTERM, and waits until it is gone; SIGKILL when that takes too long. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** SIGSTOP or SIGCONT. */
  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#wish = 'is down';
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const child = this.#child;
    if (child === null) return;
    const gone = once(child, 'close');
    child.kill(signal);
    const timer = setTimeout(() => {
      this.hangs++;
      child.kill('SIGKILL');
    }, STOP_MS_MAX);
    await gone;
    clearTimeout(timer);
  }

  /** SIGKILL for good: whatever is still under way does not start it again. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.kill();
  }

  #spawn(): void {
    if (this.#isDisposed) return;
    const { command, env, readyWords, logFile } = this.#options;
    const child = spawn(command, this.#options.arguments, {
      ...(env === undefined ? {} : { env }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    this.#watchdog = watch(child.pid ?? 0);
    let said = '';
    const hear = (chunk: Buffer): void => {
      const text = chunk.toString();
      appendFileSync(logFile, text);
      this.#output = (this.#output + text).slice(-OUTPUT_LENGTH_MAX);
      if (this.#isUp || this.#child !== child) return;
      said = (said + text).slice(-OUTPUT_LENGTH_MAX);
      this.#isUp = said.includes(readyWords);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', (error) => {
      this.#output += String(error);
    });
    child.once('close', (code, signal) => this.#closed(signal ?? `status ${code}`));
  }

  #closed(how: string): void {
    this.#child = null;
    this.#isUp = false;
    this.#watchdog?.kill('SIGKILL');
    this.#watchdog?.stdin?.destroy();
    this.#watchdog = null;
    if (this.#wish === 'is down') return;
    const last = this.#output.trimEnd().split('\n').at(-1) ?? '';
    this.ownEnds.push(`${this.name} ended by itself with ${how}: ${last.slice(0, 400)}`);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#wish === 'runs' && this.#child === null) this.#spawn();
    }, REST_MS);
  }
}

/** Kills a process once this one is gone: the shell reads a pipe that only we hold open. */
function watch(pid: number): ChildProcess {
  const script = 'cat >/dev/null; kill -9 "$1" 2>/dev/null';
  const watchdog = spawn('sh', ['-c', script, 'watchdog', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined);
  watchdog.unref();
  return watchdog;
}

/** Resolves after so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
