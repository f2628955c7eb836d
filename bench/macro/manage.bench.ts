/**
 * Managing sites: changes and lists over HTTP, an account with many domains, and how a registry with
 * many records is read when a thread starts.
 *
 * Control plane. One request at a time, limits of requests off; what is timed ends with the last byte
 * of the answer, which is not parsed. The time of a registry is that of one thread: main thread and
 * edges read it one after the other and side by side.
 */
import { Agent, request } from 'node:http';
import {
  type FilledRegistry,
  fillRegistry,
  type RegistrySize,
  readRegistry,
} from '../harness/data/filled-registry.ts';
import { macro } from '../harness/macro.ts';
import { residentBytes } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { percentile, spreadOf } from '../harness/report/samples.ts';
import { type BenchService, serve, settle, temporaryDataDir } from '../harness/service.ts';

const SIZE = {
  smoke: { domains: 20, goals: 1, changes: 1, requests: 4, restMs: 100 },
  // Threads that come to rest give memory back within two minutes.
  full: { domains: 10_000, goals: 7, changes: 10, requests: 400, restMs: 130_000 },
} as const;
const REQUEST_MS_MAX = 5;
const LIST_MS_MAX = 100;
const LIST_MB_MAX = 100;
const READ_SECONDS_MAX = 1;
const SETTINGS = { FOOTFALL_RATE_LIMITS: 'off' };
/** How often a list and a registry are read. */
const ROUNDS = 9;

macro('macro/manage', async ({ isSmoke, tell }) => {
  const size = isSmoke ? SIZE.smoke : SIZE.full;
  const { domains, goals, changes } = size;
  tell('  one domain, then the requests');
  const small = await measureRequests(size);
  tell(`  ${domains} domains of one user`);
  const list = await measureList({ ...size, smallBytes: small.bytes });
  tell('  registries');
  const young = await measureRead({ domains, goalsPerDomain: goals, changesPerDomain: 0 });
  const old = await measureRead({ domains, goalsPerDomain: goals, changesPerDomain: changes });
  return [...small.figures, ...list, young, old];
});

type Size = (typeof SIZE)[keyof typeof SIZE];
type Running = Omit<BenchService, 'domains'>;

async function withService<Found>(
  size: RegistrySize,
  use: (service: Running, filled: FilledRegistry) => Promise<Found>,
): Promise<Found> {
  const dataDir = temporaryDataDir();
  const filled = await fillRegistry(dataDir, size);
  const service = await serve(dataDir, filled.client, SETTINGS);
  try {
    return await use(service, filled);
  } finally {
    await service.end();
  }
}

function measureRequests(size: Size): Promise<{ figures: Figure[]; bytes: number }> {
  const one = { domains: 1, goalsPerDomain: 1, changesPerDomain: 0 };
  return withService(one, async (service, { client, domainIds }) => {
    const [id = ''] = domainIds;
    const send = await senderOf(service, client);
    const steps = [{ name: 'a', filter: { path: ['/a'] } }];
    const funnel = (name: string) => ({ name, steps: [...steps, ...steps] });
    const made = await send('POST', '/funnel', { domain_id: id, ...funnel('kept') });
    const { id: kept } = JSON.parse(made.text) as { id: string };
    let number = 0;
    const ways: Record<string, () => Promise<Sent>> = {
      'PUT funnel': () => send('PUT', '/funnel', { id: kept, ...funnel(`name ${number++}`) }),
      'GET funnel': () => send('GET', `/funnel?id=${id}`),
      'GET domain': () => send('GET', `/domain?id=${id}`),
      'POST access, refused': () => send('POST', '/access', { subdomain: 'nobody' }, 401),
    };
    const figures: Figure[] = [];
    for (const [name, way] of Object.entries(ways)) {
      const samples: number[] = [];
      for (let count = 0; count < size.requests; count++) samples.push((await way()).ms);
      figures.push({
        ...{ group: 'Management over HTTP', name, unit: 'ms', value: spreadOf(samples) },
        p99: percentile(samples, 0.99),
        target: { of: 'value', atMost: REQUEST_MS_MAX },
        requirement: 'manage',
      });
    }
    await settle(size.restMs);
    return { figures, bytes: residentBytes(service.pid) };
  });
}

function measureList(size: Size & { smallBytes: number }): Promise<Figure[]> {
  const { domains } = size;
  const many = { domains, goalsPerDomain: 0, changesPerDomain: 0 };
  return withService(many, async (service, { client }) => {
    const send = await senderOf(service, client);
    const samples: number[] = [];
    for (let round = 0; round < ROUNDS; round++) samples.push((await send('GET', '/domain')).ms);
    await settle(size.restMs);
    const more = (residentBytes(service.pid) - size.smallBytes) / 1e6;
    const group = `${domains} domains in one account`;
    return [
      {
        ...{ group, name: 'list of all', unit: 'ms', value: spreadOf(samples) },
        ...{ target: { of: 'value', atMost: LIST_MS_MAX }, requirement: 'manage-list' },
      },
      {
        ...{ group, name: 'memory, beside that of one domain', unit: 'MB' },
        ...{ value: spreadOf([more]), target: { of: 'value', atMost: LIST_MB_MAX } },
        requirement: 'manage-memory',
      },
    ];
  });
}

async function measureRead(size: RegistrySize): Promise<Figure> {
  const dataDir = temporaryDataDir();
  const { records } = await fillRegistry(dataDir, size);
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) samples.push(await readRegistry(dataDir));
  const changes = size.changesPerDomain * size.domains;
  return {
    group: 'A registry when a thread starts',
    name: `${records} records, ${changes} changes of them`,
    ...{ unit: 's', value: spreadOf(samples.map((ms) => ms / 1_000)) },
    ...{ target: { of: 'value', atMost: READ_SECONDS_MAX }, requirement: 'registry-read' },
  };
}

interface Sent {
  /** From the first byte sent to the last one received. */
  ms: number;
  text: string;
}

/** Sends requests of an account over one connection. */
async function senderOf({ address }: Running, client: FilledRegistry['client']) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let bearer = '';
  const send = (method: string, path: string, body?: object, status = 200): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const headers = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
      const text = body === undefined ? undefined : JSON.stringify(body);
      const startMs = performance.now();
      const outgoing = request(`${address}/api/v1${path}`, { agent, method, headers });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const ms = performance.now() - startMs;
          const answer = Buffer.concat(chunks).toString('utf8');
          if (incoming.statusCode === status) resolve({ ms, text: answer });
          else reject(new Error(`${method} ${path} was answered ${incoming.statusCode}`));
        });
      });
      outgoing.end(text);
    });
  const { clientId: client_id, clientSecret: client_secret } = client;
  const token = await send('POST', '/token', { client_id, client_secret });
  bearer = (JSON.parse(token.text) as { access_token: string }).access_token;
  return send;
}
