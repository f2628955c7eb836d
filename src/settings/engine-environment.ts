/** What the HTTP engine reads from the environment by itself, once, when its native code is loaded. */

/**
 * Bounds the head of a request: request line and headers.
 *
 * Has to be called on the main thread and before the engine is loaded by any thread: what a worker
 * writes to its environment stays with that worker.
 *
 * @param bytes the engine's own default is 4,096.
 */
export function setRequestHeadBytes(bytes: number): void {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(bytes);
}
