/** A writer thread over the built sources: the loop of the service in a real thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { LocalLogWriter } from '../../dist/src/bus/local/log-writer.js';

const writer = new LocalLogWriter(workerData.options, workerData.link);
parentPort.postMessage(writer.lastSequence);
writer.run();
workerData.link.control.close();
