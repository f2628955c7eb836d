// Goal: what is handed to a mail server is a mail that all of them take and programs show whole, of
// every kind, in both languages, whatever strangers have written into it (O-21).
// Method: the bytes, read line by line, and by the parser of somebody else (postal-mime).
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import type { Letter, RenderedMail } from '../../../src/delivery/mail/letter/letter.ts';
import { renderLetter } from '../../../src/delivery/mail/letter/render.ts';
import { composeMail } from '../../../src/delivery/mail/message.ts';
import { hostileLetters, sampleLetters } from '../../support/mail-samples.ts';

const SENDER = { name: 'Zähler', address: 'stats@example.org' };
const ID = 'aB3dE6gH9jK2mN5pQ8sT';
const AT_MS = Date.UTC(2026, 10, 16, 6, 0, 1);
/** What follows is cut off by the largest provider, with the way to end such mails. */
const CLIPPED_BYTES = 102_400;
const LINE_LENGTH_MAX = 76;

/** Everything that a mail has, each once; what else a header could bring in is none of these. */
const HEADERS = [
  ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject'],
  ...['to', 'x-auto-response-suppress'],
];
const END_HEADERS = ['list-unsubscribe', 'list-unsubscribe-post'];

const MAILS = (['en', 'de'] as const).flatMap((language) => [
  ...Object.entries(sampleLetters(language)).map(
    ([name, letter]) => [`${name} (${language})`, letter] as const,
  ),
  ...hostileLetters(language).map(
    (letter, index) => [`hostile ${index} (${language})`, letter] as const,
  ),
]);

async function bytesOf(mail: RenderedMail, endLink: string | null): Promise<Buffer> {
  const outgoing = { id: ID, kind: 'any', to: 'ada@example.org', atMs: AT_MS, mail, endLink };
  const composed = await composeMail(outgoing, SENDER);
  return composed?.bytes ?? Buffer.alloc(0);
}

const endOf = ({ end }: Letter) =>
  end?.href.startsWith('https://stats.example.org/') === true ? end.href : null;

describe.each(MAILS)('%s', (_, letter) => {
  const rendered = renderLetter(letter);
  const endLink = endOf(letter);

  test('is ASCII in short lines that end in CRLF, so that no server has to change it', async () => {
    const bytes = await bytesOf(rendered, endLink);
    expect(bytes.every((byte) => byte < 0x80)).toBe(true);
    const lines = bytes.toString('latin1').split('\r\n');
    expect(lines.every((line) => !/[\r\n\0]/.test(line))).toBe(true);
    // An address that a program is to send to stays in one line.
    const long = lines.filter((line) => line.length > LINE_LENGTH_MAX);
    expect(long.filter((line) => !line.startsWith('List-Unsubscribe: <'))).toEqual([]);
    expect(bytes.length).toBeLessThan(CLIPPED_BYTES);
  });

  test('has its headers and no other, and two parts that say what was written', async () => {
    const raw = await bytesOf(rendered, endLink);
    const parsed = await PostalMime.parse(raw);
    const names = parsed.headers.map(({ key }) => key).toSorted();
    expect(names).toEqual([...HEADERS, ...(endLink === null ? [] : END_HEADERS)].toSorted());
    expect(parsed.subject).toBe(rendered.subject);
    expect(parsed.from).toEqual(SENDER);
    expect(parsed.to).toEqual([{ name: '', address: 'ada@example.org' }]);
    expect(parsed.messageId).toBe(`<${ID}@example.org>`);
    expect(Date.parse(parsed.date ?? '')).toBe(AT_MS);
    expect(parsed.text?.trimEnd()).toBe(rendered.text.trimEnd());
    expect(parsed.html?.trimEnd()).toBe(rendered.html.trimEnd());
    expect(parsed.attachments).toEqual([]);
    const text = raw.toString('latin1');
    // The plain one first: programs show the last that they know.
    const parts = [...text.matchAll(/^Content-Type: (text\/\w+; charset=[\w-]+)\r$/gm)];
    expect(parts.map(([, type]) => type)).toEqual([
      ...['text/plain; charset=utf-8', 'text/html; charset=utf-8'],
    ]);
  });
});

test('is the same, byte for byte, but for the boundary, when it is sent again (O-1, O-21)', async () => {
  const rendered = renderLetter(sampleLetters('en')['report']!);
  const [one, other] = await Promise.all([bytesOf(rendered, null), bytesOf(rendered, null)]);
  const plain = (bytes: Buffer) => bytes.toString('latin1').replace(/_NmP-[\w-]+/g, '');
  expect(plain(one)).toBe(plain(other));
});
