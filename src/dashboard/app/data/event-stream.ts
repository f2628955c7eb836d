/**
 * Server-Sent Events over fetch: a stream of the browser's own could carry no token (M-82).
 *
 * Lost connections are made anew, later each time; an answer that refuses ends it.
 */
import { credentials } from './api.ts';

/** What came: the name of an event, and its data. */
export type OnEvent = (name: string, data: unknown) => void;

const WAIT_MS_MIN = 1_000;
const WAIT_MS_MAX = 30_000;

/**
 * Listens until the signal says stop.
 *
 * @param onState whether the stream is open.
 */
export async function listen(
  address: string,
  { onEvent, onState }: { onEvent: OnEvent; onState: (isOpen: boolean) => void },
  signal: AbortSignal,
): Promise<void> {
  for (let waitMs = WAIT_MS_MIN; !signal.aborted; waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) {
    try {
      const headers = { Accept: 'text/event-stream', ...credentials() };
      const response = await fetch(address, { headers, signal, cache: 'no-store' });
      if (response.ok && response.body !== null) {
        onState(true);
        waitMs = WAIT_MS_MIN;
        await readEvents(response.body, onEvent);
      } else if (response.status < 500 && response.status !== 429) return;
    } catch {
      // The service is away, or the page has left.
    }
    onState(false);
    await pause(waitMs, signal);
  }
}

async function readEvents(body: ReadableStream<Uint8Array>, onEvent: OnEvent): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = (await reader.read()) as ReadableStreamReadResult<string>;
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) tell(block, onEvent);
  }
}

function tell(block: string, onEvent: OnEvent): void {
  let name = 'message';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
  }
  if (data !== '') onEvent(name, JSON.parse(data));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
