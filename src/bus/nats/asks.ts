/**
 * Requests from node to node: request and reply of any size, with a deadline.
 *
 * Control plane. A reply larger than a message comes in chunks. Errors cross as `bus/request-
 * reply.ts` says. The client keeps what it sends until the server has taken it: who answers with much
 * bounds how much that is (`answerLargeAsks`).
 */

import {
  createInbox,
  ErrorCode,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NatsError,
  type Subscription,
} from 'nats';
import { Semaphore } from '../../base/semaphore.ts';
import {
  errors,
  type OperatingError,
  restoreError,
  type SentError,
  sendError,
} from '../../model/errors.ts';
import { type OnFault, type Outcome, outcomeOf } from '../request-reply.ts';

const CHUNK_HEADER = 'Footfall-Part';
const ERROR_HEADER = 'Footfall-Error';
/** Room that headers and protocol take in a message. */
const MESSAGE_HEAD_BYTES = 1_024;
/** Large answers that are made, or wait for the server to take them. */
const LARGE_AT_ONCE = 16;
/** Questions that may wait for their turn; more are refused. */
const LARGE_WAITING_COUNT_MAX = 1_024;

/** What answers questions; a rejection that is no operating error is answered as INTERNAL. */
export type Answerer = (question: Uint8Array) => Promise<Uint8Array>;

/** Subject on which a node answers. */
export function askSubject(prefix: string, node: string): string {
  return `${prefix}.ask.${node}`;
}

/** Answers questions until the subscription ends. */
export function answerAsks(
  connection: NatsConnection,
  subject: string,
  answer: Answerer,
  onFault: OnFault,
): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error !== null || !message.reply) return;
      void outcomeOf(() => answer(message.data), onFault).then((outcome) =>
        respond(connection, message, outcome),
      );
    },
  });
}

/** As `answerAsks`, a few at once: the next one only when the server has the answer before. */
export function answerLargeAsks(
  connection: NatsConnection,
  subject: string,
  answer: Answerer,
  onFault: OnFault,
): Subscription {
  const turns = new Semaphore(LARGE_AT_ONCE);
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error !== null || !message.reply) return;
      if (turns.waitingCount >= LARGE_WAITING_COUNT_MAX) {
        const refusal = errors.OVERLOADED({ reason: 'too many ask another node at once' });
        respond(connection, message, { error: sendError(refusal) });
        return;
      }
      void turns.run(async () => {
        respond(connection, message, await outcomeOf(() => answer(message.data), onFault));
        // A connection that breaks forgets what waits.
        await connection.flush().catch(() => undefined);
      });
    },
  });
}

/**
 * Asks a node.
 *
 * @throws what it throws; NODE_AWAY when it is not there or does not answer in time.
 */
export function ask(
  connection: NatsConnection,
  subject: string,
  question: Uint8Array,
  timeoutMs: number,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const inbox = createInbox();
    const chunks: Uint8Array[] = [];
    const end = (settle: () => void) => {
      clearTimeout(timer);
      subscription.unsubscribe();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(notThere('it does not answer'))), timeoutMs);
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        const fault = error === null ? faultOf(message) : notThere(error.message);
        if (fault !== null) {
          end(() => reject(fault));
          return;
        }
        const [chunk = 1, count = 1] = (message.headers?.get(CHUNK_HEADER) ?? '1/1')
          .split('/')
          .map(Number);
        chunks[chunk - 1] = message.data;
        if (chunk === count) end(() => resolve(Buffer.concat(chunks)));
      },
    });
    connection.publish(subject, question, { reply: inbox });
  });
}

function respond(connection: NatsConnection, message: Msg, outcome: Outcome<Uint8Array>): void {
  // Nobody is there to hear it any more.
  if (connection.isClosed()) return;
  if ('value' in outcome) sendChunks(connection, message, outcome.value);
  else message.respond(undefined, { headers: errorHeader(outcome.error) });
}

function errorHeader(error: SentError): MsgHdrs {
  const head = headers();
  head.set(ERROR_HEADER, JSON.stringify(error));
  return head;
}

function sendChunks(connection: NatsConnection, message: Msg, bytes: Uint8Array): void {
  const room = (connection.info?.max_payload ?? 1_048_576) - MESSAGE_HEAD_BYTES;
  const count = Math.max(1, Math.ceil(bytes.length / room));
  for (let chunk = 0; chunk < count; chunk++) {
    const head = headers();
    head.set(CHUNK_HEADER, `${chunk + 1}/${count}`);
    message.respond(bytes.subarray(chunk * room, (chunk + 1) * room), { headers: head });
  }
}

function faultOf(message: Msg): OperatingError | null {
  const sent = message.headers?.get(ERROR_HEADER) ?? '';
  if (sent !== '') return restoreError(JSON.parse(sent) as SentError);
  const isNobody = message.headers?.code === 503 && message.data.length === 0;
  return isNobody
    ? notThere(new NatsError('nobody listens', ErrorCode.NoResponders).message)
    : null;
}

function notThere(reason: string): OperatingError {
  return errors.NODE_AWAY({ reason });
}
