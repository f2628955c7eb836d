/**
 * `footfall serve`: the service in the foreground, from the first line to the last signal.
 *
 * Control plane. Order at start: the directory's lock, then certificate and address, then (on an empty
 * directory) a first account, then the threads; so a start that is refused has changed nothing.
 */
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { openFileLimit } from '../base/open-files.ts';
import { createFirstAccount, type FirstAccount } from '../control/accounts.ts';
import { linkAddress } from '../control/people/one-time-links.ts';
import { user } from '../control/resources/user.ts';
import { loadHttpEngine } from '../edge/http/http-engine.ts';
import { errors } from '../model/errors.ts';
import { readAddressLists } from '../runtime/directory/address-lists.ts';
import { lockDataDir } from '../runtime/directory/data-dir-lock.ts';
import { certificateOf } from '../runtime/directory/node-certificate.ts';
import { placeFiles } from '../runtime/directory/place-files.ts';
import { openFilesNeeded } from '../runtime/doctor/open-files-needed.ts';
import type { Node } from '../runtime/node.ts';
import { openNodeRegistry, openRegistry } from '../runtime/node-registry.ts';
import { readPlaceFile } from '../runtime/places/read-place-files.ts';
import { checkPort } from '../runtime/port-check.ts';
import { ownUrl, publicUrl } from '../settings/public-url.ts';
import type { Settings } from '../settings/schema.ts';
import { type CommandFlags, FIRST_WISH, firstSteps } from './first-steps.ts';
import { givenSettings } from './given-settings.ts';
import { type SettingFlags, withSettingFlags } from './settings.ts';
import { StopSignals } from './stop-signals.ts';

/** A stop that takes longer is given up: within 10 s the process must be gone. */
const STOP_MS_MAX = 9_000;

/** Adds the command to the program. */
export function registerServe(program: Command): void {
  withSettingFlags(program.command('serve'))
    .description('run the service in the foreground')
    .action(async (flags: SettingFlags) => {
      await serve(givenSettings(flags), flags.json === true);
    });
}

/** Runs until a signal or a fatal fault, then ends the process. */
async function serve(settings: Settings, json: boolean): Promise<void> {
  checkOpenFiles(settings);
  const lock = lockDataDir(settings.dataDir);
  const signals = new StopSignals(() => lock.release());
  try {
    // Before any thread does: the engine reads its environment once.
    await loadHttpEngine();
    certificateOf(settings);
    const port = await checkPort(settings.host, settings.port);
    const first = await makeFirstAccount(settings);
    const link = first && linkAddress(publicUrl({ ...settings, port }), 'reset', first.token);
    // Shown before the threads start: even if that fails, these secrets will not come again.
    if (first !== null && link !== null && !json) {
      // On this machine, whatever the address is that others reach it by.
      const localUrl = publicUrl({ ...settings, baseUrl: null, port });
      const flags = commandFlags(settings, publicUrl({ ...settings, port }));
      process.stdout.write(firstSteps(localUrl, { made: first, link }, flags));
    }
    // Loaded here: the other commands need none of the runtime.
    const { startNode } = await import('../runtime/node.ts');
    const node = await startNode({ ...settings, port });
    signals.onReload(() => node.reload());
    const url = ownUrl({ ...settings, port });
    process.stdout.write(greeting({ url, node, settings, first, link, json }));
    const fault = await Promise.race([signals.first(), node.failed]);
    if (fault !== null) process.stderr.write(`footfall: ${fault.message}\n`);
    const isStopped = await stop(node);
    // What a thread found while it stopped.
    const late = fault === null ? await Promise.race([node.failed, null]) : null;
    if (late !== null) process.stderr.write(`footfall: ${late.message}\n`);
    lock.release();
    // A thread that would not end must not keep the process.
    process.exit((fault ?? late) === null && isStopped ? 0 : 1);
  } finally {
    lock.release();
  }
}

/** What other commands have to be told when this one was told. */
function commandFlags({ origins, dataDir }: Settings, url: string): CommandFlags {
  const isHere = (['baseUrl', 'host', 'port'] as const).every((key) => origins[key] === 'default');
  return {
    dataDir: origins.dataDir === 'default' ? '' : ` --data-dir '${dataDir}'`,
    baseUrl: isHere ? '' : ` --base-url '${url}'`,
  };
}

/** @throws OPEN_FILES_TOO_FEW: better now than when the last shard gets its first hit. */
function checkOpenFiles(settings: Settings): void {
  const limit = openFileLimit();
  const needed = openFilesNeeded(settings);
  if (limit < needed) throw errors.OPEN_FILES_TOO_FEW({ limit, needed });
}

/** @returns whether it came to an end in time and without a fault. */
async function stop(node: Node): Promise<boolean> {
  const tooLate = new Promise<string>((resolve) => {
    setTimeout(() => resolve(`stopping took longer than ${STOP_MS_MAX} ms`), STOP_MS_MAX).unref();
  });
  const stopped = node.stop().then(
    () => '',
    (error: unknown) => `stopping failed: ${error instanceof Error ? error.message : error}`,
  );
  const fault = await Promise.race([stopped, tooLate]);
  if (fault === '') return true;
  process.stderr.write(`footfall: ${fault}; nothing acknowledged is lost\n`);
  return false;
}

/** null when the registry has users already. */
async function makeFirstAccount(settings: Settings): Promise<FirstAccount | null> {
  const nowMs = systemClock();
  if (await hasUsers(settings, nowMs)) return null;
  // Its secrets are shown once, so what the threads would refuse is refused before.
  checkPlaceFiles(settings);
  readAddressLists(settings);
  const opened = await openRegistry(settings, nowMs, () => {});
  try {
    return await createFirstAccount(opened.registry, FIRST_WISH, nowMs);
  } finally {
    await opened.close();
  }
}

async function hasUsers(settings: Settings, nowMs: number): Promise<boolean> {
  const opened = await openNodeRegistry(settings, nowMs, () => {});
  const has = opened.watch.has(user);
  await opened.close();
  return has;
}

/** @throws LOCATION_DATABASE_UNREADABLE. The bundled one is as good as the program. */
function checkPlaceFiles(settings: Settings): void {
  for (const file of placeFiles(settings)) {
    if (file.origin !== 'bundled') readPlaceFile(file);
  }
}

/** One line that says 'ready': for people, or as the one JSON object. */
function greeting(ready: {
  readonly url: string;
  readonly node: Node;
  readonly settings: Settings;
  readonly first: FirstAccount | null;
  /** That sets the password of the first account. */
  readonly link: string | null;
  readonly json: boolean;
}): string {
  const { url, node, settings, first, link, json } = ready;
  const line = `listening on ${url}`;
  if (!json) return `footfall is ${line} (data in ${settings.dataDir})\n`;
  const credentials = first && {
    email: first.account.user.email,
    link,
    client_id: first.account.clientId,
    client_secret: first.account.clientSecret,
    domain_id: first.domain.domain.id,
    domain_client_id: first.domain.clientId,
    domain_client_secret: first.domain.clientSecret,
    access_key: first.domain.accessKey,
  };
  const result = { message: line, url, base_url: node.baseUrl, data_dir: settings.dataDir };
  return `${JSON.stringify({ ...result, first: credentials })}\n`;
}
