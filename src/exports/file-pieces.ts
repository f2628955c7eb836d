/**
 * Pieces of an export's files between nodes: what is asked for, and how the node that has it answers.
 *
 * Control plane. Each piece is asked for by itself, and the node that answers keeps nothing between two
 * of them. So a question whose answer was lost is asked again, a node that was started again goes on,
 * and of a client that has left nobody has to be told.
 *
 *     question: JSON of `FilePiece`         answer: `length` bytes
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { errors } from '../model/errors.ts';
import { DOWNLOAD_PIECE_BYTES } from '../model/export-limits.ts';
import { exportFolder } from './offered.ts';

const ID = /^\w+$/;
const NAME = /^\w[\w-]*\.\w+$/;

/** Bytes of a file that is known by its name and size. */
export interface FilePiece {
  /** Of the export. */
  readonly id: string;
  readonly name: string;
  /** Of the whole file. */
  readonly bytes: number;
  readonly offset: number;
  /** 0: whether the file is there. */
  readonly length: number;
}

/** What is sent to ask for a piece. */
export function pieceQuestion(piece: FilePiece): Uint8Array {
  return Buffer.from(JSON.stringify(piece));
}

/**
 * Answers a question of another node.
 *
 * @throws RECORD_NOT_FOUND when there is no such file of that size, or no such piece of one.
 */
export async function answerPiece(dataDir: string, question: Uint8Array): Promise<Uint8Array> {
  const piece = pieceOf(question);
  if (piece === null) throw errors.RECORD_NOT_FOUND({ kind: 'file', id: '' });
  const { id, name, bytes, offset, length } = piece;
  const gone = () => errors.RECORD_NOT_FOUND({ kind: 'file', id: name });
  const file = await open(join(exportFolder(dataDir, id), name)).catch(() => null);
  if (file === null) throw gone();
  try {
    const { size } = await file.stat();
    if (size !== bytes) throw gone();
    const found = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await file.read(found, at, length - at, offset + at);
      if (bytesRead === 0) throw gone();
      at += bytesRead;
    }
    return found;
  } finally {
    await file.close();
  }
}

/** null for what no node of ours asks. */
function pieceOf(question: Uint8Array): FilePiece | null {
  let sent: Partial<FilePiece> | null;
  try {
    sent = JSON.parse(Buffer.from(question).toString()) as Partial<FilePiece> | null;
  } catch {
    return null;
  }
  const { id = '', name = '', bytes = -1, offset = -1, length = -1 } = sent ?? {};
  const isNamed = ID.test(String(id)) && NAME.test(String(name));
  const isWhole = [bytes, offset, length].every((each) => Number.isSafeInteger(each) && each >= 0);
  const isInside = length <= DOWNLOAD_PIECE_BYTES && offset + length <= bytes;
  return isNamed && isWhole && isInside ? { id, name, bytes, offset, length } : null;
}
