/**
 * The service under measurement: a data directory of its own with accounts and domains, then
 * `footfall serve` on a free port; and the few requests that the benchmarks send beside the load.
 *
 * Control plane. It is what an operator gets: `dist/src/main.js` with its default settings, apart
 * from those named in the call.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../src/base/assert.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { type ServerProcess, startServer } from './children.ts';
import { ROOT } from './report/machine.ts';

const MAIN = join(ROOT, 'dist/src/main.js');
/** For profiles: BENCH_NODE_ARGS='--cpu-prof --cpu-prof-dir=/tmp/profiles' (README). */
const NODE_ARGS = (process.env['BENCH_NODE_ARGS'] ?? '').split(' ').filter((word) => word !== '');
const EMAIL = 'bench@footfall.example';

/** A domain with its access key. */
export interface BenchDomain {
  id: string;
  hostname: string;
  accessKey: string;
  identificationCode: string;
}

/** A running service with its domains. */
export interface BenchService extends ServerProcess {
  domains: BenchDomain[];
  dataDir: string;
  /** Sends a request with a token of the account, or the one given, and returns the parsed answer. */
  ask(path: string, options?: { token?: string; body?: string }): Promise<unknown>;
  /** A token of the account, for requests that are not sent by `ask`. */
  newToken(): Promise<string>;
  /** Stops it and removes its data directory if that is a temporary one. */
  end(): Promise<void>;
  /** Kills it as a crash would and starts it again on what it left. @returns ms until it listened. */
  crash(): Promise<{ again: Omit<BenchService, 'domains'>; readyMs: number }>;
}

/** Something that has to be undone when a benchmark ends, also when it fails. */
const dataDirs = new Set<string>();
process.on('exit', () => {
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Starts a service on an empty data directory.
 *
 * @param options.hostnames one domain each.
 * @param options.settings as in the interface, such as `{ FOOTFALL_DURABILITY: 'os' }`.
 * @param options.prepare changes accounts and domains before the start.
 */
export async function startService(options: {
  hostnames: readonly string[];
  settings?: Record<string, string>;
  prepare?: (registry: Registry) => Promise<void>;
}): Promise<BenchService> {
  const dataDir = temporaryDataDir();
  const { client, domains } = await register(dataDir, options);
  const settings = options.settings ?? {};
  return { domains, ...(await serve(dataDir, client, settings)) };
}

/** A data directory that is removed when the benchmarks end. */
export function temporaryDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-bench-'));
  dataDirs.add(dataDir);
  return dataDir;
}

/** Starts a service on a data directory, which it leaves behind unless it is a temporary one. */
export async function serve(
  dataDir: string,
  client: { clientId: string; clientSecret: string },
  settings: Record<string, string>,
): Promise<Omit<BenchService, 'domains'>> {
  const server = await startServer([...NODE_ARGS, MAIN, 'serve'], {
    FOOTFALL_HOST: '127.0.0.1',
    FOOTFALL_PORT: '0',
    FOOTFALL_DATA_DIR: dataDir,
    FOOTFALL_LOG_LEVEL: 'warn',
    ...settings,
  });
  const agent = new Agent({ keepAlive: true });
  const tokenBody = JSON.stringify({
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  const url = (path: string) => `${server.address}/api/v1${path}`;
  const newToken = async (): Promise<string> => {
    const made = await exchange(agent, url('/token'), { body: tokenBody });
    return (made as { access_token: string }).access_token;
  };
  const token = await newToken();
  return {
    ...server,
    dataDir,
    newToken,
    ask: (path, { token: given = token, body } = {}) =>
      exchange(agent, url(path), body === undefined ? { token: given } : { token: given, body }),
    end: async () => {
      agent.destroy();
      await server.stop();
      if (dataDirs.delete(dataDir)) rmSync(dataDir, { recursive: true, force: true });
    },
    crash: async () => {
      agent.destroy();
      await server.kill();
      const startMs = performance.now();
      const again = await serve(dataDir, client, settings);
      return { again, readyMs: performance.now() - startMs };
    },
  };
}

/** By the registry itself: a thousand command lines would take minutes. */
async function register(
  dataDir: string,
  { hostnames, prepare }: Pick<Parameters<typeof startService>[0], 'hostnames' | 'prepare'>,
) {
  const nowMs = Date.now();
  const registry = Registry.open(dataDir, nowMs);
  const client = await createAccount(registry, { email: EMAIL }, nowMs);
  const domains: BenchDomain[] = [];
  for (const hostname of hostnames) {
    const { domain, accessKey } = await createDomain(registry, { email: EMAIL, hostname }, nowMs);
    const { id, identificationCode } = domain;
    domains.push({ id, accessKey, hostname, identificationCode });
  }
  await prepare?.(registry);
  await registry.close();
  return { client, domains };
}

/** One request; anything but 200 is an error of the run. */
function exchange(
  agent: Agent,
  url: string,
  { token, body }: { token?: string; body?: string },
): Promise<unknown> {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, headers, method: body === undefined ? 'GET' : 'POST' },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (incoming.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${url} was answered ${incoming.statusCode}: ${text}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The baseline server, started. */
export function startBaseline(): Promise<ServerProcess> {
  const script = join(ROOT, 'dist/bench/harness/load/baseline-server.js');
  return startServer([script], {});
}

/** Waits for a while: for deferred work such as checkpoints, never for a result. */
export function settle(ms: number): Promise<void> {
  assert(ms >= 0, 'a pause is not negative');
  return new Promise((resolve) => setTimeout(resolve, ms));
}
