/**
 * Imports of a million rows from every product, through the job of a running service: killed twice and
 * gone on with, once more, taken back; rows a second of processor time, and memory above rest.
 *
 * Control plane. Every total and every page is compared with what the generator counted, after each
 * step: a difference ends the run. `BENCH_IMPORTS=fathom,umami`, or `all`, names the sources; without it
 * it is one of sums and one of hits, as few rows as ever, so that a run of all benchmarks ends in time.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert } from '../../src/base/assert.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import { makeSource, SOURCES } from '../harness/data/import-sources.ts';
import { type MadeSource, SOURCE_DAYS, SOURCE_FIRST_MS } from '../harness/data/source-parts.ts';
import { macro } from '../harness/macro.ts';
import { childrenOf, familyCpuMs, residentBytes } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchService, settle, startService } from '../harness/service.ts';

const ROWS = { smoke: 600, normal: 100_000, full: 1_000_000 } as const;
/** One of sums, one of hits: each has a service of its own. */
const FEW_SOURCES = ['plausible', 'goatcounter'];
const HOSTNAME = 'example.org';
const LOOK_MS = 100;
/** At rest after a start. */
const REST_MS = 2_000;
const PAGES = 100;
const PROGRAM = new URL('../../src/main.js', import.meta.url).pathname;
const run = promisify(execFile);

type Service = Omit<BenchService, 'domains'>;

interface Job {
  readonly state: string;
  readonly rows_read: number;
  readonly rows_imported: number;
  readonly error: string | null;
}

macro('macro/imports', async ({ seed, isSmoke, isFull, tell }) => {
  const wanted = (process.env['BENCH_IMPORTS'] ?? '').split(',').filter((name) => name !== '');
  const isNamed = wanted.length > 0;
  const names = isNamed ? (wanted.includes('all') ? SOURCES : wanted) : FEW_SOURCES;
  const rows = ROWS[isSmoke ? 'smoke' : isFull && isNamed ? 'full' : 'normal'];
  const figures: Figure[] = [];
  for (const name of names) {
    figures.push(...(await importsOf(name, { rows, seed, tell })));
  }
  return figures;
});

async function importsOf(
  name: string,
  { rows, seed, tell }: { rows: number; seed: number; tell: (text: string) => void },
): Promise<Figure[]> {
  const { domains, ...service } = await startService({ hostnames: [HOSTNAME] });
  const site = new ImportedSite(service, domains[0]?.id ?? '');
  const folder = join(service.dataDir, 'source');
  const source = makeSource(name, folder, { rows, seed });
  const nothing = { ...source.sums, visitors: 0, sessions: 0, views: 0, pages: new Map() };
  const kills = await site.importKilled(folder, source.counted);
  await site.compare(source.sums, `${name}, after ${kills} kills`);
  const { cpuMs, seconds, aboveBytes } = await site.importMeasured(folder);
  await site.compare(source.sums, `${name}, once more`);
  const takenBackMs = await site.takeBack();
  await site.compare(nothing, `${name}, taken back`);
  await site.end();
  rmSync(folder, { recursive: true, force: true });
  const mb = Math.round(aboveBytes / 1e6);
  tell(
    `  ${name}: ${source.rows} rows, ${kills} kills, ${(cpuMs / 1_000).toFixed(1)} s of CPU in ` +
      `${seconds.toFixed(1)} s, ${mb} MB above rest; equal, twice the same, taken back`,
  );
  const group = `Import of ${(source.rows / 1e6).toFixed(2)} million rows, killed ${kills} times before`;
  const line = (what: string, unit: string, value: number): Figure => ({
    ...{ group, name: `${name}: ${what}`, unit, value: spreadOf([value]) },
  });
  return [
    line('rows a second of processor time, all of the service', '1/s', source.rows / (cpuMs / 1e3)),
    line('processor time', 's', cpuMs / 1_000),
    line('memory above rest at most, the process that reads included', 'MB', aboveBytes / 1e6),
    line('taken back after', 's', takenBackMs / 1_000),
  ];
}

/** A site whose service imports. */
class ImportedSite {
  #service: Service;
  readonly #id: string;

  constructor(service: Service, id: string) {
    this.#service = service;
    this.#id = id;
  }

  /** Imports, with a SIGKILL while it reads and one while it writes. @returns how many there were. */
  async importKilled(folder: string, rows: number): Promise<number> {
    await this.#start(folder);
    let kills = 0;
    await this.#untilEnded(async (job) => {
      const isReading = kills === 0 && job.rows_read > rows / 3;
      const isWriting = kills === 1 && job.rows_imported > rows / 3;
      if (!isReading && !isWriting) return;
      kills++;
      this.#service = (await this.#service.crash()).again;
    });
    return kills;
  }

  async importMeasured(folder: string) {
    await settle(REST_MS);
    const { pid } = this.#service;
    const restBytes = residentBytes(pid);
    const fromCpuMs = familyCpuMs(pid);
    const startMs = performance.now();
    let most = restBytes;
    await this.#start(folder);
    await this.#untilEnded(async () => {
      const readers = childrenOf(pid).map(residentBytes).filter(Number.isFinite);
      most = Math.max(
        most,
        [residentBytes(pid), ...readers].reduce((sum, one) => sum + one),
      );
    });
    const seconds = (performance.now() - startMs) / 1_000;
    return { cpuMs: familyCpuMs(pid) - fromCpuMs, seconds, aboveBytes: most - restBytes };
  }

  /** @returns milliseconds until nothing of it is seen. */
  async takeBack(): Promise<number> {
    const startMs = performance.now();
    const token = await this.#service.newToken();
    const url = `${this.#service.address}/api/v1/external/import/job?domain_id=${this.#id}`;
    const init = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } };
    const { status } = await fetch(url, init);
    assert(status === 200, `the import was taken back: ${status}`);
    while ((await this.#total()).views !== 0) await settle(LOOK_MS);
    return performance.now() - startMs;
  }

  /** @throws at the first figure that is not the generator's own. */
  async compare(sums: MadeSource['sums'], when: string): Promise<void> {
    const total = await this.#total();
    for (const field of ['visitors', 'sessions', 'views'] as const) {
      const found = `${when}: ${field} are ${total[field]}, the source has ${sums[field]}`;
      assert(total[field] === sums[field], found);
    }
    const query = `page?${this.#range()}&sort=views&direction=desc&limit=${PAGES}`;
    const pages = (await this.#service.ask(`/statistics/${query}`)) as {
      path: string;
      views: number;
    }[];
    assert(pages.length === Math.min(sums.pages.size, PAGES), `${when}: ${pages.length} pages`);
    for (const { path, views } of pages) {
      const known = sums.pages.get(path);
      assert(views === known, `${when}: ${path} has ${views} views, the source ${known}`);
    }
  }

  end(): Promise<void> {
    return this.#service.end();
  }

  async #start(folder: string): Promise<void> {
    const data = ['--data-dir', this.#service.dataDir, '--id', this.#id];
    await run(process.execPath, [PROGRAM, 'import', ...data, '--file', folder, '--json']);
  }

  async #untilEnded(look: (job: Job) => Promise<void>): Promise<void> {
    for (;;) {
      const path = `/external/import/job?domain_id=${this.#id}`;
      const job = (await this.#service.ask(path)) as Job;
      if (job.state === 'done') return;
      const isOpen = job.state === 'waiting' || job.state === 'running';
      assert(isOpen, `the import has ${job.state}: ${job.error}`);
      await look(job);
      await settle(LOOK_MS);
    }
  }

  async #total(): Promise<Record<'visitors' | 'sessions' | 'views', number>> {
    const total = await this.#service.ask(`/statistics/total?${this.#range()}`);
    return total as Record<'visitors' | 'sessions' | 'views', number>;
  }

  #range(): string {
    const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
    const last = SOURCE_FIRST_MS + (SOURCE_DAYS - 1) * DAY_MS;
    return `id=${this.#id}&from=${day(SOURCE_FIRST_MS)}&to=${day(last)}`;
  }
}
