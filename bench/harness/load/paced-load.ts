/**
 * Load at a fixed rate, in a process of its own: many connections, plain sockets, latency from the
 * moment a request was due (`pacing.ts`). Control plane.
 *
 * Sockets instead of an HTTP client, which would cost more than the server that it measures; the
 * parser knows no more than the answers of these two servers need: a status and a content-length.
 * Timers are good to a millisecond, so that is what a latency may hold of this program itself.
 * Argument: a JSON file with a `PacedPlan` and `visitBase`. Prints one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { percentile } from '../report/samples.ts';
import { Bodies } from './bodies.ts';
import type { PacedPlan } from './load.ts';
import { Pacing } from './pacing.ts';

/** Longer than that after the last request was due, and the rest counts as failed. */
const PATIENCE_MS = 30_000;

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as PacedPlan & {
  visitBase: number;
};
const url = new URL(plan.url);
const bodies = new Bodies(plan.bodies, plan);
const pacing = new Pacing(plan);
const head =
  `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\n` +
  `authorization: Bearer ${plan.token}\r\ncontent-length: `;
let failures = 0;
let startMs = 0;

const sockets = await Promise.all(
  Array.from({ length: plan.connections }, (_, index) => open(index)),
);

function open(connection: number): Promise<Socket> {
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
  let unread = '';
  socket.on('data', (chunk: Buffer) => {
    unread += chunk.toString('latin1');
    const headEnd = unread.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(unread)?.[1] ?? 0);
    if (unread.length < headEnd + 4 + length) return;
    if (!unread.startsWith('HTTP/1.1 200')) failures++;
    unread = '';
    pacing.answered(connection, performance.now() - startMs);
    sendDue();
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.on('error', reject);
  });
}

function sendDue(): void {
  for (;;) {
    const connection = pacing.take(performance.now() - startMs);
    if (connection < 0) return;
    const body = bodies.next();
    sockets[connection]!.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
}

startMs = performance.now();
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    sendDue();
    const isOver = performance.now() - startMs > plan.seconds * 1_000 + PATIENCE_MS;
    if (!pacing.isDone && !isOver) return;
    if (isOver) failures++;
    clearInterval(timer);
    resolve();
  }, 1);
});
const seconds = (performance.now() - startMs) / 1_000;
for (const socket of sockets) socket.destroy();
process.stdout.write(
  `${JSON.stringify({
    requests: pacing.latenciesMs.length,
    seconds,
    latencyMsP50: percentile(pacing.latenciesMs, 0.5),
    latencyMsP99: percentile(pacing.latenciesMs, 0.99),
    sendDelayMsP99: percentile(pacing.sendDelaysMs, 0.99),
    failures,
  })}\n`,
);
