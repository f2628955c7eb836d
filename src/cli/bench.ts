/**
 * The command `footfall bench`: load on a collection path, Footfall's or another product's.
 *
 * Control plane. Everything that happens is in `load/`; here are the options, the progress on standard
 * error, Ctrl-C, and the exit status: 0 when every hit was accepted (and counted once, where that can be
 * asked), else 1; 130 after Ctrl-C.
 */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { LoadReport } from '../load/load-report.ts';
import { PRODUCTS } from '../load/products/products.ts';
import type { Second } from '../load/send/stream.ts';
import type { LoadWish, Mix } from '../load/wish.ts';
import { errors } from '../model/errors.ts';
import { oneOf, whole } from './arguments.ts';

const RATE_MAX = 10_000_000;
const SECONDS_MAX = 86_400;
const CONNECTIONS_MAX = 10_000;
const SEED_MAX = 0xffff_ffff;
const LIMIT_MS_MAX = 60_000;
const QUERY_RATE_MAX = 10_000;
/** A token of Footfall ends after an hour. */
const TOKEN_SECONDS = 3_300;
const INTERRUPTED = 130;
const MIXES: readonly Mix[] = ['site', 'narrow'];

interface Flags {
  readonly target: string;
  readonly url: string;
  readonly hostname: string;
  readonly site: string;
  readonly key: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly rate: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly batch: number;
  readonly connections: number;
  readonly seed: number;
  readonly mix: Mix;
  readonly findLimit?: number;
  readonly queries?: string;
  readonly queryRate: number;
  readonly patience: number;
  readonly json?: boolean;
  readonly html?: string;
}

/** Adds the command to the program. */
export function registerBench(program: Command): void {
  const names = PRODUCTS.map(({ name }) => name);
  program
    .command('bench')
    .description('load a collection path at a fixed rate, and tell latencies from the moment due')
    .option('--target <product>', names.join(', '), oneOf(names), 'footfall')
    .option('--url <url>', 'where it runs', 'http://127.0.0.1:8080')
    .option('--client-id <id>', 'footfall: a client of the site, to check what was counted', '')
    .option('--client-secret <secret>', 'its secret', '')
    .option('--key <key>', 'footfall: an access key; others: their token', '')
    .option('--site <site>', 'what the product calls the site (umami, plausible, matomo)', '')
    .option('--hostname <name>', "the site's hostname", '')
    .option('--rate <n>', 'hits a second', whole(1, RATE_MAX), 1_000)
    .option('--find-limit <ms>', 'rise from --rate until p99 exceeds this', whole(1, LIMIT_MS_MAX))
    .option('--seconds <n>', 'length of a step', whole(1, SECONDS_MAX), 30)
    .option('--warm-up <n>', 'seconds before it that are not measured', whole(0, SECONDS_MAX), 5)
    .option('--batch <n>', 'hits of a request', whole(1, 1_000), 1)
    .option('--connections <n>', 'connections that are kept alive', whole(1, CONNECTIONS_MAX), 64)
    .option(
      '--mix <mix>',
      'site: of a real site; narrow: three views a visit',
      oneOf(MIXES),
      'site',
    )
    .option('--seed <n>', 'another seed, other hits', whole(0, SEED_MAX), 42)
    .option(
      '--queries <names>',
      'footfall: statistics asked beside the hits, such as active,total,page',
    )
    .option('--query-rate <n>', 'questions a second, all together', whole(1, QUERY_RATE_MAX), 10)
    .option(
      '--patience <s>',
      'seconds until an answer that does not come is given up',
      whole(1, 600),
      10,
    )
    .option('--json', 'print one JSON object on standard output')
    .option('--html <file>', 'write the report as one page with pictures')
    .action(async (flags: Flags) => {
      process.exitCode = await bench(flags);
    });
}

async function bench(flags: Flags): Promise<number> {
  const wish = wishOf(flags);
  // Loaded here: the other commands need none of it.
  const { LoadRun } = await import('../load/run.ts');
  const { isClean } = await import('../load/load-report.ts');
  const { toText } = await import('../load/report/table.ts');
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  const run = new LoadRun(wish, {
    tell,
    onSecond: (second, of) => tell(secondLine(second, of)),
  });
  let interrupts = 0;
  const interrupt = () => {
    if (++interrupts > 1) process.exit(INTERRUPTED);
    run.stop();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const report = await run.run();
  process.stdout.write(`${flags.json === true ? JSON.stringify(report) : toText(report)}\n`);
  await writePage(report, flags.html);
  if (interrupts > 0) return INTERRUPTED;
  return isClean(report) ? 0 : 1;
}

async function writePage(report: LoadReport, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const { toPage } = await import('../load/report/page.ts');
  try {
    writeFileSync(path, toPage(report));
  } catch (error) {
    throw errors.BENCH_REFUSED({
      reason: `the page cannot be written: ${(error as Error).message}`,
    });
  }
}

function secondLine(second: Second, { batch }: { batch: number }): string {
  const { sent, accepted, refused, unanswered, p50, p99, isWarmUp } = second;
  const failed = (refused + unanswered) * batch;
  const times = [p50, p99].map((value) => (Number.isNaN(value) ? '–' : value.toFixed(1)));
  return (
    `  ${String(second.second).padStart(3)} s  ${sent * batch} sent  ${accepted * batch} accepted  ` +
    `p50 ${times[0]} ms  p99 ${times[1]} ms${failed > 0 ? `  ${failed} failed` : ''}` +
    `${isWarmUp ? '  (warm-up)' : ''}`
  );
}

/** @throws VALIDATION_FAILED. */
function wishOf(flags: Flags): LoadWish {
  const validation: Record<string, string> = {};
  const product = PRODUCTS.find(({ name }) => name === flags.target)!;
  const isOwn = product.name === 'footfall';
  const url = URL.canParse(flags.url) ? new URL(flags.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    validation['url'] = 'has to be an address such as https://stats.example.org';
  }
  const hasClient = flags.clientId !== '' && flags.clientSecret !== '';
  if (!hasClient && product.key !== null && flags.key === '') {
    validation['key'] =
      `is required: ${product.key}${isOwn ? '; or --client-id and --client-secret' : ''}`;
  }
  if (product.site !== null && flags.site === '') {
    validation['site'] = `is required: ${product.site}`;
  }
  if (flags.batch > product.batchMax) {
    const most = product.batchMax === 1 ? 'takes no batches' : `takes at most ${product.batchMax}`;
    validation['batch'] = `is too large: ${product.name} ${most}`;
  }
  if (isOwn && !hasClient && flags.hostname === '') {
    validation['hostname'] = "is required without a client: that of the key's site";
  }
  const names = (flags.queries ?? '').split(',').filter((name) => name !== '');
  if (names.length > 0 && !(isOwn && hasClient)) {
    validation['queries'] = 'need Footfall, --client-id and --client-secret';
  }
  if (isOwn && flags.key === '' && flags.seconds + flags.warmUp > TOKEN_SECONDS) {
    validation['seconds'] =
      `above ${TOKEN_SECONDS} need --key: the client's token ends after an hour`;
  }
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
  return {
    target: {
      ...{ product, url: url!, hostname: flags.hostname, site: flags.site, key: flags.key },
      ...{ clientId: hasClient ? flags.clientId : '', clientSecret: flags.clientSecret },
    },
    ...{ rate: flags.rate, seconds: flags.seconds, warmUpSeconds: flags.warmUp },
    ...{ batch: flags.batch, connections: flags.connections, seed: flags.seed, mix: flags.mix },
    limitMs: flags.findLimit ?? null,
    queries: names.length === 0 ? null : { names, rate: flags.queryRate },
    patienceMs: flags.patience * 1_000,
  };
}
