/**
 * `footfall account create|list|password`: users, and the links that set their passwords.
 *
 * Control plane.
 */
import type { Command } from 'commander';
import { createAccount, listAccounts, passwordLink } from '../control/accounts.ts';
import { linkAddress } from '../control/people/one-time-links.ts';
import { publicUrl } from '../settings/public-url.ts';
import { givenSettings } from './given-settings.ts';
import {
  type SharedFlags,
  withNewRegistry,
  withRegistry,
  withSharedFlags,
  writeResult,
  writeTable,
} from './output.ts';

interface CreateFlags extends SharedFlags {
  readonly email: string;
  readonly name?: string;
}

interface PasswordFlags extends SharedFlags {
  readonly email: string;
  readonly baseUrl?: string;
  readonly totp?: boolean;
}

/** Adds the commands to the program. */
export function registerAccount(program: Command): void {
  const account = program.command('account').description('accounts');
  withSharedFlags(account.command('create'))
    .description('create an account with a client that may do everything')
    .requiredOption('--email <email>', 'email address of the user')
    .option('--name <name>', "the user's name")
    .action(create);
  withSharedFlags(account.command('list')).description('list the accounts').action(list);
  withSharedFlags(account.command('password'))
    .description('print a link that sets the password of an account, once, within 24 hours')
    .requiredOption('--email <email>', 'email address of the user')
    .option('--base-url <url>', 'what the link begins with (default: the setting)')
    .option('--no-totp', 'also turn two-factor sign-in off, for who has lost app and codes')
    .action(password);
}

async function create(flags: CreateFlags): Promise<void> {
  const made = await withNewRegistry(flags, (registry, nowMs) =>
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

async function list(flags: SharedFlags): Promise<void> {
  const accounts = await withRegistry(flags, async ({ view }) =>
    listAccounts(view).map(({ user, ...rest }) => ({
      user_id: user.id,
      email: user.email,
      full_name: user.fullName,
      created: new Date(user.createdMs).toISOString(),
      domains: rest.domainCount,
      password: rest.hasPassword,
      totp: rest.hasSecondFactor,
    })),
  );
  writeTable(accounts, { json: flags.json === true, name: 'accounts' });
}

async function password(flags: PasswordFlags): Promise<void> {
  const settings = givenSettings({ dataDir: flags.dataDir, baseUrl: flags.baseUrl });
  const { email } = flags;
  const endsFactor = flags.totp === false;
  const made = await withRegistry(flags, (registry, nowMs) =>
    passwordLink(registry, { email, endsFactor }, nowMs),
  );
  const result = {
    user_id: made.user.id,
    email: made.user.email,
    link: linkAddress(publicUrl(settings), 'reset', made.token),
  };
  const note = 'The link works once, within 24 hours; a newer one ends it.';
  writeResult(result, { json: flags.json === true, note });
}
