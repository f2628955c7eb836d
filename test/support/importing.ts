/** Imports over HTTP, as a client does them. */
import type { ApiClient } from './clients/client.ts';
import { until } from './until.ts';

/** An import job, as far as tests look at it. */
export interface ShownJob {
  id: string;
  state: string;
  format: string;
  rows_read: number;
  rows_imported: number;
  rows_skipped: number;
  error: string | null;
}

/** A busy machine takes its time. */
const ENDS_WITHIN_MS = 120_000;

/** What a domain's imports are done with. */
export class Importing {
  readonly #client: ApiClient;
  readonly #domainId: string;

  constructor(client: ApiClient, domainId: string) {
    this.#client = client;
    this.#domainId = domainId;
  }

  /** Uploads a file. @returns its id. */
  async upload(name: string, bytes: Buffer): Promise<string> {
    const path = `/api/v1/external/upload?domain_id=${this.#domainId}`;
    const headers = { 'X-Filename': encodeURIComponent(name) };
    const { status, body } = await this.#client.request('POST', path, { body: bytes, headers });
    if (status !== 200) throw new Error(`upload was answered ${status}: ${JSON.stringify(body)}`);
    return (body as { id: string }).id;
  }

  /** What could be imported now. */
  async uploads(): Promise<readonly { name: string; id: string }[]> {
    const path = `/api/v1/external/import/profile?domain_id=${this.#domainId}`;
    return (await this.#client.request('GET', path)).body as { name: string; id: string }[];
  }

  /** Starts an import. */
  async start(property: string, days: { from?: string; to?: string } = {}): Promise<ShownJob> {
    const body = { domain_id: this.#domainId, property, ...days };
    return (await this.#client.create('external/import', body)) as unknown as ShownJob;
  }

  /** The newest job. */
  async job(): Promise<ShownJob> {
    const path = `/api/v1/external/import/job?domain_id=${this.#domainId}`;
    return (await this.#client.request('GET', path)).body as ShownJob;
  }

  /** Waits until the newest job has ended. */
  async ended(): Promise<ShownJob> {
    let job = await this.job();
    await until(async () => {
      job = await this.job();
      return job.state !== 'waiting' && job.state !== 'running';
    }, ENDS_WITHIN_MS);
    return job;
  }

  /** Uploads and imports a file, to the end. */
  async whole(name: string, bytes: Buffer, days: { from?: string; to?: string } = {}) {
    await this.start(await this.upload(name, bytes), days);
    return this.ended();
  }

  /** Cancels the newest job, and takes back what it wrote. */
  async cancel(): Promise<void> {
    const path = `/api/v1/external/import/job?domain_id=${this.#domainId}`;
    const { status, body } = await this.#client.request('DELETE', path);
    if (status !== 200) throw new Error(`it was answered ${status}: ${JSON.stringify(body)}`);
  }
}
