/**
 * `footfall torture`: a cluster on this machine under load while everything that can go wrong
 * does.
 *
 * Exit status 0 when every answer was the model's, else 1 with what differed.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Cluster } from './cluster/cluster.ts';
import {
  CLOCK_FAULTS,
  DISK_FAULTS,
  FAULT_KINDS,
  type FaultKind,
  SPOOL_LOSING_FAULTS,
} from './faults/faults.ts';
import { Ledger } from './load/ledger.ts';
import { Receiver } from './load/receiver.ts';
import { SITE_COUNT } from './load/sites.ts';
import { Stream } from './random.ts';
import { type Aftermath, isGood, printReport, reportOf } from './report.ts';
import { Run, type RunOptions } from './rounds.ts';

interface Flags {
  nodes: number;
  natsServers: string;
  spool: boolean;
  rounds: number;
  firstRound: number;
  seed: number;
  seconds: number;
  clients: number;
  faults: readonly FaultKind[];
  keep: boolean;
  json?: string;
  quiet: boolean;
  stopEarly: boolean;
}

/** Parses a number between two bounds, or says what it must be. */
function number(min: number, max: number, isWhole = true): (given: string) => number {
  return (given) => {
    const value = Number(given);
    const isFit = given.trim() !== '' && value >= min && value <= max;
    if (isFit && (!isWhole || Number.isInteger(value))) return value;
    const what = isWhole ? 'whole number' : 'number';
    throw new InvalidArgumentError(`must be a ${what} from ${min} to ${max}`);
  };
}

function faultList(given: string): FaultKind[] {
  if (given === 'none') return [];
  return given.split(',').map((name) => {
    const kind = FAULT_KINDS.find((known) => known === name.trim());
    if (kind !== undefined) return kind;
    throw new InvalidArgumentError(`'${name}' is no fault; there are ${FAULT_KINDS.join(', ')}`);
  });
}

function readFlags(): Flags {
  return new Command('footfall torture')
    .description('run a cluster under load and faults, and compare all it answers with a model')
    .option('--rounds <n>', 'rounds of load, faults and comparison', number(1, 1_000_000), 20)
    .option('--seed <n>', 'repeats load and faults (default: a new one)', number(0, 2 ** 32 - 1))
    .option('--nodes <n>', 'nodes of the cluster', number(1, 9), 3)
    .addOption(
      new Option('--nats-servers <n>', 'NATS servers, each of which keeps every record')
        .choices(['1', '3'])
        .default('1'),
    )
    .option('--spool', 'nodes take hits while the NATS servers are away', false)
    .option('--seconds <n>', 'load of a round, at least', number(0.5, 600, false), 2.5)
    .option('--clients <n>', 'clients that send at once', number(1, 10), 6)
    .addOption(
      new Option('--faults <list>', `none, or comma-separated: ${FAULT_KINDS.join(', ')}`)
        .argParser(faultList)
        .default(FAULT_KINDS, 'all'),
    )
    .option('--first-round <n>', 'begin with this round of the seed', number(0, 1_000_000), 0)
    .option('--stop-early', 'end after the first round that differs', false)
    .option('--keep', 'leave data and logs where they are, and say where', false)
    .option('--json <file>', 'write the report as JSON, too')
    .option('--quiet', 'only the report, no line per round', false)
    .parse()
    .opts<Flags>();
}

async function main(): Promise<number> {
  const flags = readFlags();
  const options: RunOptions = {
    seed: flags.seed ?? Date.now() % 2 ** 31,
    ...{ rounds: flags.rounds, firstRound: flags.firstRound, nodes: flags.nodes },
    ...{ clients: flags.clients, seconds: flags.seconds, stopsEarly: flags.stopEarly },
    ...{ natsServers: Number(flags.natsServers), spool: flags.spool },
    faults: flags.faults,
  };
  if (spawnSync('nats-server', ['--version']).status !== 0) {
    process.stderr.write(
      'footfall: torture needs nats-server: install it (Debian and Ubuntu: ' +
        'apt-get install nats-server; others: https://nats.io/download)\n',
    );
    return 1;
  }
  const ledger = new Ledger(SITE_COUNT);
  const say = (line: string): void => {
    if (!flags.quiet) process.stdout.write(`${line}\n`);
  };
  say(`seed ${options.seed}`);
  const aftermath = await torture(options, ledger, { say, keeps: flags.keep });
  const report = reportOf(options, ledger, aftermath);
  process.stdout.write(`\n${printReport(report)}`);
  if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(report, null, 2)}\n`);
  return isGood(ledger, aftermath) ? 0 : 1;
}

async function torture(
  options: RunOptions,
  ledger: Ledger,
  { say, keeps }: { say: (line: string) => void; keeps: boolean },
): Promise<Aftermath> {
  const startMs = performance.now();
  const cluster = new Cluster(options);
  const receiver = await Receiver.open(ledger, new Stream(options.seed, 'receiver'));
  let isInterrupted = false;
  process.once('SIGINT', () => {
    isInterrupted = true;
  });
  let failure = '';
  const skipped: string[] = [];
  try {
    const secrets = await cluster.start();
    const [disks, clocks] = [cluster.disks.reason, cluster.clocks.reason];
    if (disks !== '') skipped.push(`full disks: not possible here: ${disks}`);
    if (clocks !== '') skipped.push(`clock steps: not possible here: ${clocks}`);
    if (options.spool) skipped.push('new disks: a node must not lose its spool');
    const faults = options.faults.filter(
      (kind) =>
        (disks === '' || !DISK_FAULTS.includes(kind)) &&
        (clocks === '' || !CLOCK_FAULTS.includes(kind)) &&
        (!options.spool || !SPOOL_LOSING_FAULTS.includes(kind)),
    );
    const run = new Run(cluster, { ...options, faults, secrets, ledger, receiver }, say);
    await run.rounds(() => isInterrupted);
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const children = [...cluster.nodes, ...cluster.servers].map(({ child }) => child);
  await cluster.dispose(keeps);
  receiver.close();
  if (keeps) say(`data and logs are in ${cluster.directory}`);
  return {
    ownEnds: children.flatMap(({ ownEnds }) => ownEnds),
    hangs: children.reduce((sum, { hangs }) => sum + hangs, 0),
    seconds: (performance.now() - startMs) / 1_000,
    ...{ skipped, failure },
  };
}

// What a failed round left under way is not waited for.
process.exit(await main());
