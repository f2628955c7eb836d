/**
 * A certificate and its key, as files in PEM (P-41): what makes them a pair, and whether they are still
 * the same.
 *
 * Control plane. The HTTP engine reads files by itself, each edge on its own thread. So a pair has the
 * hash of both files, and an edge looks before and after whether they are what the main thread has
 * checked: while one of the files is already replaced and the other not yet, no edge takes them.
 */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errors } from '../../model/errors.ts';

/** A certificate and its key that fit. */
export interface TlsPair {
  readonly certFile: string;
  readonly keyFile: string;
  /** Of the bytes of both. */
  readonly hash: string;
  /** The names that browsers accept it for. */
  readonly names: string;
  readonly validToMs: number;
}

/**
 * Reads and checks a pair.
 *
 * @throws TLS_PAIR_UNUSABLE when a file cannot be read, is not PEM, or the key is another one's.
 */
export function readTlsPair(certFile: string, keyFile: string): TlsPair {
  const cert = readPart(certFile, 'certificate', (bytes) => new X509Certificate(bytes));
  const key = readPart(keyFile, 'private key without a passphrase', createPrivateKey);
  if (!cert.value.checkPrivateKey(key.value)) {
    const reason = `it is not the key of the certificate in ${certFile}`;
    throw errors.TLS_PAIR_UNUSABLE({ path: keyFile, reason });
  }
  const { subjectAltName, subject, validTo } = cert.value;
  return {
    ...{ certFile, keyFile, hash: hashOf(cert.bytes, key.bytes) },
    names: (subjectAltName ?? subject).replaceAll(/\b(DNS|IP Address):/g, ''),
    validToMs: Date.parse(validTo),
  };
}

/** Whether the files are still what was checked; false also where they cannot be read. */
export function isStill({ certFile, keyFile, hash }: TlsPair): boolean {
  try {
    return hashOf(readFileSync(certFile), readFileSync(keyFile)) === hash;
  } catch {
    return false;
  }
}

function readPart<Part>(path: string, what: string, parse: (bytes: Buffer) => Part) {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.TLS_PAIR_UNUSABLE({ path, reason }, cause);
  }
  try {
    // Other forms are read here, but not by the HTTP engine.
    if (bytes.includes('-----BEGIN ')) return { bytes, value: parse(bytes) };
  } catch {
    // What the library says of it names neither the file nor what is wrong.
  }
  throw errors.TLS_PAIR_UNUSABLE({ path, reason: `it has no ${what} in PEM` });
}

function hashOf(cert: Buffer, key: Buffer): string {
  const hash = createHash('sha256').update(cert).update('\0').update(key);
  return hash.digest('hex');
}
