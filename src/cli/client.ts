/**
 * `footfall client create|delete`: credentials of programs, for an account or for one site (M-40).
 *
 * Control plane.
 */
import type { Command } from 'commander';
import { type ClientWish, createClient, deleteClient } from '../control/clients.ts';
import type { Viewing } from '../control/descriptor/resource.ts';
import { toWire } from '../control/descriptor/wire.ts';
import { client as clientResource } from '../control/resources/client.ts';
import { type SharedFlags, withRegistry, withSharedFlags, writeResult } from './output.ts';

interface CreateFlags extends SharedFlags {
  readonly email: string;
  readonly domain: string;
  readonly type: string;
  readonly description: string;
  readonly scope: readonly string[];
}

interface DeleteFlags extends SharedFlags {
  readonly id: string;
}

/** Adds the commands to the program. */
export function registerClient(program: Command): void {
  const client = program.command('client').description('credentials of programs');
  withSharedFlags(client.command('create'))
    .description('create a client of an account, or of one site')
    .option('--email <email>', 'email address of the account it acts for', '')
    .option('--domain <id>', 'id or subdomain of the site it is for, instead', '')
    .option(
      '--type <type>',
      'oauth (id and secret), or token (an access key that sends hits)',
      'oauth',
    )
    .option('--description <text>', 'what it is for', '')
    .option(
      '--scope <area=right...>',
      'such as statistics=r domains=w (default: all it may have)',
      [],
    )
    .action(create);
  withSharedFlags(client.command('delete'))
    .description('delete a client: its tokens end at once')
    .requiredOption('--id <id>', 'its id, or its client_id')
    .action(remove);
}

async function create(flags: CreateFlags): Promise<void> {
  const { email, domain, type, description, scope: scopes } = flags;
  const wish: ClientWish = { email, domain, type, description, scopes };
  const result = await withRegistry(flags, async (registry, nowMs) => {
    const { record, secret } = await createClient(registry, wish, nowMs);
    const viewing: Viewing = { view: registry.view, userId: '', roleOn: () => 'Owner' };
    return { ...toWire(clientResource, record, viewing), client_secret: secret };
  });
  const note = 'The client secret is stored hashed and shown only now: keep it.';
  writeResult(result, { json: flags.json === true, note });
}

async function remove(flags: DeleteFlags): Promise<void> {
  const { id, description } = await withRegistry(flags, (registry, nowMs) =>
    deleteClient(registry, flags.id, nowMs),
  );
  const note = 'It is deleted: its tokens are refused from now on.';
  writeResult({ id, description }, { json: flags.json === true, note });
}
