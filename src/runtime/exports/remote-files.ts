/**
 * Files of exports between the nodes of a cluster: each asks by the place that a file was written to,
 * and the node whose data directory has that place answers.
 *
 * Control plane. Bytes travel on connections of their own, so that neither leases nor hits nor questions
 * wait behind them: one of the jobs' thread, which answers, and one of each edge that has to ask, opened
 * when it has to for the first time.
 */

import { natsAccess } from '../../bus/nats/driver.ts';
import type { NatsPeer } from '../../bus/nats/peer.ts';
import { Downloads } from '../../exports/downloads.ts';
import { answerPiece } from '../../exports/file-pieces.ts';
import { errors } from '../../model/errors.ts';
import type { Settings } from '../../settings/schema.ts';

/** Who answers for a place among the nodes. */
function answererOf(place: string): string {
  return `exports-${place}`;
}

async function openPeer(settings: Settings, node: string): Promise<NatsPeer> {
  // Loaded here: NATS and its client are megabytes that a node of its own does without.
  const { NatsPeer } = await import('../../bus/nats/peer.ts');
  const name = `footfall ${settings.host}:${settings.port} files`;
  return NatsPeer.open(natsAccess(settings), { prefix: settings.natsPrefix, node, name });
}

/**
 * Answers for the place of this data directory.
 *
 * @returns what ends it. @throws NATS_UNREACHABLE, NATS_REFUSED.
 */
export async function offerFiles(
  settings: Settings,
  place: string,
  onFault: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const peer = await openPeer(settings, answererOf(place));
  peer.answerLarge((question) => answerPiece(settings.dataDir, question), onFault);
  return () => peer.close();
}

/** Downloads of an edge, and what ends what runs for them. */
export interface EdgeDownloads {
  readonly downloads: Downloads;
  close(): Promise<void>;
}

/** @param isOneOfSeveral whether other nodes may have files. */
export function edgeDownloads(settings: Settings, isOneOfSeveral: boolean): EdgeDownloads {
  const remote = isOneOfSeveral ? new RemoteFiles(settings) : null;
  const ask = remote === null ? null : remote.ask.bind(remote);
  const downloads = new Downloads(settings.dataDir, ask);
  return { downloads, close: async () => remote?.close() };
}

/** The end that asks, of one thread. */
class RemoteFiles {
  readonly #settings: Settings;
  #peer: Promise<NatsPeer> | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Asks the node that has a place. @throws what it throws; NODE_AWAY when nobody answers for it. */
  async ask(place: string, question: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const peer = await this.#opened();
    return peer.ask(answererOf(place), question, timeoutMs);
  }

  async close(): Promise<void> {
    const peer = await this.#peer?.catch(() => null);
    await peer?.close();
  }

  async #opened(): Promise<NatsPeer> {
    this.#peer ??= openPeer(this.#settings, '');
    try {
      return await this.#peer;
    } catch (cause) {
      this.#peer = null;
      throw errors.NODE_AWAY({ reason: (cause as Error).message }, cause);
    }
  }
}
