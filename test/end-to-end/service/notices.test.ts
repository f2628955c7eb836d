// Goal: from real hits to real mails: a spike and a goal are told once each, with the numbers that
// the API answers, whatever is killed between; one click ends one kind for one reader (O-40 to
// O-42, O-21). In the long run also: a domain without hits is warned of.
// Method: the built service, a mail server of this process, SIGKILL after each step. A start looks
// at everything at once, and a mail that is asked for afterwards comes when what was due before has
// come.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed } from '../../../src/control/descriptor/draft.ts';
import { Registry } from '../../../src/control/registry/registry.ts';
import { domain } from '../../../src/control/resources/domain.ts';
import { DAY_MS } from '../../../src/model/limits.ts';
import { MailServer } from '../../support/mail-server.ts';
import { IS_LONG } from '../../support/runs.ts';
import {
  type AccountCredentials,
  type DomainCredentials,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const EMAIL = 'owner@example.org';
const HOST = 'shop.example';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const WAIT_MS = 60_000;

let server: MailServer;
let service: Awaited<ReturnType<typeof startService>>;
let account: AccountCredentials;
let site: DomainCredentials;

beforeAll(async () => {
  server = await MailServer.start();
  const env = {
    ...{ FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1', FOOTFALL_SHARDS: '2' },
    FOOTFALL_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    FOOTFALL_MAIL_FROM: 'Footfall <stats@example.org>',
  };
  service = await startService({ env, autoStart: false });
  account = await service.createAccount(EMAIL);
  site = await service.createDomain({ email: EMAIL, hostname: HOST, timezone: 'Europe/Berlin' });
  await service.start();
});
afterAll(async () => {
  await service.dispose();
  await server.stop();
});

async function bearer(): Promise<string> {
  const { client_id, client_secret } = account;
  const answer = await call('POST', 'token', { client_id, client_secret }, '');
  return (answer as { access_token: string }).access_token;
}

async function call(method: string, path: string, body?: object, token?: string) {
  const authorization = `Bearer ${token ?? (await bearer())}`;
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { connection: 'close', authorization };
  const answer = await fetch(`${service.baseUrl}/api/v1/${path}`, { method, headers, ...sent });
  expect(answer.status, `${method} ${path}`).toBe(200);
  return (await answer.json()) as unknown;
}

/** Visitors that view a page each. */
async function visit(from: number, to: number, path: string): Promise<void> {
  for (let person = from; person < to; person++) {
    const hit = { url: `https://${HOST}${path}`, ip: `1.2.3.${person}`, user_agent: CHROME };
    await call('POST', 'hit', { ...hit, referrer: 'https://news.example/' }, site.access_key);
  }
}

/** One for each Message-ID: a kill while one is handed over has the same mail come again (O-22). */
const mailsOf = (word: string) => {
  const found = server.taken.filter(({ parsed }) => parsed.subject?.includes(word) === true);
  return [...new Map(found.map((mail) => [mail.parsed.messageId, mail])).values()];
};

async function restart(): Promise<void> {
  await service.kill();
  await service.start();
}

test('a spike is mailed once with the numbers of the API, and not again after a kill (O-40, A-61)', async () => {
  const { id } = site;
  await call('POST', 'traffic/spike', { domain_id: id, threshold: 3 });
  await call('PUT', 'traffic/spike', { domain_id: id });
  await visit(1, 4, '/sale');
  const active = await call('GET', `statistics/active?id=${id}`);
  expect(active).toEqual({ stats: [{ path: '/sale', title: '', visitors: 3 }], visitors: 3 });
  await until(async () => mailsOf('right now').length > 0, WAIT_MS);
  const [mail] = mailsOf('right now');
  expect(mail?.to).toEqual([EMAIL]);
  expect(mail?.parsed.subject).toBe(`${HOST}: 3 visitors right now`);
  for (const said of ['threshold of 3', '/sale', 'news.example']) {
    expect(mail?.parsed.text).toContain(said);
    expect(mail?.parsed.html).toContain(said);
  }
  await visit(4, 9, '/sale');
});

test('a goal is reached while nobody looks: mailed at the next start, once, and gone (O-42, A-52)', async () => {
  const goal = { domain_id: site.id, path_pattern: '/sold', visitors: 2, email_reached: true };
  await call('POST', 'goal', { ...goal, name: 'Sold two' });
  await call('POST', 'goal', { ...goal, name: 'Sold and gone', delete_reached: true });
  await call('POST', 'goal', { ...goal, name: 'Sold three', visitors: 3 });
  await visit(1, 3, '/sold');
  await restart();
  await until(async () => mailsOf('is reached').length >= 2, WAIT_MS);
  await restart();
  const read = async () =>
    (await call('GET', `goal?id=${site.id}`)) as { name: string; email_reached: boolean }[];
  const flags = (await read()).map(({ name, email_reached: flag }) => [name, flag]);
  expect(Object.fromEntries(flags)).toEqual({ 'Sold two': false, 'Sold three': true });
  await visit(3, 4, '/sold');
  await restart();
  await until(async () => mailsOf('“Sold three”').length > 0, WAIT_MS);
  for (const name of ['Sold two', 'Sold and gone', 'Sold three']) {
    expect(mailsOf(`“${name}”`)).toHaveLength(1);
  }
  expect(mailsOf('“Sold and gone”')[0]?.parsed.text).toContain('deleted');
  // Eight are active since the first three were told.
  expect(mailsOf('right now')).toHaveLength(1);
});

test('one click ends goals, and nothing else (O-21)', async () => {
  const [mail] = mailsOf('“Sold two”');
  const [, link] = /<(https?:[^>]+unsubscribe[^>]+)>/.exec(
    mail?.parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '',
  ) as unknown as [string, string];
  const { search } = new URL(link);
  const ended = await fetch(`${service.baseUrl}/api/v1/unsubscribe${search}`, { method: 'POST' });
  expect(ended.status).toBe(200);
  const goal = { domain_id: site.id, path_pattern: '/sold', visitors: 1, email_reached: true };
  await call('POST', 'goal', { ...goal, name: 'Muted' });
  await call('POST', 'goal', { ...goal, name: 'Muted and gone', delete_reached: true });
  await visit(5, 6, '/sold');
  await restart();
  const names = async () =>
    ((await call('GET', `goal?id=${site.id}`)) as { name: string }[]).map(({ name }) => name);
  await until(async () => !(await names()).includes('Muted and gone'), WAIT_MS);
  expect(await names()).toContain('Muted');
  expect(mailsOf('Muted')).toEqual([]);
});

test.runIf(IS_LONG)(
  'a domain without a hit for a day is warned of a minute after a start (O-41, A-62)',
  async () => {
    await service.stop();
    const registry = Registry.open(service.dataDir, Date.now());
    const quiet = await service.createDomain({ email: EMAIL, hostname: 'quiet.example' });
    registry.refresh();
    // Both were made three days ago; one has had visits since.
    await registry.change({ nowMs: Date.now(), by: { kind: 'cli', id: '' } }, (view) =>
      [site.id, quiet.id].flatMap((id) => {
        const found = view.find(domain, id);
        if (found === null) return [];
        const on = { trafficWarning: true, trafficWarningThreshold: 1 };
        return [changed(domain, { ...found, ...on, createdMs: Date.now() - 3 * DAY_MS })];
      }),
    );
    await registry.close();
    await service.start();
    await until(async () => mailsOf('no visitors for').length > 0, 3 * WAIT_MS);
    await restart();
    expect(mailsOf('no visitors for').map(({ parsed }) => parsed.subject)).toEqual([
      'quiet.example: no visitors for 3 days',
    ]);
  },
);
