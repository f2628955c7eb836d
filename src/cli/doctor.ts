/**
 * `footfall doctor`: looks whether this machine keeps what the service promises, and says what to change
 * (P-40).
 *
 * Control plane. May be run beside the service, before the first start, and where it will be installed.
 */
import type { Command } from 'commander';
import type { Finding, Verdict } from '../runtime/doctor/finding.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags } from './output.ts';

const COLORS: Readonly<Record<Verdict, string>> = { ok: '32', warn: '33', bad: '31' };
const INDENT = ' '.repeat(6);

/** Adds the command to the program. */
export function registerDoctor(program: Command): void {
  withSharedFlags(program.command('doctor'))
    .description('look at disk, clock, limits, ports and versions, and say what to change')
    .action(tellFindings);
}

async function tellFindings(flags: SharedFlags): Promise<void> {
  const settings = givenSettings({ dataDir: flags.dataDir });
  // Loaded here: the other commands need none of it.
  const { examine } = await import('../runtime/doctor/examination.ts');
  const findings = await examine(settings);
  const bad = findings.filter(({ verdict }) => verdict === 'bad').length;
  const warnings = findings.filter(({ verdict }) => verdict === 'warn').length;
  if (bad > 0) process.exitCode = 1;
  if (flags.json === true) {
    const result = { data_dir: settings.dataDir, is_healthy: bad === 0, checks: findings };
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  process.stdout.write(textOf(findings, process.stdout.isTTY === true));
  const rest = warnings === 0 ? '' : `, ${warnings} worth a look`;
  process.stderr.write(`${findings.length} checks: ${bad} bad${rest}\n`);
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
