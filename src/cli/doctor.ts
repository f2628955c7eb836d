/**
 * `footfall doctor`: looks whether this machine keeps what the service promises, and says what to change
 * (P-40).
 *
 * Control plane. May be run beside the service, before the first start, and where it will be installed.
 * Status 0: nothing is bad, though something may be worth a look; 1: something is, or it could not look.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { Finding, Verdict } from '../runtime/doctor/finding.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags } from './output.ts';

const COLORS: Readonly<Record<Verdict, string>> = { ok: '32', warn: '33', bad: '31' };
const INDENT = ' '.repeat(6);

/** What is wished of `--power-cut`: to write until it comes, or the last number that was told before. */
type PowerCut = 'write' | number;

interface Flags extends SharedFlags {
  readonly powerCut?: PowerCut;
}

/** Adds the command to the program. */
export function registerDoctor(program: Command): void {
  withSharedFlags(program.command('doctor'))
    .description('look at disk, clock, limits, ports and versions, and say what to change')
    .option(
      '--power-cut <write|number>',
      'write and tell numbers until the power is cut; then check that up to the last one all is there',
      readPowerCut,
    )
    .action(doctor);
}

function readPowerCut(text: string): PowerCut {
  if (text === 'write') return text;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError("'write', or the last number that was told before the cut.");
}

async function doctor(flags: Flags): Promise<void> {
  const settings = givenSettings({ dataDir: flags.dataDir });
  const { powerCut } = flags;
  // Loaded here: the other commands need none of it.
  if (powerCut === undefined) {
    const { examine } = await import('../runtime/doctor/examination.ts');
    tellFindings(flags, settings.dataDir, await examine(settings));
    return;
  }
  const { existingDirectory } = await import('../runtime/doctor/installation.ts');
  const { lookAfterCut, writeUntilCut } = await import('../runtime/doctor/power-cut.ts');
  const directory = existingDirectory(settings.dataDir);
  if (powerCut === 'write') {
    await writeUntilCut(directory, { tell: (number) => process.stdout.write(`${number}\n`) });
    return;
  }
  tellFindings(flags, settings.dataDir, [lookAfterCut(directory, powerCut)]);
}

function tellFindings(flags: Flags, dataDir: string, findings: readonly Finding[]): void {
  const bad = findings.filter(({ verdict }) => verdict === 'bad').length;
  const warnings = findings.filter(({ verdict }) => verdict === 'warn').length;
  if (bad > 0) process.exitCode = 1;
  if (flags.json === true) {
    const result = { data_dir: dataDir, is_healthy: bad === 0, checks: findings };
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  process.stdout.write(textOf(findings, process.stdout.isTTY === true));
  const rest = warnings === 0 ? '' : `, ${warnings} worth a look`;
  const checks = findings.length === 1 ? '1 check' : `${findings.length} checks`;
  process.stderr.write(`${checks}: ${bad} bad${rest}\n`);
}

/** A line for each, and below it what to change. */
function textOf(findings: readonly Finding[], isColored: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, verdict, found, change }) => {
      const mark = verdict.padEnd(INDENT.length);
      const shown = isColored ? `\u001b[${COLORS[verdict]}m${mark}\u001b[0m` : mark;
      const todo = change === '' ? '' : `${INDENT}${' '.repeat(width + 2)}→ ${change}\n`;
      return `${shown}${check.padEnd(width)}  ${found}\n${todo}`;
    })
    .join('');
}
