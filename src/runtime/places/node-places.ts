/**
 * The location databases of a node: read once for all edges, and again when they change.
 *
 * Control plane, on the main thread, which only looks at the dates of files. A thread that lives as long
 * as it reads brings the bytes into shared memory (`read-place-files.ts`); each edge is handed the same
 * bytes and takes them between two requests, so no hit waits and none is without a place.
 *
 * A file that has changed is read once it has stayed as it is from one look to the next. One that cannot
 * be used is named in the log, and the databases of before stay until there is a better one.
 */

import { stat } from 'node:fs/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { collectGarbage } from '../../base/heap.ts';
import { setSharedInterval } from '../../base/shared-interval.ts';
import type { Log } from '../../model/log.ts';
import type { Settings } from '../../settings/schema.ts';
import { placeFiles } from '../directory/place-files.ts';
import { startThread } from '../link/threads.ts';
import { type ReadPlaceFile, versionOf } from './read-place-files.ts';

/** How often the files are looked at. */
const LOOK_MS = 1_000;

/** What the thread that reads is started with. */
export interface PlacesThreadData {
  readonly files: readonly AskedFile[];
}

/** A file to be read, and the checksum that it has to have. */
type AskedFile = Pick<ReadPlaceFile, 'path' | 'check'>;

/** Databases in use. */
export class NodePlaces {
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #ports: MessagePort[] = [];
  #files: readonly ReadPlaceFile[];
  /** As the last look found them. */
  #seen: string;
  /** What is in use, and what was tried last and cannot be used. */
  #used: string;
  #refused = '';
  #isReading = false;
  #isAsked = false;
  #isListBroken = false;
  readonly #endLooks: () => void;

  private constructor(settings: Settings, log: Log, files: readonly ReadPlaceFile[]) {
    this.#settings = settings;
    this.#log = log;
    this.#files = files;
    this.#used = versionsOf(files);
    this.#seen = this.#used;
    this.#endLooks = setSharedInterval(() => void this.#look(), LOOK_MS);
  }

  /**
   * Reads the databases of a node, and looks after them from then on.
   *
   * @throws LOCATION_DATABASE_UNREADABLE for the first that cannot be used.
   */
  static async open(settings: Settings, log: Log): Promise<NodePlaces> {
    return new NodePlaces(settings, log, await readFiles(placeFiles(settings)));
  }

  /** For a thread that starts: a port on which the files in use have come already, and newer ones will. */
  link(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(this.#files);
    this.#ports.push(port1);
    return port2;
  }

  /** Reads the files again now, changed or not. */
  reload(): void {
    this.#isAsked = true;
    void this.#look();
  }

  /** Looks no more. */
  close(): void {
    this.#endLooks();
    for (const port of this.#ports) port.close();
  }

  async #look(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const files = this.#asked();
    const seen = await currentVersions(files);
    const isNew = seen !== this.#used && seen !== this.#refused;
    const isSteady = seen === this.#seen;
    this.#seen = seen;
    if (this.#isAsked || (isNew && isSteady)) await this.#read(files, seen);
    this.#isReading = false;
    // Asked while it was reading: what was read may be older than the question.
    if (this.#isAsked) void this.#look();
  }

  /** Of the files of now; of those in use while nobody can tell which these are. */
  #asked(): readonly AskedFile[] {
    try {
      const files = placeFiles(this.#settings);
      this.#isListBroken = false;
      return files;
    } catch (error) {
      if (!this.#isListBroken) this.#log.tell('places.stay', { err: error });
      this.#isListBroken = true;
      return this.#files;
    }
  }

  async #read(asked: readonly AskedFile[], seen: string): Promise<void> {
    this.#isAsked = false;
    try {
      this.#files = await readFiles(asked);
    } catch (error) {
      this.#refused = seen;
      this.#log.tell('places.stay', { err: error });
      return;
    }
    this.#refused = '';
    this.#used = versionsOf(this.#files);
    for (const port of this.#ports) port.postMessage(this.#files);
    const files = this.#files.map(({ path, description }) => ({ path, ...description }));
    // Nothing of the size of those of before would ever be allocated here, so the engine is told.
    collectGarbage();
    this.#log.tell('places.changed', { files });
  }
}

/** Reads in a thread of its own, which ends with it. */
async function readFiles(asked: readonly AskedFile[]): Promise<readonly ReadPlaceFile[]> {
  const data: PlacesThreadData = { files: asked.map(({ path, check }) => ({ path, check })) };
  const { worker, found } = await startThread<readonly ReadPlaceFile[]>('places', data, []);
  await worker.terminate();
  return found;
}

function versionsOf(files: readonly ReadPlaceFile[]): string {
  return files.map(({ path, version }) => `${path} ${version}`).join('\n');
}

async function currentVersions(files: readonly AskedFile[]): Promise<string> {
  const lines = files.map(async ({ path }) => {
    const found = await stat(path, { bigint: true }).catch(() => null);
    return `${path} ${found === null ? 'missing' : versionOf(found)}`;
  });
  return (await Promise.all(lines)).join('\n');
}
