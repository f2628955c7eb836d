/**
 * Questions from node to node: request and answer, of any size, with a deadline.
 *
 * Control plane. An answer larger than a message comes in parts; an operating error crosses as itself.
 */

import {
  createInbox,
  ErrorCode,
  headers,
  type Msg,
  type NatsConnection,
  NatsError,
  type Subscription,
} from 'nats';
import {
  errors,
  OperatingError,
  restoreError,
  type SentError,
  sendError,
} from '../../model/errors.ts';

const PART_HEADER = 'Footfall-Part';
const ERROR_HEADER = 'Footfall-Error';
/** Room that headers and protocol take in a message. */
const MESSAGE_HEAD_BYTES = 1_024;

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
  onFault: (error: unknown) => void,
): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error !== null || !message.reply) return;
      answer(message.data).then(
        (bytes) => sendParts(connection, message, bytes),
        (fault: unknown) => {
          if (!(fault instanceof OperatingError)) onFault(fault);
          const known = fault instanceof OperatingError ? fault : errors.INTERNAL({});
          const head = headers();
          head.set(ERROR_HEADER, JSON.stringify(sendError(known)));
          message.respond(undefined, { headers: head });
        },
      );
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
    const parts: Uint8Array[] = [];
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
        const [part = 1, count = 1] = (message.headers?.get(PART_HEADER) ?? '1/1')
          .split('/')
          .map(Number);
        parts[part - 1] = message.data;
        if (part === count) end(() => resolve(Buffer.concat(parts)));
      },
    });
    connection.publish(subject, question, { reply: inbox });
  });
}

function sendParts(connection: NatsConnection, message: Msg, bytes: Uint8Array): void {
  const room = (connection.info?.max_payload ?? 1_048_576) - MESSAGE_HEAD_BYTES;
  const count = Math.max(1, Math.ceil(bytes.length / room));
  for (let part = 0; part < count; part++) {
    const head = headers();
    head.set(PART_HEADER, `${part + 1}/${count}`);
    message.respond(bytes.subarray(part * room, (part + 1) * room), { headers: head });
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
