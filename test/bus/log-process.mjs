/**
 * A process that appends to a local log until it is killed, over the built sources.
 *
 * Arguments: directory, prefix of its texts. Prints the text of every append that was acknowledged,
 * one a line, written before the next one is taken.
 */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { LogLinkAppender } from '../../dist/src/bus/log/appender.js';
import { LogLinkFeed } from '../../dist/src/bus/log/feed.js';
import { createLogLinks } from '../../dist/src/bus/log/links.js';

const [dir, prefix] = process.argv.slice(2);
const links = createLogLinks({ edges: 1, actors: 1, shards: 4 });
const link = links.writer;
const worker = new Worker(new URL('./log-writer.mjs', import.meta.url), {
  workerData: { options: { dir, durability: 'sync', fileBytes: 64 * 1_024 }, link },
  transferList: [link.control, ...link.edges, ...link.actors],
});
const [last] = await new Promise((resolve) => worker.once('message', (...all) => resolve(all)));
const appender = new LogLinkAppender(links.edges[0]);
new LogLinkFeed(links.actors[0]).onRecords((records) => {
  // Trims now and then, so that files are recycled under the kill.
  const { sequence } = records.at(-1);
  if (sequence % 64 === 0) {
    links.control.postMessage({ trim: sequence - 40 });
    Atomics.add(links.memory.signal, 0, 1);
    Atomics.notify(links.memory.signal, 0);
  }
});

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes all of a line; a pipe that is full (the reader is slow) is tried again. */
function print(line) {
  for (let rest = Buffer.from(line); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

let count = last;
function appendNext() {
  count++;
  const text = `${prefix}-${count}-${'x'.repeat((count * 37) % 900)}`;
  appender.append([{ shard: count % 4, payload: Buffer.from(text) }], (error) => {
    if (error !== null) throw error;
    print(`${text}\n`);
    appendNext();
  });
}
for (let running = 0; running < 8; running++) appendNext();
