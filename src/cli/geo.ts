/**
 * `footfall geo`: which location databases are in use, and putting others into the data directory.
 *
 * Control plane. Nothing is fetched: who wants cities brings a file, or has npm install a package of
 * them. A running service takes what has changed by itself.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { errors, OperatingError } from '../model/errors.ts';
import {
  installPlaceFiles,
  type PlaceFile,
  placeFiles,
  removePlaceFiles,
} from '../runtime/directory/place-files.ts';
import { creditOf } from '../runtime/places/place-credits.ts';
import { type ReadPlaceFile, readPlaceFile } from '../runtime/places/read-place-files.ts';
import { packageRoot } from '../settings/package-root.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags } from './output.ts';

const ENDING = '.mmdb';

/** Adds the command to the program. */
export function registerGeo(program: Command): void {
  const geo = withSharedFlags(program.command('geo'))
    .description('show which databases map addresses to places')
    .action((flags: SharedFlags) => show(flags));
  withSharedFlags(geo.command('install'))
    .description('use these databases from now on: .mmdb files, or installed npm packages of them')
    .argument('<files...>', 'paths of files, or names of packages such as @ip-location-db/…')
    .action((given: string[], _own: SharedFlags, command: Command) => install(given, command));
  withSharedFlags(geo.command('remove'))
    .description('use the bundled database of countries again')
    .action((_own: SharedFlags, command: Command) => remove(command));
}

/** Commander gives a flag that both commands know to the outer one. */
function flagsOf(command: Command): SharedFlags {
  return command.optsWithGlobals<SharedFlags>();
}

function show(flags: SharedFlags): void {
  const settings = givenSettings({ dataDir: flags.dataDir });
  write(placeFiles(settings).map(described), flags);
}

function install(given: readonly string[], command: Command): void {
  const flags = flagsOf(command);
  const settings = givenSettings({ dataDir: flags.dataDir });
  const read = given.flatMap(filesOf).map((path) => readPlaceFile({ path }));
  const names = uniqueNames(read.map(({ path }) => basename(path)));
  const files = read.map(({ bytes }, index) => {
    return { name: names[index]!, bytes: new Uint8Array(bytes) };
  });
  installPlaceFiles(settings.dataDir, files);
  show(flags);
  if (flags.json === true) return;
  const isOverruled = settings.geoDb.length > 0;
  process.stderr.write(
    isOverruled
      ? 'They are installed, but FOOTFALL_GEO_DB names others, which are in use.\n'
      : 'A running service uses them within some seconds; nothing is restarted.\n',
  );
}

function remove(command: Command): void {
  const flags = flagsOf(command);
  removePlaceFiles(givenSettings({ dataDir: flags.dataDir }).dataDir);
  show(flags);
}

/** What was given as paths of files. @throws LOCATION_DATABASE_MISSING. */
function filesOf(given: string): string[] {
  const path = resolve(given);
  const found = existsSync(path) ? path : packageFolder(given);
  if (found === null) {
    const reason = 'it is neither a file nor an npm package that is installed here';
    throw errors.LOCATION_DATABASE_MISSING({ given, reason });
  }
  if (!statSync(found).isDirectory()) return [found];
  const names = readdirSync(found).filter((name) => name.endsWith(ENDING));
  if (names.length === 0) {
    throw errors.LOCATION_DATABASE_MISSING({ given, reason: `it has no ${ENDING} file` });
  }
  return withoutParts(names.toSorted()).map((name) => join(found, name));
}

/** Where npm has put a package, as seen from here and from the program. */
function packageFolder(name: string): string | null {
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name)) return null;
  for (const start of [process.cwd(), packageRoot()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const found = join(folder, 'node_modules', name);
      if (existsSync(join(found, 'package.json'))) return found;
      if (folder === dirname(folder)) break;
    }
  }
  return null;
}

/** A package may have one file for all addresses, and its two halves beside it. */
function withoutParts(names: readonly string[]): string[] {
  return names.filter((name) => {
    const whole = name.replace(/-ipv[46]\.mmdb$/, ENDING);
    return whole === name || !names.includes(whole);
  });
}

/** Two files of one name from two places would be one. */
function uniqueNames(names: readonly string[]): string[] {
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${index}-${name}`));
}

type Described = Readonly<Record<string, unknown>>;

function described(file: PlaceFile): Described {
  const { path, origin } = file;
  let read: ReadPlaceFile;
  try {
    read = readPlaceFile(file);
  } catch (error) {
    if (!(error instanceof OperatingError)) throw error;
    process.exitCode = 1;
    return { path, origin, fault: error.message };
  }
  const { description, contents } = read;
  const { type, builtMs, addresses } = description;
  const knows = [
    ...(contents.hasCountries ? ['country'] : []),
    ...(contents.hasRegions ? ['region'] : []),
    ...(contents.hasCities ? ['city'] : []),
  ];
  const credit = creditOf(path, description);
  return {
    ...{
      path,
      origin,
      type,
      built: builtMs === 0 ? '' : new Date(builtMs).toISOString().slice(0, 10),
    },
    ...{ addresses, records: contents.recordCount, bytes: read.bytes.byteLength, knows },
    ...{
      licence: credit?.licence ?? '',
      credit: credit?.text ?? '',
      credit_url: credit?.url ?? '',
    },
  };
}

/** In the order in which they are asked. */
function write(files: readonly Described[], { json }: SharedFlags): void {
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ databases: files })}\n`);
    return;
  }
  for (const file of files) process.stdout.write(`${lines(file).join('\n')}\n`);
}

function lines(file: Described): string[] {
  const { path, origin, fault } = file;
  if (fault !== undefined) return [`${path} (${origin})`, `  ${fault}`];
  const { type, built, addresses, records, knows, licence, credit, credit_url: url } = file;
  const about = [
    type,
    built === '' ? 'no date' : `built ${built}`,
    addresses,
    `${records} records`,
  ];
  const said =
    credit === ''
      ? 'licence unknown: see where you have it from'
      : `${licence}: where places are shown, say "${credit}" and link to ${url}`;
  return [
    `${path} (${origin})`,
    `  ${about.join(', ')}; knows ${(knows as string[]).join(', ')}`,
    `  ${said}`,
  ];
}
