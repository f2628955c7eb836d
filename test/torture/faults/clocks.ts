/**
 * Clocks of nodes that can be stepped: libfaketime before the program, where it is installed.
 *
 * Only the time of day moves, as it does when somebody sets it; what counts milliseconds goes on.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where distributions put it; `*` is a directory of any name. */
const PLACES = ['/usr/lib', '/usr/lib64', '/usr/local/lib'];
const LIBRARY = 'faketime/libfaketimeMT.so.1';

/** The clocks of a run. */
export class Clocks {
  readonly #library = findLibrary();
  readonly #directory: string;

  /** @param directory for the files that tell the nodes their offset. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Why there are none, '' where they can be had. */
  get reason(): string {
    return this.#library === '' ? 'libfaketime is not installed' : '';
  }

  /** What a node is started with. */
  environment(node: number): Readonly<Record<string, string>> {
    if (this.#library === '') return {};
    this.step(node, 0);
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#fileOf(node),
      // Looked at once a second.
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Sets a node's clock so many seconds ahead, or back where that is below 0. */
  step(node: number, seconds: number): void {
    writeFileSync(this.#fileOf(node), `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  #fileOf(node: number): string {
    return join(this.#directory, `clock-${node}`);
  }
}

function findLibrary(): string {
  const places = PLACES.filter((place) => existsSync(place)).flatMap((place) => [
    place,
    ...readdirSync(place, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.endsWith('-linux-gnu'))
      .map(({ name }) => join(place, name)),
  ]);
  return places.map((place) => join(place, LIBRARY)).find((path) => existsSync(path)) ?? '';
}
