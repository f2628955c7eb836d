/**
 * `footfall domain create`: a site with a client and an access key of its own.
 *
 * Control plane.
 */
import type { Command } from 'commander';
import { createDomain } from '../control/accounts.ts';
import type { Viewing } from '../control/descriptor/resource.ts';
import { toWire } from '../control/descriptor/wire.ts';
import { domain as domainResource } from '../control/resources/domain.ts';
import { type SharedFlags, withRegistry, withSharedFlags, writeResult } from './output.ts';

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
}

async function create(flags: Flags): Promise<void> {
  const { made, shown } = await withRegistry(flags, async (registry, nowMs) => {
    const domain = await createDomain(registry, flags, nowMs);
    const { userId } = domain.domain;
    const viewing: Viewing = { view: registry.view, userId, roleOn: () => 'Owner' };
    return { made: domain, shown: toWire(domainResource, domain.domain, viewing) };
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
