/**
 * The command line: which commands there are, and how every one of them ends.
 *
 * Control plane. What was asked for goes to standard output, everything else to standard error; the
 * exit status is 0, or 1 with one line that says what to change.
 */
import { Command, CommanderError } from 'commander';
import { isOpenFileFault, openFileLimit } from '../base/open-files.ts';
import { errors, OperatingError } from '../model/errors.ts';
import { packageVersion } from '../settings/package-root.ts';
import { registerAccount } from './account.ts';
import { registerBackup } from './backup.ts';
import { registerBench } from './bench.ts';
import { registerClient } from './client.ts';
import { registerDemo } from './demo.ts';
import { registerDoctor } from './doctor.ts';
import { registerDomain } from './domain.ts';
import { registerExport } from './export.ts';
import { registerGeo } from './geo.ts';
import { registerImport } from './import.ts';
import { registerJobs } from './jobs.ts';
import { registerKeywords } from './keywords.ts';
import { registerLedger } from './ledger.ts';
import { registerMail } from './mail.ts';
import { registerRestore } from './restore.ts';
import { registerServe } from './serve.ts';
import { registerSettings } from './settings.ts';
import { registerTorture } from './torture.ts';
import { registerVerify } from './verify.ts';

/**
 * Runs one command line.
 *
 * @param argv words after `footfall`.
 * @returns the exit status.
 */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let complaints = '';
  const program = new Command('footfall')
    .description('Self-hosted web analytics: exact statistics, nothing acknowledged is ever lost.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeErr: (text) => {
        complaints += text;
      },
    });
  registerServe(program);
  registerAccount(program);
  registerDomain(program);
  registerClient(program);
  registerGeo(program);
  registerSettings(program);
  registerDemo(program);
  registerTorture(program);
  registerBench(program);
  registerVerify(program);
  registerDoctor(program);
  registerBackup(program);
  registerRestore(program);
  registerKeywords(program);
  registerLedger(program);
  registerExport(program);
  registerMail(program);
  registerJobs(program);
  registerImport(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    process.stderr.write(`footfall: ${lineOf(error, complaints)}\n`);
    return 1;
  }
}

function lineOf(error: unknown, complaints: string): string {
  if (error instanceof CommanderError) {
    // Commander shows its whole help when a command is missing; one line is enough.
    if (error.code === 'commander.help') return noCommand(complaints);
    return oneLine(complaints.replace(/^error: /, ''));
  }
  if (isOpenFileFault(error)) {
    const limit = openFileLimit();
    return errors.OPEN_FILES_TOO_FEW({ limit, needed: limit + 1 }, error).message;
  }
  if (error instanceof OperatingError) {
    const faults = Object.entries(error.validation).map(
      ([field, text]) => `${flag(field)} ${text}`,
    );
    return oneLine(faults.length === 0 ? error.message : faults.join('; '));
  }
  // A disk that is full or broken: the system says what and where.
  if (typeof (error as { syscall?: unknown }).syscall === 'string') {
    return oneLine((error as Error).message);
  }
  // Nobody can change anything about a fault of the program: its trace is for the bug report.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Of which command the help is, its first line says: `Usage: footfall domain [options] [command]`. */
function noCommand(help: string): string {
  const name = /^Usage: (.*?) \[/.exec(help)?.[1] ?? 'footfall';
  return `name a command; '${name} --help' lists them`;
}

/** What the API calls the id of a site, commands call `--id`. */
function flag(field: string): string {
  return field === 'domain_id' ? '--id' : `--${field.replaceAll('_', '-')}`;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
