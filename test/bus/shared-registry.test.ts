// Goal: on several nodes every change lands once, in one order, and is known everywhere within a
//   second; a stream that is not this registry's is refused in one line, with nothing damaged.
// Method: several "nodes" with directories of their own on a real server; faults made on purpose.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { RegistryStream, type RegistryStreamOptions } from '../../src/bus/nats/registry.ts';
import { createAccount, createDomain, createFirstAccount } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { SharedRegistry } from '../../src/control/registry/shared-registry.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { user } from '../../src/control/resources/user.ts';
import { NatsServer } from '../support/nats-server.ts';
import { until } from '../support/until.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';
const server = new NatsServer();
let prefixes = 0;
let prefix = '';

beforeAll(() => server.start());
afterAll(() => server.dispose());
beforeEach(() => {
  prefixes++;
  prefix = `registry${prefixes}`;
});

function optionsOf(on = server): RegistryStreamOptions {
  const access = { servers: [on.url], user: null, password: null, token: null, credentials: null };
  return { access, name: 'test', prefix, replicas: 1 };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-shared-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface Node {
  registry: Registry;
  faults: Error[];
  close(): Promise<void>;
}

async function openNode(directory = newDirectory(), nowMs = NOW_MS, on = server): Promise<Node> {
  const faults: Error[] = [];
  const shared = await SharedRegistry.open(directory, optionsOf(on), (fault) => faults.push(fault));
  let isOpen = true;
  const registry = await Registry.openShared(directory, nowMs, shared);
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await registry.close();
    await shared.close();
  };
  onTestFinished(close);
  return { registry, faults, close };
}

async function stranger() {
  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  const manager = await connection.jetstreamManager();
  return { client: connection.jetstream(), manager, stream: `${prefix.toUpperCase()}_REGISTRY` };
}

function knows({ registry }: Node, email: string): boolean {
  registry.refresh();
  return registry.view.by(user, 'email', email) !== null;
}

describe('the registry of several nodes', () => {
  test('a node with an empty directory has everything before it is open, the keys included', async () => {
    const first = await openNode();
    await createAccount(first.registry, { email: EMAIL }, NOW_MS);
    const made = await createDomain(first.registry, { email: EMAIL, hostname: 'a.test' }, NOW_MS);
    const second = await openNode();
    expect(second.registry.view.find(domain, made.domain.id)).toEqual(made.domain);
    expect(second.registry.visitorKey).toEqual(first.registry.visitorKey);
    expect(second.registry.tokenKey).toEqual(first.registry.tokenKey);
    expect(second.registry.sequence).toBe(first.registry.sequence);
  });

  test('a change is known at once on its node, and within a second on all', async () => {
    const nodes = [await openNode(), await openNode(), await openNode()];
    for (const [index, node] of nodes.entries()) {
      const email = `node${index}@example.org`;
      await createAccount(node.registry, { email }, NOW_MS);
      expect(node.registry.view.by(user, 'email', email)).not.toBeNull();
      for (const other of nodes) expect(await until(() => knows(other, email))).toBeLessThan(1_000);
    }
  });

  test('nodes that open a new registry at once have the same keys, and one first account', async () => {
    const nodes = await Promise.all([openNode(), openNode(), openNode()]);
    const keys = nodes.map(({ registry }) => Buffer.from(registry.visitorKey).toString('hex'));
    expect(new Set(keys).size).toBe(1);
    const wish = { email: EMAIL, hostname: 'a.test' };
    const made = await Promise.all(
      nodes.map(({ registry }) => createFirstAccount(registry, wish, NOW_MS)),
    );
    expect(made.filter((account) => account !== null)).toHaveLength(1);
  });

  test('changes of all nodes at once land exactly once, in one order on all', async () => {
    const nodes = [await openNode(), await openNode(), await openNode()];
    const count = 15;
    await Promise.all(
      nodes.flatMap(({ registry }, node) =>
        Array.from({ length: count }, (_, index) =>
          createAccount(registry, { email: `n${node}-${index}@example.org` }, NOW_MS),
        ),
      ),
    );
    const total = nodes.length * count;
    for (const { registry } of nodes) {
      await until(() => {
        registry.refresh();
        return registry.sequence > total;
      });
    }
    for (const { registry } of nodes) {
      expect(registry.view.count(user)).toBe(total);
      expect(registry.sequence).toBe(total + 1);
    }
  });

  test('of two accounts with one email on two nodes at once one is made, one refused', async () => {
    const nodes = [await openNode(), await openNode()];
    const made = await Promise.allSettled(
      nodes.map(({ registry }) => createAccount(registry, { email: EMAIL }, NOW_MS)),
    );
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
  });

  test('what is older is decided by the order of changes, whatever the clocks say (I-9)', async () => {
    const ahead = await openNode();
    const behind = await openNode();
    const { user } = await createAccount(ahead.registry, { email: EMAIL }, NOW_MS);
    const wish = { email: EMAIL, hostname: 'a.test' };
    const first = await createDomain(ahead.registry, wish, NOW_MS + 3_600_000);
    await until(() => knows(behind, EMAIL));
    const second = await createDomain(behind.registry, wish, NOW_MS - 3_600_000);
    const domains = behind.registry.view.of(domain, 'userId', user.id);
    expect(domains.map(({ id }) => id)).toEqual([first.domain.id, second.domain.id]);
  });

  test('a change that is too large for a message is refused, and the next one counts', async () => {
    const { registry } = await openNode();
    const name = 'x'.repeat(2_000_000);
    const payload = { id: 'u', email: EMAIL, fullName: '', createdMs: 1, modifiedMs: 1, name };
    const large = registry.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () => [
      { kind: 'user-created', payload },
    ]);
    await expect(large).rejects.toMatchObject({ code: 'REGISTRY_RECORD_TOO_LARGE', status: 413 });
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    expect(registry.view.count(user)).toBe(1);
  });
});

describe('the registry while the server dies', () => {
  test('every change that was answered counts once, and none twice', async () => {
    const own = new NatsServer();
    await own.start();
    onTestFinished(() => own.dispose());
    const node = await openNode(newDirectory(), NOW_MS, own);
    const answered: string[] = [];
    let isOver = false;
    const load = (async () => {
      for (let index = 0; !isOver; index++) {
        const email = `user${index}@example.org`;
        await createAccount(node.registry, { email }, NOW_MS).then(
          () => answered.push(email),
          (error) => expect(error).toMatchObject({ code: 'LOG_UNAVAILABLE', status: 503 }),
        );
      }
    })();
    for (let kill = 0; kill < 4; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 100 + 150 * Math.random()));
      await own.kill();
      await new Promise((resolve) => setTimeout(resolve, 200 * Math.random()));
      await own.start();
    }
    const before = answered.length;
    await until(() => answered.length > before + 5, 20_000);
    isOver = true;
    await load;
    const later = await openNode(newDirectory(), NOW_MS, own);
    for (const email of answered) expect(knows(later, email)).toBe(true);
    expect(later.registry.sequence).toBe(later.registry.view.count(user) + 1);
    expect(node.faults).toEqual([]);
  }, 60_000);
});

describe('a directory and a stream that meet for the first time', () => {
  test('the directory becomes the beginning of an empty stream, also when that is cut short', async () => {
    const directory = newDirectory();
    const alone = Registry.open(directory, NOW_MS);
    await createAccount(alone, { email: EMAIL }, NOW_MS);
    await createAccount(alone, { email: 'bob@example.org' }, NOW_MS);
    const { visitorKey } = alone;
    await alone.close();
    const { append } = RegistryStream.prototype;
    let appends = 0;
    vi.spyOn(RegistryStream.prototype, 'append').mockImplementation(function (
      this: RegistryStream,
      ...args
    ) {
      appends++;
      if (appends > 1) throw new Error('cut short');
      return append.apply(this, args);
    });
    await expect(openNode(directory)).rejects.toThrow('cut short');
    vi.restoreAllMocks();
    const node = await openNode(directory);
    const other = await openNode();
    expect(other.registry.visitorKey).toEqual(visitorKey);
    expect(other.registry.view.count(user)).toBe(2);
    await createAccount(node.registry, { email: 'eve@example.org' }, NOW_MS);
    await until(() => knows(other, 'eve@example.org'));
  });

  test('a directory with accounts of its own is refused by a stream that has others', async () => {
    const { registry } = await openNode();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const directory = newDirectory();
    await Registry.open(directory, NOW_MS).close();
    await expect(openNode(directory)).rejects.toMatchObject({
      code: 'REGISTRY_DIVERGED',
      message: expect.stringContaining('both have accounts already'),
    });
    await Registry.open(directory, NOW_MS).close();
  });

  test('a directory of a stream is not opened without it', async () => {
    const directory = newDirectory();
    await (await openNode(directory)).close();
    expect(() => Registry.open(directory, NOW_MS)).toThrow('set FOOTFALL_NATS_SERVERS');
  });
});

describe('a stream that is not what it was', () => {
  test('one that is gone is refused, and not made again', async () => {
    const directory = newDirectory();
    await (await openNode(directory)).close();
    const { manager, stream } = await stranger();
    await manager.streams.delete(stream);
    await expect(openNode(directory)).rejects.toMatchObject({
      code: 'REGISTRY_DIVERGED',
      message: expect.stringContaining('it is gone'),
    });
    await expect(manager.streams.info(stream)).rejects.toThrow('not found');
  });

  test('one that was made anew is refused, whether it is shorter or longer', async () => {
    const directory = newDirectory();
    const node = await openNode(directory);
    await createAccount(node.registry, { email: EMAIL }, NOW_MS);
    await createAccount(node.registry, { email: 'bob@example.org' }, NOW_MS);
    await node.close();
    const { manager, stream } = await stranger();
    await manager.streams.delete(stream);
    const anew = await openNode();
    const refusal = { code: 'REGISTRY_DIVERGED' };
    await expect(openNode(directory)).rejects.toMatchObject(refusal);
    for (const name of ['a', 'b', 'c']) {
      await createAccount(anew.registry, { email: `${name}@example.org` }, NOW_MS);
    }
    await expect(openNode(directory)).rejects.toMatchObject(refusal);
    expect(anew.faults).toEqual([]);
  });

  test('one that ends before a record that is known stops the node that notices', async () => {
    const node = await openNode();
    await createAccount(node.registry, { email: EMAIL }, NOW_MS);
    const { manager, stream } = await stranger();
    await manager.streams.delete(stream);
    const anew = await openNode();
    const change = createAccount(node.registry, { email: 'bob@example.org' }, NOW_MS);
    await expect(change).rejects.toMatchObject({ code: 'REGISTRY_DIVERGED' });
    expect(node.faults).toHaveLength(1);
    anew.registry.refresh();
    expect(anew.registry.view.count(user)).toBe(0);
  });

  test('a record that is missing in between is noticed by whoever needs it', async () => {
    const first = await openNode();
    for (const name of ['a', 'b', 'c']) {
      await createAccount(first.registry, { email: `${name}@example.org` }, NOW_MS);
    }
    const { manager, stream } = await stranger();
    await manager.streams.deleteMessage(stream, 3);
    await expect(openNode()).rejects.toMatchObject({
      code: 'REGISTRY_DIVERGED',
      message: expect.stringContaining('missing'),
    });
    await createAccount(first.registry, { email: 'd@example.org' }, NOW_MS);
  });

  test.each([
    ['no JSON', 'hello', 'LOG_FOREIGN_RECORD'],
    ['JSON of something else', '{"format":"x"}', 'LOG_FOREIGN_RECORD'],
    ['a change without its parts', '{"format":"footfall registry 1"}', 'LOG_FOREIGN_RECORD'],
    [
      'a change of a newer version',
      '{"format":"footfall registry 1","after":1,"id":"i","atMs":1,' +
        '"changes":[{"kind":"domain-sold","payload":{"id":"x"}}]}',
      'REGISTRY_NEWER',
    ],
  ])('%s stops nodes that run and those that start, until it is removed', async (_, text, code) => {
    const directory = newDirectory();
    const node = await openNode(directory);
    const { client, manager, stream } = await stranger();
    const { seq } = await client.publish(`${prefix}.registry`, Buffer.from(text));
    await until(() => node.faults.length > 0);
    expect(node.faults[0]).toMatchObject({ code });
    const change = createAccount(node.registry, { email: EMAIL }, NOW_MS);
    await expect(change).rejects.toMatchObject({ code });
    await node.close();
    await expect(openNode(directory)).rejects.toMatchObject({ code });
    await manager.streams.deleteMessage(stream, seq);
    const again = await openNode(directory);
    await createAccount(again.registry, { email: EMAIL }, NOW_MS);
    expect((await openNode()).registry.view.count(user)).toBe(1);
  });

  test.each([
    ['by number', { max_msgs: 1_000 }],
    ['by bytes', { max_bytes: 1_000_000 }],
    ['by age', { max_age: 3_600_000_000_000 }],
  ])('one that forgets %s is refused', async (_, bound) => {
    const { manager, stream } = await stranger();
    const description = 'footfall registry, format 1';
    const subjects = [`${prefix}.registry`];
    await manager.streams.add({ name: stream, subjects, description, ...bound });
    await expect(openNode()).rejects.toMatchObject({
      code: 'STREAM_MISMATCH',
      message: expect.stringContaining('forgets'),
    });
  });
});
