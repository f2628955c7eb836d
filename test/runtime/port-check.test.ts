// Goal: a service never shares its address with another one by accident.
// Method: real listening sockets, one of them shared as uWebSockets.js shares its own.
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { checkPort } from '../../src/runtime/port-check.ts';

/** Another service's edge, as far as the port goes. */
const EDGE = `
  import { createRequire } from 'node:module';
  let uws;
  try {
    uws = createRequire(import.meta.url)('uWebSockets.js');
  } catch {
    uws = await import('uws-pack');
  }
  uws.App().listen('127.0.0.1', Number(process.argv[1]), (socket) => {
    process.stdout.write(socket ? 'listening' : 'failed');
  });
`;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(port: number): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as { port: number }).port;
}

test('port 0 becomes a free port that can be listened on', async () => {
  const port = await checkPort('127.0.0.1', 0);
  expect(port).toBeGreaterThan(0);
  expect(await listen(port)).toBe(port);
});

test('a free port is given back as it is', async () => {
  const port = await checkPort('127.0.0.1', 0);
  expect(await checkPort('127.0.0.1', port)).toBe(port);
});

test('a port that another process listens on is refused with what to change', async () => {
  const port = await listen(0);
  await expect(checkPort('127.0.0.1', port)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: another process listens there; stop it or choose another`,
  );
});

test('a port that is shared as the edges share theirs is refused too', async () => {
  const port = await checkPort('127.0.0.1', 0);
  const child = spawn(process.execPath, ['--input-type=module', '-e', EDGE, String(port)], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await expect(checkPort('127.0.0.1', port)).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(await checkPort('127.0.0.1', port)).toBe(port);
});

test('an address that the machine does not have is refused with what to change', async () => {
  await expect(checkPort('203.0.113.1', 0)).rejects.toThrow('choose another --host');
});
