/**
 * Server-Sent Events over fetch: a stream of the browser's own could carry no token (M-82).
 *
 * Lost connections are made anew, later each time and when the service asked for it; a refusal that
 * trying again does not mend ends it. A connection that died without a word is noticed by its silence.
 */
import { ApiError, isPassing, openStream } from './api.ts';
import { backoffMs, pause } from './backoff.ts';

/** Whom a stream tells. */
export interface StreamListener {
  /** It is open, the first time or again: what came before is not told. */
  onOpen(): void;
  /** What came: the name of an event, and its data. */
  onEvent(name: string, data: unknown): void;
  /** It ended. It is tried again unless the error stays (`isPassing`). */
  onLost(error: ApiError): void;
}

/** The service says a word every 15 s (O-50): without three of them nobody is there. */
const SILENCE_MS_MAX = 50_000;
/** A stream that lasted so long is none that fails at once, again and again. */
const LASTED_MS = 5_000;

/** Listens until the signal says stop, or a refusal. */
export async function listen(
  address: string,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    const startMs = performance.now();
    const error = await listenOnce(address, listener, signal);
    if (signal.aborted) return;
    listener.onLost(error);
    if (!isPassing(error)) return;
    if (performance.now() - startMs > LASTED_MS) failures = 1;
    await pause(backoffMs(failures, error.retryAfterSeconds), signal);
  }
}

/** @returns why the stream ended. */
async function listenOnce(
  address: string,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<ApiError> {
  const connection = new AbortController();
  const end = () => connection.abort();
  signal.addEventListener('abort', end);
  try {
    const body = await openStream(address, connection.signal);
    listener.onOpen();
    await readEvents(body, (name, data) => signal.aborted || listener.onEvent(name, data), end);
    return new ApiError(0, '');
  } catch (error) {
    return error instanceof ApiError ? error : new ApiError(0, '');
  } finally {
    end();
    signal.removeEventListener('abort', end);
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (name: string, data: unknown) => void,
  onSilence: () => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let silence = 0;
  let rest = '';
  try {
    for (;;) {
      silence = window.setTimeout(onSilence, SILENCE_MS_MAX);
      const { done, value } = await reader.read();
      clearTimeout(silence);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) tell(block, onEvent);
    }
  } finally {
    clearTimeout(silence);
  }
}

function tell(block: string, onEvent: (name: string, data: unknown) => void): void {
  let name = 'message';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
  }
  if (data !== '') onEvent(name, JSON.parse(data));
}
