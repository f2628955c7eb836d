/**
 * The certificate of a node (P-41): checked by the main thread, and again when it changes.
 *
 * Control plane. Files that have changed are read once they have stayed as they are from one look to the
 * next, since two of them are never replaced at the same moment. A pair that cannot be used is named in
 * the log, and the one before stays in use until there is a better one.
 */
import { stat } from 'node:fs/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { setSharedInterval } from '../../base/shared-interval.ts';
import { readTlsPair, type TlsPair } from '../../edge/http/tls-pair.ts';
import { restoreError, type SentError } from '../../model/errors.ts';
import type { Log } from '../../model/log.ts';
import type { Settings } from '../../settings/schema.ts';

/** How often the files are looked at. */
const LOOK_MS = 1_000;

/** What an edge says of a pair: it has it, or why it has not. */
export type TlsAnswer = SentError | null;

/** What an edge is started with. */
export interface CertificateLink {
  /** null: HTTP without TLS. */
  readonly tls: TlsPair | null;
  /** Brings later ones, and takes a {@link TlsAnswer} to each. */
  readonly tlsPort: MessagePort;
}

/** The pair in use, and the edges that have it. */
export class NodeCertificate {
  readonly #files: readonly [string, string] | null;
  readonly #log: Log;
  readonly #ports: MessagePort[] = [];
  #pair: TlsPair | null;
  /** Of the pair that every edge has; '' while one has refused what others have taken. */
  #hash: string;
  /** One pair at a time: answers have no names. */
  #turn = Promise.resolve();
  /** As the last look found the files, and as they were when they were last read. */
  #seen = '';
  #read = '';
  #isLooking = false;
  readonly #endLooks: (() => void) | null = null;

  /** @throws TLS_PAIR_UNUSABLE */
  constructor(settings: Settings, log: Log) {
    const { tlsCert, tlsKey } = settings;
    this.#log = log;
    this.#files = tlsCert === null || tlsKey === null ? null : [tlsCert, tlsKey];
    this.#pair = certificateOf(settings);
    this.#hash = this.#pair?.hash ?? '';
    if (this.#pair === null) return;
    this.#tell(this.#pair);
    this.#endLooks = setSharedInterval(() => void this.#look(), LOOK_MS);
  }

  /** What one more edge needs; its port moves there. */
  link(): CertificateLink {
    const { port1, port2 } = new MessageChannel();
    port1.unref();
    this.#ports.push(port1);
    return { tls: this.#pair, tlsPort: port2 };
  }

  /** Reads the files again now; the same pair is not taken twice. */
  reload(): void {
    const files = this.#files;
    if (files !== null) this.#turn = this.#turn.then(() => this.#take(files));
  }

  /** Looks no more. */
  close(): void {
    this.#endLooks?.();
    for (const port of this.#ports) port.close();
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#files === null) return;
    this.#isLooking = true;
    const seen = await versionsOf(this.#files);
    const isSteady = seen === this.#seen;
    this.#seen = seen;
    if (isSteady && seen !== this.#read) {
      // So too at the first look: whether they have changed since the start nobody knows.
      this.#read = seen;
      this.reload();
    }
    this.#isLooking = false;
  }

  async #take([certFile, keyFile]: readonly [string, string]): Promise<void> {
    try {
      const pair = readTlsPair(certFile, keyFile);
      if (pair.hash === this.#hash) return;
      const answers = await Promise.all(this.#ports.map((port) => renewed(port, pair)));
      const refused = answers.find((answer) => answer !== null);
      this.#hash = refused === undefined ? pair.hash : '';
      if (refused !== undefined) throw restoreError(refused);
      this.#pair = pair;
      this.#tell(pair);
    } catch (error) {
      this.#log.tell('certificate.stays', { err: error });
    }
  }

  #tell({ certFile, names, validToMs }: TlsPair): void {
    const validTo = new Date(validToMs).toISOString();
    this.#log.tell('certificate.taken', { path: certFile, names, validTo });
    if (validToMs < systemClock()) this.#log.tell('certificate.over', { path: certFile, validTo });
  }
}

/**
 * The pair of the settings; null where there is none.
 *
 * @throws TLS_PAIR_UNUSABLE
 */
export function certificateOf({ tlsCert, tlsKey }: Settings): TlsPair | null {
  return tlsCert === null || tlsKey === null ? null : readTlsPair(tlsCert, tlsKey);
}

/** Hands a pair to an edge. */
function renewed(port: MessagePort, pair: TlsPair): Promise<TlsAnswer> {
  return new Promise((resolve) => {
    port.once('message', resolve);
    port.postMessage(pair);
  });
}

/** What changes whenever one of the files is written or another one takes its name. */
async function versionsOf(files: readonly string[]): Promise<string> {
  const versions = files.map(async (file) => {
    try {
      const { dev, ino, size, mtimeNs } = await stat(file, { bigint: true });
      return `${dev}:${ino}:${size}:${mtimeNs}`;
    } catch {
      return 'none';
    }
  });
  return (await Promise.all(versions)).join(' ');
}
