/**
 * The registry of a process: the data directory's own, or the one that the nodes on NATS share.
 *
 * Control plane. The main thread has the connection; edges read the directory's copy themselves and
 * hand their changes to the main thread through a port.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { askedDriver } from '../bus/drivers.ts';
import { natsAccess } from '../bus/nats/driver.ts';
import { answerCalls, type OnFault, PortCaller } from '../bus/request-reply.ts';
import { Registry, type RegistryAppender } from '../control/registry/registry.ts';
import { RegistrySignal } from '../control/registry/registry-signal.ts';
import { RegistryWatch } from '../control/registry/registry-watch.ts';
import type { Settings } from '../settings/schema.ts';
import { checkRegistry, type StoredRecord } from '../store/registry-store.ts';
import { checkLayout, checkLogKind } from './directory/data-layout.ts';

/** How changes get into the registry of a data directory, and how its threads hear of them. */
interface RegistryAccess {
  /** null: the directory has the registry alone. */
  readonly appender: RegistryAppender | null;
  /** Says all threads of the node that there is something new. */
  readonly signal: RegistrySignal;
  close(): Promise<void>;
}

/** A registry with its records. */
export interface OpenRegistry extends RegistryAccess {
  readonly registry: Registry;
}

/** What the main thread of a node has of it: none of the records. */
export interface NodeRegistry extends RegistryAccess {
  readonly watch: RegistryWatch;
}

/**
 * Opens the registry of the settings; with NATS, what other nodes have appended is in it.
 *
 * @param onFault later: the stream has a record that cannot be applied.
 * @throws DATA_DIR_UNUSABLE, DATA_DIR_LAYOUT, STORE_DAMAGED, and what `SharedRegistry.open` throws.
 */
export async function openRegistry(
  settings: Settings,
  nowMs: number,
  onFault: (error: Error) => void,
): Promise<OpenRegistry> {
  const access = await openAccess(settings, onFault);
  return closedOnFault(access, async () => {
    const registry = await readRegistry(settings, nowMs, access);
    const close = async () => {
      await registry.close();
      await access.close();
    };
    return { ...access, registry, close };
  });
}

/** As `openRegistry`, without reading the records; a new registry is made. */
export async function openNodeRegistry(
  settings: Settings,
  nowMs: number,
  onFault: (error: Error) => void,
): Promise<NodeRegistry> {
  const access = await openAccess(settings, onFault);
  return closedOnFault(access, async () => {
    const watch = new RegistryWatch(settings.dataDir, access.signal, access.appender !== null);
    const close = async () => {
      await watch.close();
      await access.close();
    };
    return closedOnFault({ close }, async () => {
      // Its keys are made before any thread asks for them.
      if (watch.isNew) await (await readRegistry(settings, nowMs, access)).close();
      return { ...access, watch, close };
    });
  });
}

async function openAccess(
  settings: Settings,
  onFault: (error: Error) => void,
): Promise<RegistryAccess> {
  const { dataDir } = settings;
  const layout = checkLayout(dataDir);
  const driver = askedDriver(settings);
  const isAlone = !driver.isShared;
  // Where nodes share a log the copy here comes back from their stream.
  checkRegistry(dataDir, isAlone && layout !== null);
  const signal = RegistrySignal.create();
  if (isAlone) return { appender: null, signal, close: async () => {} };
  checkLogKind(dataDir, driver.kind);
  // Loaded here: without NATS nobody needs its client.
  const { SharedRegistry } = await import('../control/registry/shared-registry.ts');
  const shared = await SharedRegistry.open(dataDir, streamOptions(settings), onFault, signal);
  return { appender: shared, signal, close: () => shared.close() };
}

async function readRegistry(
  { dataDir }: Settings,
  nowMs: number,
  { appender, signal }: RegistryAccess,
): Promise<Registry> {
  return appender === null
    ? Registry.open(dataDir, nowMs, signal)
    : Registry.openShared(dataDir, nowMs, appender, signal);
}

async function closedOnFault<Opened>(
  access: Pick<RegistryAccess, 'close'>,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    await access.close();
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

/** An edge's change, to be appended behind a position of the stream; or a wish to have what is there. */
type AppenderCall = { after: number; record: StoredRecord } | 'catch-up';

/** A port for an edge's changes; null when the edge writes them itself. */
export function appendPort({ appender }: NodeRegistry, onFault: OnFault): MessagePort | null {
  if (appender === null) return null;
  const { port1, port2 } = new MessageChannel();
  const answer = (call: AppenderCall): Promise<unknown> =>
    call === 'catch-up' ? appender.catchUp() : appender.append(call.after, call.record);
  answerCalls(port1, answer, onFault);
  return port2;
}

/** An edge's end: changes go through the main thread. */
export class PortAppender implements RegistryAppender {
  readonly #main: PortCaller<AppenderCall>;

  constructor(port: MessagePort) {
    this.#main = new PortCaller(port);
  }

  append(after: number, record: StoredRecord): Promise<boolean> {
    return this.#main.call({ after, record });
  }

  catchUp(): Promise<void> {
    return this.#main.call('catch-up');
  }

  close(): void {
    this.#main.close();
  }
}
