/**
 * `npm run fuzz`: so many requests with something odd in them, sent to a service of its own over
 * connections that are kept.
 *
 * Exit status 0 when each was answered as the contract says, the process is the same one at the end
 * and its memory stayed within a bound; else 1 with what was wrong and how to send it again.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { freePort } from '../support/ports.ts';
import { Child } from '../torture/cluster/child.ts';
import type { Target } from './good-requests.ts';
import { ManagedWorlds, type RecordCounts } from './managed.ts';
import { MemoryWatch } from './memory.ts';
import { fuzzedRequest } from './requests.ts';
import { faultOf } from './verdict.ts';
import { Wire } from './wire.ts';

/** The built program; this file is built too, into `dist/test/fuzz`. */
const FOOTFALL = new URL('../../src/main.js', import.meta.url).pathname;
const HOSTNAME = 'fuzz.example';
/** Faults that are told in full. */
const TOLD_FAULT_COUNT_MAX = 20;
const TOLD_BYTES_MAX = 600;
/** How long an answer may take; a head that never ends is not waited for. */
const ANSWER_MS_MAX = 60_000;
const BROKEN_ANSWER_MS_MAX = 500;
/** A token lasts an hour: it is asked for anew. */
const TOKEN_MS = 20 * 60_000;
/** How often memory is looked at. */
const LOOK_MS = 500;
const MIB = 1_024 ** 2;
/** Of a small machine: `src/model/memory.ts` gives an edge 20 MB of it for what dies young, not 192. */
const MANAGEMENT_MEMORY_MB = 512;
/** How long what is managed is asked for until another takes its place. */
const REQUESTS_PER_RENEWAL = 1_000;

interface Flags {
  requests: string;
  first: string;
  seed: string;
  clients: string;
  megabytes: string;
  only: string;
}

const flags = new Command('fuzz')
  .description('send requests with something odd in them, and judge every answer')
  .option('--requests <n>', 'how many', '500000')
  .option('--first <n>', 'the number of the first, to send one again', '0')
  .option('--seed <n>', 'repeats a run', String(Date.now() % 1_000_000))
  .option('--clients <n>', 'connections at once', '32')
  .option('--only <subject>', "'management': nothing else", 'all')
  .option('--megabytes <n>', 'memory that the service is told it may take, and may take', '1024')
  .parse()
  .opts<Flags>();

const seed = Number(flags.seed);
const megabytes = Number(flags.megabytes);
const subject = flags.only === 'management' ? 'management' : 'all';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** What happened so far. */
const statuses = new Map<number, number>();
const faults: string[] = [];

/** Keeps a fault, and tells the first of them at once: a run takes long. */
function blame(fault: string): void {
  faults.push(fault);
  if (faults.length <= TOLD_FAULT_COUNT_MAX) say(fault);
}
const memory = new MemoryWatch();

async function main(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-fuzz-'));
  const port = await freePort();
  const child = new Child({
    name: 'service',
    command: process.execPath,
    arguments: [FOOTFALL, 'serve', '--port', String(port), '--data-dir', join(directory, 'data')],
    env: {
      ...cleanEnvironment(),
      FOOTFALL_LOG_LEVEL: 'warn',
      // What is managed is asked for by many callers, each within its limit; the rest is not.
      FOOTFALL_RATE_LIMITS: subject === 'management' ? 'on' : 'off',
      // Callers without a name have an address each: else they would share one limit.
      FOOTFALL_TRUSTED_PROXIES: '127.0.0.1',
      // Heaps are given room up to a share of this: what is left of growth is what is held.
      FOOTFALL_MEMORY: String((subject === 'management' ? MANAGEMENT_MEMORY_MB : megabytes) * MIB),
    },
    readyWords: 'listening on',
    logFile: join(directory, 'service.log'),
  });
  const looks = setInterval(() => memory.look(child.pid), LOOK_MS);
  try {
    await child.start();
    const baseUrl = `http://127.0.0.1:${port}`;
    const target = await prepare(join(directory, 'data'), baseUrl);
    const before = target.managed.records();
    await sendAll(baseUrl, target)
      .then(() => say(recordsTold(before, target.managed.records())))
      .finally(() => target.managed.close());
    const ready = await fetch(`${baseUrl}/readyz`);
    if (ready.status !== 200) blame(`at the end /readyz says ${ready.status}`);
    child.ownEnds.forEach(blame);
    const log = readFileSync(join(directory, 'service.log'), 'utf8');
    const ownFaults = log.split('\n').filter((line) => /"level":(?:50|60)/.test(line));
    for (const line of ownFaults.slice(0, 5)) blame(`logged: ${line.slice(0, TOLD_BYTES_MAX)}`);
  } finally {
    clearInterval(looks);
    await child.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
  const grown = memory.fault(megabytes, Number(flags.requests));
  if (grown !== '') blame(grown);
  return report();
}

/** The tests' environment without settings of the operator's own. */
function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('FOOTFALL_'));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

/** Makes an account and a site. */
async function prepare(dataDir: string, baseUrl: string): Promise<Target> {
  const run = async (...words: string[]): Promise<Record<string, string>> => {
    const given = [FOOTFALL, ...words, '--json', '--data-dir', dataDir];
    const { stdout } = await promisify(execFile)(process.execPath, given, {
      env: cleanEnvironment(),
    });
    return JSON.parse(stdout);
  };
  const email = 'fuzz@example.org';
  const owner = await run('account', 'create', '--email', email, '--name', 'Fuzz');
  const domain = await run('domain', 'create', '--email', email, '--hostname', HOSTNAME);
  const bearers = await Promise.all([token(baseUrl, domain), token(baseUrl, owner)]);
  const target = {
    domainId: domain.id ?? '',
    hostname: HOSTNAME,
    clientId: domain.client_id ?? '',
    clientSecret: domain.client_secret ?? '',
    accessKey: domain.access_key ?? '',
    identificationCode: domain.identification_code ?? '',
    bearers,
    startMs: Date.now(),
    managed: await ManagedWorlds.open(dataDir, baseUrl),
  };
  const renewal = setInterval(() => {
    void Promise.all([token(baseUrl, domain), token(baseUrl, owner)]).then((fresh) => {
      bearers.splice(0, 2, ...fresh);
    });
  }, TOKEN_MS);
  renewal.unref();
  return target;
}

/** An access token, as soon as the service knows the client. */
async function token(baseUrl: string, client: Record<string, string>): Promise<string> {
  const body = JSON.stringify({ client_id: client.client_id, client_secret: client.client_secret });
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(`${baseUrl}/api/v1/token`, { method: 'POST', body });
    const { access_token } = (await response.json()) as { access_token?: string };
    if (access_token !== undefined) return access_token;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the service does not know the client');
}

async function sendAll(baseUrl: string, target: Target): Promise<void> {
  const first = Number(flags.first);
  const end = first + Number(flags.requests);
  let next = first;
  let toldMs = performance.now();
  const client = async (): Promise<void> => {
    const wire = new Wire(baseUrl);
    while (next < end) {
      if (next % REQUESTS_PER_RENEWAL === 0) await target.managed.renew();
      const request = fuzzedRequest({ seed, subject }, next++, target);
      const { number, method, bytes, isHeadBroken } = request;
      const waitMs = isHeadBroken ? BROKEN_ANSWER_MS_MAX : ANSWER_MS_MAX;
      const answer = await wire.send(bytes, method === 'HEAD', waitMs).catch((error: unknown) => {
        if (!isHeadBroken) blame(`request ${number}: ${String(error)}`);
        return undefined;
      });
      if (isHeadBroken) wire.close();
      if (answer === undefined) continue;
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const fault = faultOf(request, answer);
      if (fault !== '') {
        const sent = JSON.stringify(String(bytes.subarray(0, TOLD_BYTES_MAX)));
        blame(`request ${number}: ${fault}\n  ${sent}`);
      }
      if (performance.now() - toldMs > 10_000) {
        toldMs = performance.now();
        say(
          `${next - first} requests, ${faults.length} faults, at most ${memory.peakMegabytes} MB`,
        );
      }
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: Number(flags.clients) }, client));
}

/** What the service was made to keep: it explains what memory has grown by. */
function recordsTold(before: RecordCounts, after: RecordCounts): string {
  const sum = (counts: RecordCounts) => counts.reduce((all, [, count]) => all + count, 0);
  const tables = after.map(([table, count]) => `${table} ${count}`).join(', ');
  return `records ${sum(before)} at the start, ${sum(after)} at the end: ${tables}`;
}

function report(): boolean {
  const counted = [...statuses].toSorted(([a], [b]) => a - b);
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  say(`seed ${seed}: ${flags.requests} requests, ${total} settled`);
  say(`at most ${memory.peakMegabytes} MB; by quarters of the run ${memory.quarters.join(', ')}`);
  say(
    counted.map(([status, count]) => `${status === 0 ? 'no answer' : status}: ${count}`).join(', '),
  );
  say(faults.length === 0 ? 'every answer is the contract’s' : `${faults.length} faults`);
  return faults.length === 0;
}

process.exitCode = (await main()) ? 0 : 1;
