// Goal: on several nodes a file is whole wherever a theme that shows it is known, and goes everywhere.
// Method: several "nodes" with directories of their own on a real server; the same file on many at once.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createAccount } from '../../src/control/accounts.ts';
import { Files, fileContent } from '../../src/control/files.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { SharedRegistry } from '../../src/control/registry/shared-registry.ts';
import { file } from '../../src/control/resources/file.ts';
import { type Theme, theme } from '../../src/control/resources/theme.ts';
import { saveTheme, themeRemoval } from '../../src/control/themes.ts';
import { FILE_BYTES_MAX } from '../../src/model/limits.ts';
import { largePng } from '../support/images.ts';
import { NatsServer } from '../support/nats-server.ts';
import { until } from '../support/until.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const BY = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;
const server = new NatsServer();
let prefixes = 0;
let prefix = '';

beforeAll(() => server.start());
afterAll(() => server.dispose());
beforeEach(() => {
  prefixes++;
  prefix = `files${prefixes}`;
});

interface Node {
  registry: Registry;
  records: Records;
  files: Files;
  faults: Error[];
  close(): Promise<void>;
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-files-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function nodeOf(registry: Registry, faults: Error[], close: () => Promise<void>): Node {
  let isOpen = true;
  const once = async () => {
    if (isOpen) await close();
    isOpen = false;
  };
  onTestFinished(once);
  const doors = { records: new Records(registry), files: new Files(registry) };
  return { registry, faults, ...doors, close: once };
}

async function openNode(directory = newDirectory()): Promise<Node> {
  const nobody = { user: null, password: null, token: null, credentials: null };
  const access = { servers: [server.url], ...nobody };
  const faults: Error[] = [];
  const options = { access, name: 'test', prefix, replicas: 1 };
  const shared = await SharedRegistry.open(directory, options, (fault) => faults.push(fault));
  const registry = await Registry.openShared(directory, NOW_MS, shared);
  return nodeOf(registry, faults, async () => {
    await registry.close();
    await shared.close();
  });
}

async function userOf({ registry }: Node): Promise<string> {
  const email = `someone${Math.random()}@example.org`;
  return (await createAccount(registry, { email }, NOW_MS)).user.id;
}

const save = (node: Node, userId: string, image: Uint8Array): Promise<Theme> =>
  saveTheme(
    node,
    {
      ...{ target: { kind: 'new' }, copyOf: null },
      files: new Map([['favicon', fileContent('image/png', image)]]),
    },
    { ...BY, userId, sent: { name: 'T' } },
  );
const remove = ({ records }: Node, { id, ownerId }: Theme) =>
  records.decide(BY, (view, nowMs) => {
    const changes = themeRemoval(id, false, { view, nowMs, userId: ownerId ?? '' });
    return { changes, result: null };
  });
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The bytes that a node has of a file, null when it has none. */
function read({ files }: Node, hash: string): Buffer | null {
  const found = files.find(hash);
  if (found === null) return null;
  const pieces: Uint8Array[] = [];
  for (let offset = 0; offset < found.byteCount; ) {
    const piece = files.bytesAt(hash, offset);
    if (piece === null) return null;
    pieces.push(piece);
    offset += piece.length;
  }
  return Buffer.concat(pieces);
}

test('a file of 1 MiB is on all nodes within a second, also on one that comes later (M-70)', async () => {
  const nodes = [await openNode(), await openNode(), await openNode()] as const;
  const image = largePng(FILE_BYTES_MAX);
  const made = await save(nodes[0], await userOf(nodes[0]), image);
  for (const node of [...nodes, await openNode()]) {
    expect(await until(() => read(node, hashOf(image)) !== null)).toBeLessThan(1_000);
    expect(read(node, hashOf(image))?.equals(image)).toBe(true);
  }
  await remove(nodes[1], made);
  for (const node of nodes) {
    await until(() => node.files.find(hashOf(image)) === null);
    expect(node.registry.part(file.table, hashOf(image), 0)).toBeNull();
    expect(node.registry.part(file.table, hashOf(image), 1)).toBeNull();
    expect(node.faults).toEqual([]);
  }
  const late = await openNode();
  expect(late.registry.part(file.table, hashOf(image), 0)).toBeNull();
});

test('the same file, brought and taken away by many at once, is whole where it is shown', async () => {
  const nodes = [await openNode(), await openNode()];
  const image = largePng(600_000);
  const work = nodes.map(async (node) => {
    const userId = await userOf(node);
    for (let round = 0; round < 6; round++) {
      const made = await save(node, userId, image);
      expect(read(node, hashOf(image))?.equals(image)).toBe(true);
      if (round < 5) await remove(node, made);
    }
  });
  await Promise.all(work);
  for (const node of nodes) {
    await until(() => {
      node.registry.refresh();
      return node.registry.view.count(theme) === 2;
    });
    expect(read(node, hashOf(image))?.equals(image)).toBe(true);
    for (const one of node.registry.view.all(theme)) await remove(node, one);
    expect(node.registry.view.count(file)).toBe(0);
    break;
  }
});

test('a directory with files becomes the beginning of an empty stream, and opens again', async () => {
  const directory = newDirectory();
  const own = Registry.open(directory, NOW_MS);
  const alone = nodeOf(own, [], () => own.close());
  const userId = await userOf(alone);
  const [kept, gone] = [largePng(FILE_BYTES_MAX), largePng(700_000)];
  await save(alone, userId, kept);
  await remove(alone, await save(alone, userId, gone));
  await alone.close();
  await (await openNode(directory)).close();
  const again = await openNode(directory);
  for (const node of [again, await openNode()]) {
    expect(read(node, hashOf(kept))?.equals(kept)).toBe(true);
    expect(node.files.find(hashOf(gone))).toBeNull();
    expect(node.registry.sequence).toBe(again.registry.sequence);
  }
});
