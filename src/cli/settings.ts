/**
 * `footfall settings`: every setting, its value, and where it came from.
 *
 * Control plane. Also the place that turns the table of settings into flags.
 */
import type { Command } from 'commander';
import type { SettingRow } from '../settings/rows.ts';
import {
  environmentName,
  flagName,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
  settingName,
} from '../settings/schema.ts';
import { givenSettings } from './given-settings.ts';

/** Flags of a command that takes every setting. */
export type SettingFlags = Partial<Record<SettingKey, string>> & { readonly json?: boolean };

/** Adds a flag for every setting. */
export function withSettingFlags(command: Command): Command {
  for (const key of SETTING_KEYS) {
    const row: SettingRow<unknown> = SETTINGS[key];
    command.option(`${flagName(key)} <value>`, `${row.meaning} [${fallbackText(row)}]`);
  }
  return command.option('--json', 'print one JSON object on standard output');
}

/** Adds the command to the program. */
export function registerSettings(program: Command): void {
  withSettingFlags(program.command('settings'))
    .description('show every setting: value, where it came from, default, unit, bounds')
    .action((flags: SettingFlags) => {
      const settings = givenSettings(flags);
      process.stdout.write(flags.json === true ? settingsJson(settings) : settingsTable(settings));
    });
}

/** One object by name of the setting. */
function settingsJson(settings: Settings): string {
  const described = SETTING_KEYS.map((key) => {
    const row: SettingRow<unknown> = SETTINGS[key];
    const description = {
      value: shown(key, settings),
      origin: settings.origins[key],
      default: row.fallbackText ?? row.fallback,
      unit: row.unit,
      bounds: row.bounds,
      takes_effect: row.takesEffect,
      meaning: row.meaning,
      environment: environmentName(key),
      flag: flagName(key),
    };
    return [settingName(key), description];
  });
  return `${JSON.stringify(Object.fromEntries(described))}\n`;
}

/** Two lines a setting: its figures in columns, and what it means. */
function settingsTable(settings: Settings): string {
  const head = ['SETTING', 'VALUE', 'FROM', 'DEFAULT', 'UNIT', 'BOUNDS'];
  const lines = SETTING_KEYS.map((key) => {
    const row: SettingRow<unknown> = SETTINGS[key];
    return [
      settingName(key),
      valueText(shown(key, settings)),
      settings.origins[key],
      fallbackText(row),
      row.unit || '-',
      row.bounds,
    ];
  });
  const rows = [head, ...lines];
  const widths = head.map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  const format = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const described = lines.flatMap((cells, index) => {
    const key = SETTING_KEYS[index];
    const row: SettingRow<unknown> | undefined = key === undefined ? undefined : SETTINGS[key];
    return [format(cells), `    ${row?.meaning} Takes effect ${row?.takesEffect}.`];
  });
  return `${[format(head), ...described].join('\n')}\n`;
}

/** A setting's value as it may be printed. */
function shown(key: SettingKey, settings: Settings): unknown {
  const row: SettingRow<unknown> = SETTINGS[key];
  return row.isSecret === true && settings[key] !== null ? '(set)' : settings[key];
}

function fallbackText(row: SettingRow<unknown>): string {
  return row.fallbackText ?? valueText(row.fallback);
}

function valueText(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return Array.isArray(value) ? value.join(',') : String(value);
}
