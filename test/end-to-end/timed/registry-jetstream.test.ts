// Goal: on NATS accounts and sites belong to the installation, not to a data directory: commands,
//   endpoints and a node that starts with nothing all see the same.
// Method: the built service on a real server; commands beside it, while it runs and while it does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { NatsServer } from '../../support/nats-server.ts';
import { type RunningService, runCommand, startService } from '../../support/service.ts';

const server = new NatsServer();
const directories: string[] = [];
let env: Record<string, string>;
let running: RunningService;

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-nodes-'));
  directories.push(directory);
  return directory;
}

beforeAll(async () => {
  await server.start();
  env = { FOOTFALL_NATS_SERVERS: server.url, FOOTFALL_LOG_LEVEL: 'warn', FOOTFALL_EDGES: '2' };
  running = await startService({ dataDir: newDirectory(), env });
});

afterAll(async () => {
  await running.dispose();
  await server.dispose();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

test('what commands and endpoints change is there on a node that starts with nothing', async () => {
  const { email } = await running.createAccount();
  const site = await running.createDomain({ email, hostname: 'while-running.test' });
  const startMs = performance.now();
  const client = await ApiClient.whenKnown(running.baseUrl, site.client_id, site.client_secret);
  expect(performance.now() - startMs).toBeLessThan(1_000);
  const steps = ['/a', '/b'].map((path) => ({ name: path, filter: { path: [path] } }));
  const made = await client.create('funnel', { domain_id: site.id, name: 'funnel', steps });
  expect(made).toMatchObject({ name: 'funnel' });
  await running.stop();
  const stopped = await running.createDomain({ email, hostname: 'while-stopped.test' });
  // From another machine: a directory that has never been a node's.
  const flags = ['--email', email, '--hostname', 'elsewhere.test', '--data-dir', newDirectory()];
  const elsewhere = await runCommand<{ id: string }>(['domain', 'create', ...flags], env);

  const second = await startService({ dataDir: newDirectory(), env });
  try {
    const again = await ApiClient.whenKnown(second.baseUrl, site.client_id, site.client_secret);
    const { body } = await again.request('GET', `/api/v1/funnel?id=${site.id}`);
    expect(body).toEqual([made]);
    for (const { id } of [stopped, elsewhere]) expect(id).toMatch(/^\w{20}$/);
    await ApiClient.whenKnown(second.baseUrl, stopped.client_id, stopped.client_secret);
    expect(second.output).not.toContain('access_key');
  } finally {
    await second.dispose();
  }
});

test('a directory of NATS without the setting is refused in one line', async () => {
  const command = ['account', 'create', '--email', 'x@example.org', '--data-dir', directories[0]!];
  await expect(runCommand(command, {})).rejects.toThrow('set FOOTFALL_NATS_SERVERS');
});

test('a directory with a log of its own keeps its accounts when NATS is set', async () => {
  const own = await startService({ dataDir: newDirectory(), env: { FOOTFALL_LOG_LEVEL: 'warn' } });
  const { email } = await own.createAccount();
  await own.stop();
  const create = ['account', 'create', '--email', 'x@example.org', '--data-dir', own.dataDir];
  await expect(runCommand(create, env)).rejects.toThrow('unset FOOTFALL_NATS_SERVERS');
  await own.start();
  await own.createDomain({ email, hostname: 'still.test' });
  await own.dispose();
});
