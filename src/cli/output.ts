/**
 * How commands write and where they find the registry: what all of them share.
 *
 * Control plane.
 */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import type { Registry } from '../control/registry/registry.ts';
import { errors } from '../model/errors.ts';
import { openRegistry } from '../runtime/node-registry.ts';
import { givenSettings } from './given-settings.ts';

/** Flags of every command. */
export interface SharedFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Adds the flags of every command. */
export function withSharedFlags(command: Command): Command {
  return command
    .option('--data-dir <dir>', 'the data directory (default: the setting)')
    .option('--json', 'print one JSON object on standard output');
}

/**
 * Writes a result: one JSON object, or one line for each of its fields.
 *
 * @param note said to people only, on standard error.
 */
export function writeResult(
  result: Readonly<Record<string, unknown>>,
  options: { readonly json: boolean; readonly note: string },
): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(result).map((name) => name.length));
  for (const [name, value] of Object.entries(result)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    process.stdout.write(`${name.padEnd(width)}  ${text}\n`);
  }
  process.stderr.write(`${options.note}\n`);
}

/** Writes rows: one JSON object with all of them under a name, or a line for each below their names. */
export function writeTable(
  rows: readonly Readonly<Record<string, string | number | boolean>>[],
  options: { readonly json: boolean; readonly name: string },
): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ [options.name]: rows })}\n`);
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column]!));
    if (names.length > 0) process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

/**
 * Lets a command work on the registry of the data directory, and closes it whatever happens.
 *
 * @throws DATA_DIR_UNUSABLE where there is none, and none is kept elsewhere: a name with a typing error
 *   is no empty installation.
 */
export async function withRegistry<Result>(
  flags: SharedFlags,
  work: (registry: Registry, nowMs: number) => Promise<Result>,
): Promise<Result> {
  const { dataDir, natsServers } = givenSettings({ dataDir: flags.dataDir });
  if (natsServers.length === 0 && !existsSync(dataDir)) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'there is no such directory' });
  }
  return withNewRegistry(flags, work);
}

/** As `withRegistry`, for what may come first: it makes the directory. */
export async function withNewRegistry<Result>(
  flags: SharedFlags,
  work: (registry: Registry, nowMs: number) => Promise<Result>,
): Promise<Result> {
  const settings = givenSettings({ dataDir: flags.dataDir });
  const nowMs = systemClock();
  // A fault of the stream is thrown by the change that meets it.
  const opened = await openRegistry(settings, nowMs, () => {});
  try {
    return await work(opened.registry, nowMs);
  } finally {
    await opened.close();
  }
}
