/**
 * The registry of a process: the data directory's own, or the one that the nodes on NATS share.
 *
 * Control plane. The main thread has the connection; edges read the directory's copy themselves and
 * hand their changes to the main thread through a port.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Registry, type RegistryAppender } from '../control/registry/registry.ts';
import {
  errors,
  OperatingError,
  restoreError,
  type SentError,
  sendError,
} from '../model/errors.ts';
import type { Settings } from '../settings/schema.ts';
import { checkRegistry, type StoredRecord } from '../store/registry-store.ts';
import { checkLayout, checkLogKind } from './directory/data-layout.ts';
import { natsAccess } from './nats-access.ts';

/** An open registry. */
export interface NodeRegistry {
  registry: Registry;
  /** null: the directory has the registry alone. */
  appender: RegistryAppender | null;
  close(): Promise<void>;
}

/**
 * Opens the registry of the settings; with NATS, what other nodes have appended is in it.
 *
 * @param onFault later: the stream has a record that cannot be applied.
 * @throws DATA_DIR_UNUSABLE, DATA_DIR_LAYOUT, STORE_DAMAGED, and what `SharedRegistry.open` throws.
 */
export async function openNodeRegistry(
  settings: Settings,
  nowMs: number,
  onFault: (error: Error) => void,
): Promise<NodeRegistry> {
  const { dataDir } = settings;
  const layout = checkLayout(dataDir);
  const isAlone = settings.natsServers.length === 0;
  // On NATS the copy here comes back from the stream.
  checkRegistry(dataDir, isAlone && layout !== null);
  if (isAlone) {
    const registry = Registry.open(dataDir, nowMs);
    return { registry, appender: null, close: () => registry.close() };
  }
  checkLogKind(dataDir, 'nats');
  // Loaded here: without NATS nobody needs its client.
  const { SharedRegistry } = await import('../control/registry/shared-registry.ts');
  const shared = await SharedRegistry.open(dataDir, streamOptions(settings), onFault);
  try {
    const registry = await Registry.openShared(dataDir, nowMs, shared);
    const close = async () => {
      await registry.close();
      await shared.close();
    };
    return { registry, appender: shared, close };
  } catch (error) {
    await shared.close();
    throw error;
  }
}

function streamOptions(settings: Settings) {
  return {
    access: natsAccess(settings),
    name: `footfall registry, process ${process.pid}`,
    prefix: settings.natsPrefix,
    replicas: settings.natsReplicas,
  };
}

type Question = { id: number; after: number; record: StoredRecord };
type Reply = { id: number; isFirst: boolean } | { id: number; error: SentError };

/** A port for an edge's changes; null when the edge writes them itself. */
export function appendPort(
  { appender }: NodeRegistry,
  onFault: (error: unknown) => void,
): MessagePort | null {
  if (appender === null) return null;
  const { port1, port2 } = new MessageChannel();
  port1.on('message', ({ id, after, record }: Question) => {
    appender.append(after, record).then(
      (isFirst) => port1.postMessage({ id, isFirst } satisfies Reply),
      (error: unknown) => {
        if (!(error instanceof OperatingError)) onFault(error);
        const known = error instanceof OperatingError ? error : errors.INTERNAL({}, error);
        port1.postMessage({ id, error: sendError(known) } satisfies Reply);
      },
    );
  });
  return port2;
}

/** An edge's end: changes go through the main thread. */
export class PortAppender implements RegistryAppender {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #count = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (reply: Reply) => {
      const settle = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      settle?.(reply);
    });
  }

  async append(after: number, record: StoredRecord): Promise<boolean> {
    this.#count++;
    const id = this.#count;
    const replied = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#port.postMessage({ id, after, record } satisfies Question);
    const reply = await replied;
    if ('error' in reply) throw restoreError(reply.error);
    return reply.isFirst;
  }

  close(): void {
    this.#port.close();
  }
}
