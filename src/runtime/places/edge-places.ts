/**
 * The location databases of an edge: opened in the memory that all edges share, and exchanged between
 * two requests when the node sends others (`node-places.ts`).
 *
 * Control plane; `locate` is data plane.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { collectGarbage } from '../../base/heap.ts';
import type { PlaceCredit } from '../../ingest/data/place-makers.ts';
import { type Locate, Locator, openFile } from '../../ingest/place/locate.ts';
import type { PlaceDatabase } from '../../ingest/place/place-database.ts';
import { creditOf } from './place-credits.ts';
import type { ReadPlaceFile } from './read-place-files.ts';

/** One per edge. */
export class EdgePlaces {
  readonly #locator: Locator;
  #credits: readonly PlaceCredit[];

  /** @param port on which the files in use have come already. */
  constructor(port: MessagePort) {
    const first = receiveMessageOnPort(port);
    assert(first !== undefined, 'the databases in use were sent before the thread started');
    const files = first.message as readonly ReadPlaceFile[];
    this.#locator = new Locator(opened(files));
    this.#credits = creditsOf(files);
    port.on('message', (newer: readonly ReadPlaceFile[]) => this.#replace(newer));
    port.unref();
  }

  readonly locate: Locate = (ip) => this.#locator.locate(ip);

  /** What has to be said of the databases in use. */
  readonly credits = (): readonly PlaceCredit[] => this.#credits;

  #replace(files: readonly ReadPlaceFile[]): void {
    this.#locator.replace(opened(files));
    this.#credits = creditsOf(files);
    // Shared memory weighs nothing in this thread's heap: that of before would stay for hours.
    collectGarbage();
  }
}

function opened(files: readonly ReadPlaceFile[]): PlaceDatabase[] {
  return files.map(({ path, bytes }) => openFile(path, Buffer.from(bytes)));
}

/** Each once: a maker may have a file for IPv4 and one for IPv6. */
function creditsOf(files: readonly ReadPlaceFile[]): readonly PlaceCredit[] {
  const credits = files.map(({ path, description }) => creditOf(path, description));
  return [...new Set(credits.filter((credit) => credit !== null))];
}
