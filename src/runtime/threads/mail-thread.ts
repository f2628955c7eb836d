/**
 * The thread that sends mails: no server that hangs takes time of those that answer requests (O-2).
 *
 * Control plane. It reads the registry's files as an edge does, and hands its changes over like one.
 */
import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { openLog } from '../../base/log.ts';
import { Registry } from '../../control/registry/registry.ts';
import { RegistrySignal } from '../../control/registry/registry-signal.ts';
import { mailDoor } from '../../delivery/mail/mail-door.ts';
import { MailQueue } from '../../jobs/mail-queue.ts';
import { publicUrl } from '../../settings/public-url.ts';
import type { Settings } from '../../settings/schema.ts';
import { PortAppender } from '../node-registry.ts';
import { watchThread } from '../telemetry/thread-metrics.ts';

/** What the thread is started with. */
export interface MailThreadData {
  settings: Settings;
  /** Where changes of the registry go; null: into the data directory. */
  registryPort: MessagePort | null;
  /** Memory of the `RegistrySignal` of the node. */
  registrySignal: RegistrySignal['memory'];
}

/** A running thread. */
export interface MailThread {
  /** Takes `stop`; resolves when what is being sent is over. */
  command(command: string): Promise<void>;
}

/** Builds and starts it on this thread. */
export async function openMailThread(data: MailThreadData): Promise<MailThread> {
  const { settings, registryPort } = data;
  watchThread('mail', 0);
  const { logLevel: level, logFormat: format } = settings;
  const log = openLog({ level, format, thread: 'mail' });
  const changes = registryPort === null ? null : new PortAppender(registryPort);
  const signal = new RegistrySignal(data.registrySignal);
  const nowMs = systemClock();
  const registry =
    changes === null
      ? Registry.open(settings.dataDir, nowMs, signal)
      : await Registry.openShared(settings.dataDir, nowMs, changes, signal);
  const queue = new MailQueue({
    ...{ registry, door: mailDoor(settings, log), nowMs: systemClock },
    ...{ publicUrl: publicUrl(settings), isAlone: changes === null },
    onOutcome({ kind, to, attempts }, { answer }, isOver) {
      const told = { mail: kind, to, attempts, answer };
      if (isOver) log.error(told, 'a mail is given up');
      else log.warn(told, 'a mail was not sent, and is tried again');
    },
    onFault: (error) => log.error({ err: error }, 'a mail is still to be sent'),
  });
  return {
    async command() {
      await queue.stop();
      await registry.close();
      changes?.close();
    },
  };
}
