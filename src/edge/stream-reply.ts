/** How an answer that is a stream begins, and who may go on listening. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Endpoint, StreamAnswer } from '../api/endpoint.ts';
import { identify, permit, type Sender } from './authorize.ts';
import type { StreamPlace } from './event-streams.ts';
import { EventStream } from './http/event-stream.ts';
import { endHead, type Reply, writeHead } from './http/reply.ts';
import type { ExchangeHost } from './route.ts';

/** A request that is answered by a stream. */
export interface Listening {
  readonly host: ExchangeHost;
  readonly endpoint: Endpoint;
  readonly sender: Sender;
  readonly nowMs: number;
  readonly place: StreamPlace;
}

/** Writes the head, and what comes from then on. The response object is the stream's. */
export function openStream(
  res: HttpResponse,
  reply: Reply,
  answer: StreamAnswer,
  listening: Listening,
): void {
  if (reply.isHead) {
    // How long the body is nobody knows, also not of GET.
    res.cork(() => {
      writeHead(res, reply);
      endHead(res, null, reply.closesConnection);
    });
    return;
  }
  let close = (): void => undefined;
  let leave = (): void => undefined;
  const stream = new EventStream(res, listening.nowMs, () => {
    close();
    leave();
  });
  res.onAborted(() => stream.left());
  res.cork(() => {
    writeHead(res, reply);
    stream.begin();
  });
  const { host, place } = listening;
  leave = host.streams.add(stream, place, () => mayListen(answer, listening));
  close = answer.open(stream);
  // It may have ended with its first words.
  if (stream.isOver) close();
}

function mayListen(answer: StreamAnswer, { host, endpoint, sender }: Listening): boolean {
  const { access, registry, nowMs } = host.ports;
  try {
    registry.keepUp();
    const credential = identify(endpoint, { ...sender, nowMs: nowMs() }, access);
    if (credential === null) return false;
    permit(endpoint, credential);
    return answer.isAllowed(credential);
  } catch {
    return false;
  }
}
