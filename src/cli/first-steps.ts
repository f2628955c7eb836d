/**
 * What a newcomer reads on an empty data directory: commands that work by copy and paste.
 *
 * Control plane. Text only; it is shown once, because the secrets in it are.
 */
import type { FirstAccount } from '../control/accounts.ts';

/** Whom the first start creates; example.org belongs to nobody (RFC 2606). */
export const FIRST_WISH = { email: 'admin@example.org', hostname: 'example.org', name: 'Admin' };

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/131.0.0.0 Safari/537.36';

/** What the commands that are shown need to find this service, each with a blank before it; '' for the default. */
export interface CommandFlags {
  readonly dataDir: string;
  /** Of the command that prints a link. */
  readonly baseUrl: string;
}

/**
 * Shell lines that send a hit, get a token and read the hit back.
 *
 * @param baseUrl where the service answers on this machine.
 * @param link that sets the account's password.
 */
export function firstSteps(
  baseUrl: string,
  { made, link }: { readonly made: FirstAccount; readonly link: string },
  flags: CommandFlags,
): string {
  const { domain, clientId, clientSecret, accessKey } = made.domain;
  const { account } = made;
  // The certificate is for the name of the service; these go to its address on this machine.
  const curl = baseUrl.startsWith('https:') ? 'curl -sSk' : 'curl -sS';
  const hit = {
    url: `https://${domain.hostname}/welcome`,
    ip: '203.0.113.7',
    user_agent: BROWSER,
    title: 'Welcome',
  };
  const login = { client_id: clientId, client_secret: clientSecret };
  const json = "-H 'Content-Type: application/json'";
  const findToken = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  const today = '$(date -u +%F)';
  return `
This data directory was empty, so it now has an account (${account.user.email}) and a site
(${domain.hostname}). The secrets below are shown only this once.

Set the password of ${account.user.email} in a browser, within 24 hours:
  ${link}
A new link, whenever you need one:
  npx footfall account password --email ${account.user.email}${flags.dataDir}${flags.baseUrl}

In another terminal (bash):

# send a first hit
${curl} ${baseUrl}/api/v1/hit \\
  -H 'Authorization: Bearer ${accessKey}' ${json} \\
  -d '${JSON.stringify(hit)}'

# get an access token (it lasts 60 minutes)
TOKEN=$(${curl} ${baseUrl}/api/v1/token ${json} \\
  -d '${JSON.stringify(login)}' \\
  | ${findToken})

# read the hit back: totals of today
${curl} -H "Authorization: Bearer $TOKEN" \\
  "${baseUrl}/api/v1/statistics/total?id=${domain.id}&from=${today}&to=${today}"

For your own site:
  npx footfall domain create --email ${account.user.email} --hostname www.my-site.com${flags.dataDir}
Account-level client:
  client_id ${account.clientId}
  client_secret ${account.clientSecret}

`;
}
