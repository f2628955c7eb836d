/** Exports over HTTP, as a client does them. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from './clients/client.ts';
import { makeTemporaryDirectory } from './service.ts';
import { until } from './until.ts';

/** An export, as far as tests look at it. */
export interface ShownExport {
  id: string;
  domain_id: string;
  state: string;
  rows: number;
  files: { name: string; bytes: number; sha256: string; url: string }[];
  expires: string | null;
  error: string | null;
}

/** What an export is asked for. */
export interface ExportWish {
  what?: string;
  format?: string;
  from?: string;
  to?: string;
}

/** A busy machine takes its time. */
const ENDS_WITHIN_MS = 120_000;

/** What a domain's exports are done with. */
export class Exporting {
  readonly #client: ApiClient;
  readonly #baseUrl: string;
  readonly #domainId: string;

  constructor(client: ApiClient, baseUrl: string, domainId: string) {
    this.#client = client;
    this.#baseUrl = baseUrl;
    this.#domainId = domainId;
  }

  async start(wish: ExportWish = {}): Promise<ShownExport> {
    const body = { domain_id: this.#domainId, ...wish };
    return (await this.#client.create('export', body)) as unknown as ShownExport;
  }

  async list(): Promise<ShownExport[]> {
    const { body } = await this.#client.request('GET', `/api/v1/export?id=${this.#domainId}`);
    return body as ShownExport[];
  }

  async one(id: string): Promise<ShownExport | undefined> {
    return (await this.list()).find((job) => job.id === id);
  }

  /** Waits until it has ended. */
  async ended(id: string): Promise<ShownExport> {
    let job = await this.one(id);
    await until(async () => {
      job = await this.one(id);
      return job?.state !== 'waiting' && job?.state !== 'running';
    }, ENDS_WITHIN_MS);
    return job as ShownExport;
  }

  async whole(wish: ExportWish = {}): Promise<ShownExport> {
    return this.ended((await this.start(wish)).id);
  }

  /** @returns the status of the answer. */
  async remove(id: string): Promise<number> {
    return (await this.#client.request('DELETE', `/api/v1/export?id=${id}`)).status;
  }

  /** Asks for a file as the list names it. */
  fetch(url: string, asked: RequestInit = {}): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.#client.bearer}` };
    return fetch(`${this.#baseUrl}${url}`, { ...asked, headers });
  }

  /** Fetches all files into a new folder; each has to be what the list says. @returns the folder. */
  async download({ files }: ShownExport): Promise<string> {
    const folder = join(makeTemporaryDirectory(), 'export');
    mkdirSync(folder);
    for (const { name, bytes, sha256, url } of files) {
      const response = await this.fetch(url);
      const content = Buffer.from(await response.arrayBuffer());
      const found = { bytes: content.length, sha256: sha256Of(content) };
      if (response.status !== 200 || found.bytes !== bytes || found.sha256 !== sha256) {
        throw new Error(`${name}: ${response.status} ${JSON.stringify(found)}`);
      }
      writeFileSync(join(folder, name), content);
    }
    return folder;
  }
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
