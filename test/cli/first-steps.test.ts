// Goal: what a newcomer pastes into bash is what the API expects.
// Method: the printed lines run in a real bash, with a `curl` that writes down how it was called.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIRST_WISH, firstSteps } from '../../src/cli/first-steps.ts';
import { createFirstAccount } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';

const CURL = `
curl() {
  printf '%s\\n' "$@" '---' >&2
  if [[ "$*" == *token* ]]; then printf '{"access_token":"to-ken_1","expires_at":"x"}'; fi
}
`;

const LINK = 'http://127.0.0.1:8080/reset?token=abc';

const NO_FLAGS = { dataDir: '', baseUrl: '' };

test('the lines send a hit with the access key, get a token and read the totals of today', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-steps-'));
  const registry = Registry.open(directory, 0);
  const made = await createFirstAccount(registry, FIRST_WISH, 0);
  await registry.close();
  rmSync(directory, { recursive: true });
  if (made === null) throw new Error('an empty registry gets an account');

  const printed = firstSteps('http://127.0.0.1:8080', { made, link: LINK }, NO_FLAGS);
  expect(printed).toContain(`\n  ${LINK}\n`);
  const commands = printed.match(/^(?:curl|TOKEN=)(?:.*\\\n)*.*$/gm) ?? [];
  expect(commands).toHaveLength(3);
  const script = `${CURL}${commands.join('\n')}`;
  const log = join(tmpdir(), `${directory.slice(-6)}.log`);
  execFileSync('bash', ['-euo', 'pipefail', '-c', `exec 2>${log}; ${script}`]);
  const calls = execFileSync('cat', [log], { encoding: 'utf8' }).split('---\n');
  rmSync(log);

  const { domain, accessKey, clientId, clientSecret } = made.domain;
  const [hit = '', token = '', total = ''] = calls;
  expect(hit).toContain(`\nAuthorization: Bearer ${accessKey}\n`);
  const body = JSON.parse(/\n(\{.*\})\n/.exec(hit)?.[1] ?? '');
  expect(new URL(body.url).hostname).toBe(domain.hostname);
  expect(Object.keys(body)).toEqual(['url', 'ip', 'user_agent', 'title']);
  expect(JSON.parse(/\n(\{.*\})\n/.exec(token)?.[1] ?? '')).toEqual({
    client_id: clientId,
    client_secret: clientSecret,
  });
  const day = execFileSync('date', ['-u', '+%F'], { encoding: 'utf8' }).trim();
  expect(total).toContain(`/statistics/total?id=${domain.id}&from=${day}&to=${day}\n`);
  expect(total).toContain('\nAuthorization: Bearer to-ken_1\n');
});
