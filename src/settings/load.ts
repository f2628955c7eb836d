/**
 * Reads the settings: defaults < config/default.json < the file named by FOOTFALL_CONFIG <
 * environment < flags.
 *
 * Control plane. Nothing is guessed or skipped: an unknown or malformed setting, wherever it
 * stands (even where a later source would win over it), is a fault that names it. The fault is a value
 * here; whoever asked for the settings makes it a row of `model/errors.ts` (`cli/given-settings.ts`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { nearest } from './nearest.ts';
import { packageRoot } from './package-root.ts';
import type { SettingRow } from './rows.ts';
import {
  environmentName,
  flagName,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
  settingName,
  THREAD_COUNT_MAX,
} from './schema.ts';

const PREFIX = 'FOOTFALL_';
/** Each needs the other. */
const TLS_FILES = [
  ['tlsKey', 'tlsCert'],
  ['tlsCert', 'tlsKey'],
] as const;
/** Names the operator's own file; a place to read settings from, so not a setting itself. */
const CONFIG_VARIABLE = 'FOOTFALL_CONFIG';
/** Characters of a malformed value that are shown: the line must stay one. */
const SHOWN_LENGTH_MAX = 200;

/** Where settings may come from; a test passes all of it, the command only the flags. */
export interface SettingSources {
  /** Flags by key, as text; undefined: not given. */
  readonly flags?: Readonly<Partial<Record<SettingKey, string | undefined>>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What relative paths are read from. */
  readonly directory?: string;
  /** The first file; it may be absent. */
  readonly defaultFile?: string;
  /** Cores of the machine: what 'by cores' counts. */
  readonly coreCount?: number;
  /** Memory of the machine. */
  readonly memoryBytes?: number;
}

/** What was given under one name, and how to speak of it. */
interface Given {
  readonly key: SettingKey;
  readonly value: unknown;
  /** As the operator wrote it: 'FOOTFALL_PORT', '--port', 'port in my.json'. */
  readonly name: string;
  readonly origin: string;
}

/** Why settings are refused: a code and its detail as in the table of errors. */
export type SettingFault =
  | { readonly code: 'SETTING_UNKNOWN'; readonly detail: { name: string; nearest: string } }
  | {
      readonly code: 'SETTING_MALFORMED';
      readonly detail: { name: string; given: string; bounds: string };
    }
  | {
      readonly code: 'CONFIG_FILE_UNREADABLE';
      readonly detail: { path: string; reason: string };
    };

/** Settings, or the first thing that an operator has to change. */
export type LoadedSettings = { readonly settings: Settings } | { readonly fault: SettingFault };

/** What a source holds: a setting, or what is wrong with it. */
type Item = Given | SettingFault;

/**
 * Reads and checks every source.
 *
 * @returns frozen settings, paths absolute and threads worked out; or a fault.
 */
export function loadSettings(sources: SettingSources = {}): LoadedSettings {
  const environment = sources.environment ?? process.env;
  const directory = sources.directory ?? process.cwd();
  const values: Record<string, unknown> = {};
  const origins: Record<string, string> = {};
  for (const key of SETTING_KEYS) {
    values[key] = SETTINGS[key].fallback;
    origins[key] = 'default';
  }
  const given = [
    ...fromDefaultFile(sources.defaultFile ?? join(packageRoot(), 'config', 'default.json')),
    ...fromNamedFile(environment[CONFIG_VARIABLE], directory),
    ...fromEnvironment(environment),
    ...fromFlags(sources.flags ?? {}),
  ];
  for (const one of given) {
    if ('code' in one) return { fault: one };
    const row: SettingRow<unknown> = SETTINGS[one.key];
    const read = row.read(one.value);
    // A password with a slip in it is nearly the password.
    const shown = row.isSecret === true ? '(a secret)' : one.value;
    if (read === undefined) return { fault: malformed(one.name, shown, row.bounds) };
    values[one.key] = read;
    origins[one.key] = one.origin;
  }
  for (const key of SETTING_KEYS) {
    const row: SettingRow<unknown> = SETTINGS[key];
    const value = values[key];
    if (row.isPath !== true) continue;
    if (typeof value === 'string') values[key] = resolve(directory, value);
    if (Array.isArray(value)) values[key] = value.map((path: string) => resolve(directory, path));
  }
  workOutThreads(values, sources.coreCount ?? availableParallelism());
  if (values.memory === 0) values.memory = sources.memoryBytes ?? memoryOfMachine();
  if (Number(values.actors) > Number(values.shards)) {
    const bounds = `at most the number of shards, ${values.shards}`;
    return { fault: malformed(environmentName('actors'), values.actors, bounds) };
  }
  for (const [key, other] of TLS_FILES) {
    if (values[key] !== null || values[other] === null) continue;
    const bounds = `the path of a PEM file, since ${environmentName(other)} is one`;
    return { fault: malformed(environmentName(key), values[key], bounds) };
  }
  const settings = Object.freeze({ ...values, origins: Object.freeze(origins) });
  return { settings: settings as unknown as Settings };
}

/**
 * By cores: half of them take requests, a quarter each own shards and answer statistics; at least
 * one of each, and never more actors than shards. On two cores that is one of each.
 */
function workOutThreads(values: Record<string, unknown>, coreCount: number): void {
  const quarter = Math.max(1, Math.floor(coreCount / 4));
  const half = Math.max(1, Math.floor(coreCount / 2));
  if (values.edges === 0) values.edges = Math.min(THREAD_COUNT_MAX, half);
  if (values.queryThreads === 0) values.queryThreads = Math.min(THREAD_COUNT_MAX, quarter);
  if (values.actors === 0) {
    values.actors = Math.min(THREAD_COUNT_MAX, quarter, Number(values.shards));
  }
}

/** What the machine has, or the control group of this process if it may take less. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory();
  // 0 and numbers beyond the machine's memory say that there is no bound.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

function fromDefaultFile(path: string): Item[] {
  return existsSync(path) ? fromFile(path, 'config/default.json') : [];
}

function fromNamedFile(path: string | undefined, directory: string): Item[] {
  if (path === undefined) return [];
  if (path.trim() === '') return [malformed(CONFIG_VARIABLE, path, 'the path of a JSON file')];
  return fromFile(resolve(directory, path), path);
}

function fromFile(path: string, origin: string): Item[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    return [{ code: 'CONFIG_FILE_UNREADABLE', detail: { path, reason } }];
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    const reason = 'it must hold one JSON object';
    return [{ code: 'CONFIG_FILE_UNREADABLE', detail: { path, reason } }];
  }
  const byName = new Map<string, SettingKey>(SETTING_KEYS.map((key) => [settingName(key), key]));
  return Object.entries(content).map(([name, value]) => {
    const key = byName.get(name);
    if (key === undefined) return unknown(`${name} in ${origin}`, name, [...byName.keys()]);
    return { key, value, name: `${name} in ${origin}`, origin };
  });
}

function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): Item[] {
  const byName = new Map<string, SettingKey>(
    SETTING_KEYS.map((key) => [environmentName(key), key]),
  );
  const given: Item[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || name === CONFIG_VARIABLE || value === undefined) continue;
    const key = byName.get(name);
    given.push(
      key === undefined
        ? unknown(name, name, [...byName.keys(), CONFIG_VARIABLE])
        : { key, value, name, origin: name },
    );
  }
  return given;
}

function fromFlags(flags: Readonly<Partial<Record<SettingKey, string | undefined>>>): Item[] {
  return SETTING_KEYS.filter((key) => flags[key] !== undefined).map((key) => {
    const name = flagName(key);
    return { key, value: flags[key], name, origin: name };
  });
}

function unknown(name: string, wrong: string, right: readonly string[]): SettingFault {
  return { code: 'SETTING_UNKNOWN', detail: { name, nearest: nearest(wrong, right) } };
}

function malformed(name: string, value: unknown, bounds: string): SettingFault {
  const given = (JSON.stringify(value) ?? String(value)).slice(0, SHOWN_LENGTH_MAX);
  return { code: 'SETTING_MALFORMED', detail: { name, given, bounds } };
}
