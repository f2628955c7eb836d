/**
 * The text of a file of a source, piece by piece and line by line: memory is a piece, whatever the
 * size of the file. UTF-8, or UTF-16 where a mark at the beginning says so, as spreadsheets and one
 * product write.
 */

import { SOURCE_ROW_LENGTH_MAX } from '../../model/import-limits.ts';
import { ImportFault, type Place, type SourceFile } from '../adapter.ts';

type Decoder = InstanceType<typeof TextDecoder>;

const REPLACEMENT = '\u{fffd}';

/** What bytes that are no text are taken for: a fault, or a replacement character. */
export type Strictness = 'strict' | 'lenient';

/** @throws ImportFault when it is no text and that matters. */
export async function* textOf(
  file: SourceFile,
  how: Strictness = 'strict',
): AsyncGenerator<string> {
  const isStrict = how === 'strict';
  let decoder: Decoder | null = null;
  let line = 1;
  for await (const bytes of (await file.open()) as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: isStrict });
    const piece = decoded(decoder, bytes, { file: file.name, line });
    if (piece === '') continue;
    yield piece;
    if (isStrict) line += lineBreaksIn(piece);
  }
  const last = decoder === null ? '' : decoded(decoder, null, { file: file.name, line });
  if (last !== '') yield last;
}

/** A batch of lines, without their ends. */
export interface Lines {
  /** The number of the first one. */
  readonly first: number;
  readonly lines: readonly string[];
}

/**
 * The lines of a file; the last one too where no line break ends it.
 *
 * @throws ImportFault when a line is longer than any may be.
 */
export async function* linesOf(file: SourceFile, how?: Strictness): AsyncGenerator<Lines> {
  let first = 1;
  let rest = '';
  for await (const piece of textOf(file, how)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() as string;
    if (rest.length > SOURCE_ROW_LENGTH_MAX) {
      const place = { file: file.name, line: first + lines.length };
      throw new ImportFault(place, `a line of at most ${SOURCE_ROW_LENGTH_MAX} characters`, rest);
    }
    if (lines.length > 0) yield { first, lines: lines.map(withoutReturn) };
    first += lines.length;
  }
  if (rest !== '') yield { first, lines: [withoutReturn(rest)] };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Number of line breaks in a text. */
export function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** What the first bytes of a text say of all of it. The mark itself the decoder leaves out. */
export function encodingOf(bytes: Buffer): 'utf-16le' | 'utf-8' {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
}

/** @throws ImportFault; what the decoder says of it is no help to anybody. */
function decoded(decoder: Decoder, bytes: Buffer | null, { file, line }: Place): string {
  const text = decodedOrNull(decoder, bytes);
  if (text !== null) return text;
  const lenient = new TextDecoder(decoder.encoding).decode(bytes ?? undefined);
  const before = lineBreaksIn(lenient.slice(0, Math.max(lenient.indexOf(REPLACEMENT), 0)));
  throw new ImportFault({ file, line: line + before }, 'text in UTF-8');
}

function decodedOrNull(decoder: Decoder, bytes: Buffer | null): string | null {
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The first characters of a file, for who is to say what it is. */
export async function headOf(file: SourceFile, lengthMax: number): Promise<string> {
  let head = '';
  for await (const piece of textOf(file, 'lenient')) {
    head += piece;
    if (head.length >= lengthMax) break;
  }
  return head.slice(0, lengthMax);
}
