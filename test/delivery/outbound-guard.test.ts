// Goal: no way to write an address, and nothing that a name may turn out to be, leads into a network of
// one's own (O-12); redirects are not followed (O-11).
// Method: servers on this machine count who connects; names are resolved by the test, also to another
// address each time. The same sender without the guard does connect: so each row could fail.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Resolve } from '../../src/delivery/http/guarded-lookup.ts';
import { HttpSender } from '../../src/delivery/http/http-sender.ts';

let servers: Server[];
let port: number;
let connections = 0;
/** Where the server redirects to; '' answers 200. */
let redirect = '';

beforeAll(async () => {
  servers = [await listen('127.0.0.1', 0)];
  port = (servers[0]!.address() as AddressInfo).port;
  // Where there is no IPv6 its rows are refused all the same.
  const other = await listen('::1', port).catch(() => null);
  if (other !== null) servers.push(other);
});

beforeEach(() => {
  connections = 0;
  redirect = '';
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

function listen(host: string, at: number): Promise<Server> {
  const server = createServer((_, response) => {
    if (redirect === '') response.end('reached');
    else response.writeHead(302, { location: redirect }).end();
  });
  server.on('connection', () => connections++);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, host, () => resolve(server));
  });
}

const entry = { headers: {}, body: '{}' };
const noName: Resolve = async (hostname) => {
  throw new Error(`nobody knows ${hostname}`);
};

async function post(url: string, resolve: Resolve = noName) {
  const sender = new HttpSender({ allowsPrivate: false, resolve, timeMsMax: 300 });
  const outcome = await sender.post({ url, ...entry });
  sender.close();
  return outcome;
}

test('O-12: what is allowed to be reached is reached', async () => {
  const sender = new HttpSender({ allowsPrivate: true });
  const outcome = await sender.post({ url: `http://127.0.0.1:${port}/`, ...entry });
  sender.close();
  expect(outcome).toMatchObject({ status: 200, error: '', response: 'reached' });
  expect(connections).toBe(1);
});

const LITERALS = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1'],
  ...[
    '017700000001',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '0x0',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
  ],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
  ],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]'],
  ...['[::FFFF:0:7f00:1]', '[64:ff9b::a00:1]', '[64:ff9b::10.0.0.1]', '[2002:a00:1::1]'],
  ...[
    '[2002:c0a8:101::]',
    '[::ffff:a9fe:a9fe]',
    '[0:0:0:0:0:ffff:a00:1]',
    '[ff01::1]',
    '[ff05::2]',
  ],
  ...['[2001:2::1]', '[2001:10::1]', '[5f00::1]'],
  ...['[2001:0:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[fec0::1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '169.254.169.254', '168.63.129.16'],
  ...['100.100.100.200', '192.0.0.192', '10.0.0.1', '172.16.0.1', '192.168.0.1', '224.0.0.1'],
];

test.each(LITERALS)('O-12: a host that is literally %s is not connected to', async (host) => {
  const outcome = await post(`http://${host}:${port}/`);
  expect(outcome.status).toBeNull();
  expect(outcome.error).toContain('private network');
  expect(connections).toBe(0);
});

const RESOLVED = [
  ...['127.0.0.1', '127.255.255.254', '10.1.2.3', '169.254.169.254', '0.0.0.0', '192.168.1.1'],
  ...['::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::7f00:1', '::ffff:0:7f00:1'],
  ...[
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1:fffe::10.0.0.1',
    '2002:a9fe:a9fe::1',
    '::ffff:0:10.0.0.1',
    '0:0:0:0:0:ffff:169.254.169.254',
    'fe80::1',
    'fe80::a9fe:a9fe%eth0',
    '64:ff9b::7f00:1%1',
    'fe80::1%lo',
    '::1%lo',
    'fd00::1',
  ],
  'no address',
];

test.each(RESOLVED)('O-12: a name that stands for %s is not connected to', async (address) => {
  const family = address.includes(':') ? 6 : 4;
  const outcome = await post(`http://hook.example:${port}/`, async () => [{ address, family }]);
  expect(outcome.error).toContain('private network');
  expect(connections).toBe(0);
});

test('O-12: a name that has one such address among others is not connected to', async () => {
  const outcome = await post(`http://hook.example:${port}/`, async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);
  expect(outcome.error).toContain('private network');
  expect(connections).toBe(0);
});

// A zone is no part of an address in the web: what does not parse is connected to even less.
test.each(['[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]', '[::ffff:127.0.0.1%25lo]'])(
  'O-12: %s is no address at all',
  async (host) => {
    const outcome = await post(`http://${host}:${port}/`);
    expect(outcome.status).toBeNull();
    expect(outcome.error).not.toBe('');
    expect(connections).toBe(0);
  },
);

test('O-12: the address that was checked is the one that is connected to, however often it changes', async () => {
  let asked = 0;
  // Of the documentation's range, where nobody listens; then this machine, in turns.
  const rebinding: Resolve = async () => {
    asked++;
    return [{ address: asked % 2 === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
  };
  const sender = new HttpSender({ allowsPrivate: false, resolve: rebinding, timeMsMax: 200 });
  const outcomes = [];
  for (let turn = 0; turn < 6; turn++) {
    outcomes.push(await sender.post({ url: `http://hook.example:${port}/`, ...entry }));
  }
  sender.close();
  expect(asked).toBe(6);
  expect(outcomes.map(({ status }) => status)).toEqual([null, null, null, null, null, null]);
  expect(outcomes.filter(({ error }) => error.includes('private network'))).toHaveLength(3);
  expect(connections).toBe(0);
});

test.each(['http://127.0.0.1', 'http://[::1]', 'http://169.254.169.254', 'http://localhost'])(
  'O-11, O-12: a redirect to %s is a failure, and nobody is connected to',
  async (target) => {
    redirect = `${target}:${port}/inside`;
    const sender = new HttpSender({ allowsPrivate: true });
    const outcome = await sender.post({ url: `http://127.0.0.1:${port}/`, ...entry });
    sender.close();
    expect(outcome).toMatchObject({ status: 302, error: expect.stringContaining('redirect') });
    expect(connections).toBe(1);
  },
);
