/** A DNS server for tests: it answers questions for IPv4 as it is told, or not at all. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TYPE_A = 1;

/** Starts one. @param addressesOf null: no answer. */
export async function dnsServer(
  addressesOf: (name: string) => readonly string[] | null,
): Promise<{ address: string; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { address, port }) => {
    const { name, end } = nameIn(question);
    const type = question.readUInt16BE(end);
    const isFour = type === TYPE_A;
    const found = isFour ? addressesOf(name) : [];
    if (found === null) return;
    const head = Buffer.from(question.subarray(0, HEADER_BYTES));
    // An answer, recursion available, no error; one question, so many answers.
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = found.map((one) =>
      // The name of the question, A, IN, for 0 s, four bytes.
      Buffer.from([
        0xc0,
        HEADER_BYTES,
        0,
        1,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        4,
        ...one.split('.').map(Number),
      ]),
    );
    const asked = question.subarray(HEADER_BYTES, end + 4);
    socket.send(Buffer.concat([head, asked, ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

function nameIn(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  while (question[at] !== 0) {
    const length = question[at] as number;
    labels.push(question.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
