/**
 * The address lists of the installation (I-24): from the settings and from files, read by the main
 * thread once and shared by all edges.
 *
 * Control plane. A file has an address or a range a line; what stands behind it on the line, and lines
 * that begin with `#` or `;`, are comments, as in the lists that are published.
 */

import { readFileSync, statSync } from 'node:fs';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { AddressRangeList, type AddressRanges } from '../../base/address-set.ts';
import type { ListedRanges } from '../../ingest/address-filter.ts';
import { errors } from '../../model/errors.ts';
import { ADDRESS_FILE_BYTES_MAX } from '../../model/limits.ts';
import type { Log } from '../../model/log.ts';
import type { Settings } from '../../settings/schema.ts';

/** What an edge is started with. */
export interface AddressListsLink {
  /** null: nobody is listed. */
  readonly addressLists: ListedRanges | null;
  /** Brings later ones. */
  readonly addressListsPort: MessagePort;
}

/** The lists of a node, and the edges that have them. */
export class NodeAddressLists {
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #ports: MessagePort[] = [];
  #lists: ListedRanges | null;

  /** @throws ADDRESS_LIST_UNREADABLE when a file is missing or has a line that is no address. */
  constructor(settings: Settings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    this.#lists = readAddressLists(settings);
  }

  /** What one more edge needs; its port moves there. */
  link(): AddressListsLink {
    const { port1, port2 } = new MessageChannel();
    port1.unref();
    this.#ports.push(port1);
    return { addressLists: this.#lists, addressListsPort: port2 };
  }

  /** Reads the files again; where that fails the edges keep what they have. */
  reload(): void {
    try {
      this.#lists = readAddressLists(this.#settings);
    } catch (error) {
      this.#log.tell('address-lists.stay', { err: error });
      return;
    }
    for (const port of this.#ports) port.postMessage(this.#lists);
  }
}

type ListSettings = Pick<Settings, 'ipBlock' | 'ipBlockFile' | 'ipAllow' | 'ipAllowFile'>;

/** @throws ADDRESS_LIST_UNREADABLE */
export function readAddressLists(settings: ListSettings): ListedRanges | null {
  const { ipBlock, ipBlockFile, ipAllow, ipAllowFile } = settings;
  const isNone = ipBlockFile === null && ipAllowFile === null;
  if (isNone && ipBlock.length + ipAllow.length === 0) return null;
  return { block: rangesOf(ipBlock, ipBlockFile), allow: rangesOf(ipAllow, ipAllowFile) };
}

function rangesOf(listed: readonly string[], path: string | null): AddressRanges {
  const list = new AddressRangeList();
  for (const range of listed) list.add(range);
  if (path !== null) addFile(list, path);
  return list.ranges(true);
}

function addFile(list: AddressRangeList, path: string): void {
  const text = readText(path);
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const entry = /^\s*([^\s#;]*)/.exec(text.slice(start, end))?.[1] ?? '';
    if (entry !== '' && !list.add(entry)) {
      throw errors.ADDRESS_LIST_UNREADABLE({ path, reason: `line ${line} is no address` });
    }
    start = end + 1;
  }
}

function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size <= ADDRESS_FILE_BYTES_MAX) return readFileSync(path, 'latin1');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.ADDRESS_LIST_UNREADABLE({ path, reason }, cause);
  }
  throw errors.ADDRESS_LIST_UNREADABLE({
    path,
    reason: `it has more than ${ADDRESS_FILE_BYTES_MAX} bytes`,
  });
}
