/**
 * `footfall domain create|list|delete|transfer`: sites, with clients and access keys of their own.
 *
 * Control plane.
 */
import type { Command } from 'commander';
import { createDomain } from '../control/accounts.ts';
import type { Look, Viewing } from '../control/descriptor/resource.ts';
import { toWire } from '../control/descriptor/wire.ts';
import { transferOf } from '../control/domains.ts';
import { notFound, Records } from '../control/records.ts';
import type { Stamp } from '../control/registry/registry.ts';
import { type Domain, domain as site } from '../control/resources/domain.ts';
import { type User, user } from '../control/resources/user.ts';
import { errors } from '../model/errors.ts';
import {
  type SharedFlags,
  withRegistry,
  withSharedFlags,
  writeResult,
  writeTable,
} from './output.ts';

interface Flags extends SharedFlags {
  readonly email: string;
  readonly hostname: string;
  readonly subdomain?: string;
  readonly timezone?: string;
}

/** Adds the command to the program. */
export function registerDomain(program: Command): void {
  const domain = program.command('domain').description('sites');
  withSharedFlags(domain.command('create'))
    .description('create a site with a client that may do everything and an access key for hits')
    .requiredOption('--email <email>', 'email address of the account it belongs to')
    .requiredOption('--hostname <hostname>', 'where the pages are, such as example.com')
    .option('--subdomain <label>', "the dashboard's subdomain (default: from the hostname)")
    .option('--timezone <name>', 'IANA time zone of the statistics (default: UTC)')
    .action(create);
  withSharedFlags(domain.command('list'))
    .description('list the sites, oldest first')
    .option('--email <email>', 'only those of this account')
    .action(list);
  withSharedFlags(domain.command('delete'))
    .description('delete a site with everything that belongs to it, its statistics included')
    .requiredOption('--id <id>', 'id of the site')
    .action(remove);
  withSharedFlags(domain.command('transfer'))
    .description('make another account the owner of a site; the owner before becomes Admin')
    .requiredOption('--id <id>', 'id of the site')
    .requiredOption('--email <email>', 'email address of the account')
    .action(transfer);
}

async function create(flags: Flags): Promise<void> {
  const { made, shown } = await withRegistry(flags, async (registry, nowMs) => {
    const domain = await createDomain(registry, flags, nowMs);
    const { userId } = domain.domain;
    const viewing: Viewing = { view: registry.view, userId, roleOn: () => 'Owner' };
    return { made: domain, shown: toWire(site, domain.domain, viewing) };
  });
  const secrets = {
    client_id: made.clientId,
    client_secret: made.clientSecret,
    access_key: made.accessKey,
  };
  const result = { ...shown, ...secrets };
  const note =
    'The client secret and the access key are stored hashed and shown only now: keep them.';
  writeResult(result, { json: flags.json === true, note });
}

async function list(flags: SharedFlags & { readonly email?: string }): Promise<void> {
  const rows = await withRegistry(flags, async ({ view }) => {
    const owner = flags.email === undefined ? null : userOf(view, flags.email);
    const sites = owner === null ? [...view.all(site)] : view.of(site, 'userId', owner.id);
    return sites.toSorted(byAge).map(({ id, hostname, subdomain, userId, timezone }) => ({
      ...{ id, hostname, subdomain, timezone },
      email: view.find(user, userId)?.email ?? '',
    }));
  });
  writeTable(rows, { json: flags.json === true, name: 'domains' });
}

async function remove(flags: SharedFlags & { readonly id: string }): Promise<void> {
  const { id } = flags;
  const hostname = await withRegistry(flags, async (registry, nowMs) => {
    const found = registry.view.find(site, id);
    await new Records(registry).remove(site, id, stamp(nowMs));
    return found?.hostname ?? '';
  });
  const note = 'Its keys are refused from now on; a running service erases its statistics.';
  writeResult({ id, hostname }, { json: flags.json === true, note });
}

interface TransferFlags extends SharedFlags {
  readonly id: string;
  readonly email: string;
}

/** At once: whoever has the data directory needs nobody's consent. */
async function transfer(flags: TransferFlags): Promise<void> {
  const result = await withRegistry(flags, (registry, nowMs) =>
    new Records(registry).decide(stamp(nowMs), (view, atMs) => {
      const found = view.find(site, flags.id);
      if (found === null) throw notFound(site, flags.id);
      const { id: userId, email } = userOf(view, flags.email);
      const changes = transferOf(view, found, userId, atMs);
      return {
        changes,
        result: { id: found.id, hostname: found.hostname, user_id: userId, email },
      };
    }),
  );
  const note = 'The owner before is Admin now.';
  writeResult(result, { json: flags.json === true, note });
}

/** @throws USER_NOT_FOUND. */
function userOf(view: Look, given: string): User {
  const email = given.trim();
  const found = view.by(user, 'email', email.toLowerCase());
  if (found === null) throw errors.USER_NOT_FOUND({ email });
  return found;
}

function byAge(left: Domain, right: Domain): number {
  return left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1);
}

function stamp(nowMs: number): Stamp {
  return { nowMs, by: { kind: 'cli', id: '' } };
}
