// Goal: a report that is due comes once, over kills, with the numbers that the API answers for its days,
// and one click ends it; `footfall jobs` tells how what the service does by itself goes (A-63, O-21,
// O-30, O-31).
// Method: the built service, hits of past days, a mail server. Time passes by next_report being set back
// in the registry by this process, as a service that was off would find it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed } from '../../../src/control/descriptor/draft.ts';
import { Registry } from '../../../src/control/registry/registry.ts';
import { report } from '../../../src/control/resources/report.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { MailServer } from '../../support/mail-server.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const WAIT_MS = 60_000;
const DAY_MS = 86_400_000;
const BY = { kind: 'cli', id: '' } as const;

let service: RunningService;
let mails: MailServer;
let domain: DomainCredentials;
let manager: ApiClient;

beforeAll(async () => {
  mails = await MailServer.start({});
  service = await startService({
    env: {
      ...{ FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1', FOOTFALL_SHARDS: '2' },
      FOOTFALL_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      FOOTFALL_MAIL_FROM: 'stats@example.org',
    },
  });
  const { email } = await service.createAccount();
  const zone = { hostname: 'shop.example', timezone: 'Pacific/Chatham' };
  domain = await service.createDomain({ email, ...zone });
  const { client_id, client_secret, access_key } = domain;
  manager = await ApiClient.whenKnown(service.baseUrl, client_id, client_secret);
  const writer = new ApiClient(service.baseUrl, access_key);
  const hits = Array.from({ length: 240 }, (_, index) => ({
    ...{ url: `https://shop.example/${['', 'a', 'b', 'c', 'd', 'e', 'f'][index % 7]}` },
    ...{ ip: `81.2.69.${index % 90}`, user_agent: FIREFOX },
    referrer: index % 3 === 0 ? 'https://news.example/' : '',
    time: new Date(Date.now() - index * 3.1 * 3_600_000).toISOString(),
  }));
  expect((await writer.request('POST', '/api/v1/hit/batch', { body: hits })).status).toBe(200);
  const goal = { domain_id: domain.id, name: 'Saw b', path_pattern: '/b', visitors: 500 };
  expect((await manager.request('POST', '/api/v1/goal', { body: goal })).status).toBe(200);
});

afterAll(async () => {
  await service.dispose();
  await mails.stop();
});

interface Report {
  id: string;
  email: string;
  next_report: string;
}

const list = async () =>
  (await manager.request('GET', `/api/v1/report?id=${domain.id}`)).body as Report[];

async function make(email: string, interval: number, language = ''): Promise<void> {
  const body = { domain_id: domain.id, emails: [email], interval, link_to: '', language };
  expect((await manager.request('POST', '/api/v1/report', { body })).status).toBe(200);
}

/** As if the service had been off for so long. */
async function setBack(emails: readonly string[], days: number): Promise<void> {
  const registry = Registry.open(service.dataDir, Date.now());
  await registry.change({ nowMs: Date.now(), by: BY }, (view) =>
    [...view.all(report)]
      .filter(({ email }) => emails.includes(email))
      .map((one) => {
        const nextReportMs = one.nextReportMs - days * DAY_MS;
        return changed(report, { ...one, nextReportMs });
      }),
  );
  await registry.close();
}

const mailsTo = (email: string) => mails.taken.filter(({ to }) => to.includes(email));

async function statistic<Answer>(name: string, days: Record<'from' | 'to', string>) {
  const query = new URLSearchParams({ id: domain.id, ...days });
  return (await manager.request('GET', `/api/v1/statistics/${name}?${query}`)).body as Answer;
}

/** How a report names its parts. */
const LABELS = {
  en: {
    ...{ visitors: 'Visitors', views: 'Views', sessions: 'Sessions', bounce_rate: 'Bounce rate' },
    ...{ page: 'Pages', referrer: 'Referrers', country: 'Countries', direct: 'Direct' },
  },
  de: {
    ...{
      visitors: 'Besucher',
      views: 'Aufrufe',
      sessions: 'Sitzungen',
      bounce_rate: 'Absprungrate',
    },
    ...{ page: 'Seiten', referrer: 'Quellen', country: 'Länder', direct: 'Direkt' },
  },
} as const;

/** As people of a language read a number; a percentage is a hundredth. */
function numberOf(text: string, language: 'en' | 'de'): number {
  const [group, point] = language === 'en' ? [',', '.'] : ['.', ','];
  const value = Number(text.replace(/[\s%]/g, '').replaceAll(group, '').replace(point, '.'));
  return text.includes('%') ? value / 100 : value;
}

/** Every number of the text is what the API answers for that day. */
async function expectNumbers(text: string, day: string, language: 'en' | 'de'): Promise<void> {
  const lines = text.split(/\r?\n/);
  const labels = LABELS[language];
  const days = { from: day, to: day };
  const total = await statistic<Record<string, number>>('total', days);
  const growth = await statistic<Record<string, number>>('growth', days);
  for (const name of ['visitors', 'views', 'sessions', 'bounce_rate'] as const) {
    const line = lines.find((one) => one.startsWith(`${labels[name]} `)) ?? '';
    const [value = '', change = ''] = line.slice(labels[name].length).trim().split(/ {2,}/);
    const grown = growth[`${name === 'bounce_rate' ? 'bounces' : name}_growth`] ?? Number.NaN;
    expect([name, numberOf(value, language)]).toEqual([name, expect.closeTo(total[name] ?? -1, 3)]);
    expect([name, numberOf(change, language)]).toEqual([name, expect.closeTo(grown, 3)]);
  }
  const countryName = new Intl.DisplayNames(language, { type: 'region' });
  const lists = {
    page: (row: Record<string, string>) => row['path'],
    referrer: (row: Record<string, string>) =>
      row['referrer_name'] || row['referrer'] || labels.direct,
    country: (row: Record<string, string>) =>
      countryName.of(String(row['country_code']).toUpperCase()),
  };
  for (const [name, nameOf] of Object.entries(lists)) {
    const title = `${labels[name as keyof typeof lists]} (${labels.visitors})`;
    const at = lines.indexOf(title);
    expect([title, at]).not.toEqual([title, -1]);
    const end = lines.indexOf('', at);
    const told = lines.slice(at + 2, end).map((line) => {
      const [, label = '', value = ''] = /^(.*?) {2,}(\S+)$/.exec(line) ?? [];
      return [label, numberOf(value, language)];
    });
    const rows = await statistic<Record<string, string>[]>(name, days);
    expect(rows.length).toBeGreaterThan(0);
    const first = rows.slice(0, 5).map((row) => [nameOf(row), row['visitors']]);
    expect(told).toEqual(first);
  }
}

/** The last dates of the domain's zone: today's is the first. */
function dateBefore(days: number): string {
  const now = new Date(Date.now() - days * DAY_MS);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Chatham' }).format(now);
}

test('what was missed comes once, the newest, with the numbers of the API (A-63, O-30, O-31)', async () => {
  const emails = ['day@example.org', 'tag@example.org'] as const;
  await make(emails[0], 0);
  await make(emails[1], 0, 'de');
  await setBack(emails, 9);
  await until(async () => emails.every((email) => mailsTo(email).length > 0), WAIT_MS);
  const [mail] = mailsTo(emails[0]);
  const [german] = mailsTo(emails[1]);
  const text = mail?.parsed.text ?? '';
  // Before seven in the morning the newest moment was yesterday's, of the day before.
  const found = [1, 2].map(dateBefore).filter((date) => {
    const day = new Date(`${date}T00:00:00Z`);
    const month = day.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
    return new RegExp(`\\b${day.getUTCDate()}\\b`).test(mail?.parsed.subject ?? '') && month !== '';
  });
  expect(found.length).toBeGreaterThan(0);
  const days = { from: String(found[0]), to: String(found[0]) };
  const total = await statistic<Record<string, number>>('total', days);
  expect(total['visitors']).toBeGreaterThan(2);
  expect(mail?.parsed.subject).toContain(`${total['visitors']} visitors`);
  await expectNumbers(text, String(found[0]), 'en');
  expect(text).toContain('Saw b');
  // The same in German, with its numbers.
  expect(german?.parsed.subject).toContain(`: ${total['visitors']} Besucher, `);
  expect(german?.parsed.html).toContain('<html lang="de"');
  await expectNumbers(german?.parsed.text ?? '', String(found[0]), 'de');
  const [{ next_report } = { next_report: '' }] = await list();
  expect(Date.parse(next_report)).toBeGreaterThan(Date.now());
  expect(Date.parse(next_report)).toBeLessThan(Date.now() + DAY_MS + 1);
  // Its course is nobody's change.
  const { body } = await manager.request('GET', `/api/v1/audit?domain_id=${domain.id}`);
  const changes = (body as { caller: { kind: string } }[]).filter(
    ({ caller }) => caller.kind === 'node',
  );
  expect(changes).toEqual([]);
});

test('killed while reports are due, each comes, and next_report lies ahead of it (O-30)', async () => {
  const emails = Array.from({ length: 6 }, (_, index) => `weekly${index}@example.org`);
  for (const email of emails) await make(email, 1);
  await setBack(emails, 30);
  await service.kill();
  await service.start();
  await until(async () => emails.every((email) => mailsTo(email).length > 0), WAIT_MS);
  for (const email of emails) {
    // At least once is what a mail is: the same one has the same Message-ID.
    expect(new Set(mailsTo(email).map(({ parsed }) => parsed.messageId)).size).toBe(1);
  }
  const due = (await list()).filter(({ next_report }) => Date.parse(next_report) <= Date.now());
  expect(due).toEqual([]);
});

test('one click ends that report, and no other (O-21)', async () => {
  const before = (await list()).length;
  const text = String(mailsTo('weekly0@example.org')[0]?.raw).replace(/=\r\n|\r\n /g, '');
  const link = /List-Unsubscribe: <([^>]+)>/i.exec(text)?.[1] ?? '';
  const sent = { method: 'POST', body: 'List-Unsubscribe=One-Click' };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await fetch(link, { ...sent, headers })).status).toBe(200);
  const left = await list();
  expect(left).toHaveLength(before - 1);
  expect(left.map(({ email }) => email)).not.toContain('weekly0@example.org');
});

test('footfall jobs tells of each job when it ran, when it will, and what failed, beside the service', async () => {
  interface Told {
    is_running: boolean;
    jobs: { name: string; last_run: string | null; next_run: string | null; failures: number }[];
  }
  const tell = () => service.command<Told>(['jobs']);
  await until(async () => (await tell()).jobs.every(({ last_run }) => last_run !== null), WAIT_MS);
  const { is_running, jobs } = await tell();
  expect(is_running).toBe(true);
  expect(jobs.map(({ name }) => name)).toContain('reports');
  for (const { last_run, next_run, failures } of jobs) {
    expect(Date.parse(String(next_run))).toBeGreaterThan(Date.parse(String(last_run)));
    expect(failures).toBe(0);
  }
  await service.stop();
  const ended = await tell();
  expect(ended.is_running).toBe(false);
  expect(ended.jobs.every(({ next_run }) => next_run === null)).toBe(true);
});
