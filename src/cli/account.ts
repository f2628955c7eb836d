/**
 * `footfall account create`: a user with an account-level client.
 *
 * Control plane.
 */
import type { Command } from 'commander';
import { createAccount } from '../control/accounts.ts';
import { type SharedFlags, withRegistry, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly email: string;
  readonly name?: string;
}

/** Adds the command to the program. */
export function registerAccount(program: Command): void {
  const account = program.command('account').description('accounts');
  withSharedFlags(account.command('create'))
    .description('create an account with a client that may do everything')
    .requiredOption('--email <email>', 'email address of the user')
    .option('--name <name>', "the user's name")
    .action(create);
}

async function create(flags: Flags): Promise<void> {
  const made = await withRegistry(flags, (registry, nowMs) =>
    createAccount(registry, flags, nowMs),
  );
  const result = {
    user_id: made.user.id,
    email: made.user.email,
    client_id: made.clientId,
    client_secret: made.clientSecret,
  };
  const note = 'The client secret is stored hashed and shown only now: keep it.';
  writeResult(result, { json: flags.json === true, note });
}
