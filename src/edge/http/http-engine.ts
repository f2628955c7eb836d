/**
 * Which HTTP engine this process runs on: the first of two builds of uWebSockets.js that loads.
 *
 * Control plane. The engine is native code, one build per version of Node. Only the newer one reads
 * every request that is cut into packets, but it wants glibc 2.38; the older one runs on any Linux,
 * for Node 20 and 22. What each of them gets wrong is a table that the tests hold true:
 * `test/edge/conformance/known-failures.ts`. Only this folder knows them.
 */

import type * as uws from 'uWebSockets.js';
import { createRequire } from 'node:module';
import { errors } from '../../model/errors.ts';
import { REQUEST_HEAD_BYTES_MAX } from '../../model/limits.ts';
import { setRequestHeadBytes } from '../../settings/engine-environment.ts';

/** What the edge needs of an engine. */
export interface HttpEngine extends Pick<typeof uws, 'App' | 'SSLApp'> {
  readonly us_listen_socket_close: typeof uws.us_listen_socket_close;
  readonly us_socket_local_port: typeof uws.us_socket_local_port;
  /** Its types leave it out. */
  readonly _cfg?: (key: string) => void;
}

/** An engine, and the package it came from. */
export interface LoadedEngine {
  readonly packageName: string;
  readonly engine: HttpEngine;
}

/** How an engine is loaded. */
export interface EngineSource {
  readonly packageName: string;
  /** @throws when there is no build for this Node on this system. */
  readonly load: () => Promise<unknown>;
}

const require = createRequire(import.meta.url);

/**
 * The better one first. It is required, not imported: an import of it that fails leaves a rejected
 * promise behind on Node 20, and that ends a process.
 */
const SOURCES: readonly EngineSource[] = [
  { packageName: 'uWebSockets.js', load: async () => require('uWebSockets.js') },
  { packageName: 'uws-pack', load: () => import('uws-pack') },
];

/**
 * Loads the engine; the first call of a process belongs on the main thread.
 *
 * @throws HTTP_ENGINE_UNUSABLE when this Node on this system can load none.
 */
export async function loadHttpEngine(
  sources: readonly EngineSource[] = SOURCES,
): Promise<LoadedEngine> {
  setRequestHeadBytes(REQUEST_HEAD_BYTES_MAX);
  const failures: unknown[] = [];
  for (const { packageName, load } of sources) {
    try {
      const module = (await load()) as HttpEngine & { readonly default?: HttpEngine };
      return { packageName, engine: module.default ?? module };
    } catch (failure) {
      failures.push(failure);
    }
  }
  // Of the first: what the others want is older still.
  const [cause] = failures;
  throw errors.HTTP_ENGINE_UNUSABLE(
    { node: process.versions.node, reason: reasonOf(cause) },
    cause,
  );
}

/** What the system said: the package names platforms before it, Node its stack of files behind it. */
function reasonOf(failure: unknown): string {
  const lines = String((failure as Error).message).split('\n');
  const said = lines.findLast((line) => line.startsWith('Error: '));
  return said ?? lines.findLast((line) => line.trim() !== '') ?? 'no reason given';
}
