// Goal: what somebody is told of a domain is written down together with what keeps it from being told
// again, has the numbers that the API answers, and goes with what it is about.
// Method: a real registry and mail queue; statistics answered by the engine itself over no data, and the
// questions compared with those of the API's own batch.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { changed } from '../../src/control/descriptor/draft.ts';
import { readMailEnd } from '../../src/control/people/mail-ends.ts';
import { endedJobWanted, noticesWanted, reportWanted } from '../../src/control/people/mails.ts';
import { endMails } from '../../src/control/people/notices.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { reportsFor } from '../../src/control/reports.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { mail } from '../../src/control/resources/mail.ts';
import { type Report, report } from '../../src/control/resources/report.ts';
import type { OutgoingMail } from '../../src/delivery/mail/message.ts';
import { MailQueue } from '../../src/jobs/mail-queue.ts';
import { type NumbersDoor, siteNumbers } from '../../src/jobs/site-numbers.ts';
import { errors } from '../../src/model/errors.ts';
import { runStatistics } from '../../src/query/answers/run.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';
const BY = { kind: 'node', id: '' } as const;

let directory: string;
let registry: Registry;
let queue: MailQueue;
let userId: string;
let site: Domain;
let handed: OutgoingMail[];
let outcomes: string[];
let batch: NumbersDoor['batch'];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-told-'));
  registry = Registry.open(directory, NOW_MS);
  userId = (await createAccount(registry, { email: EMAIL }, NOW_MS)).user.id;
  site = (await createDomain(registry, { email: EMAIL, hostname: 'shop.example' }, NOW_MS)).domain;
  [handed, outcomes] = [[], []];
  batch = async (_, entries) => {
    const results = entries.map((entry) =>
      'refused' in entry ? JSON.parse(entry.refused) : runStatistics(structuredClone(entry), []),
    );
    return Buffer.from(JSON.stringify({ position: 0, results }));
  };
  queue = new MailQueue({
    ...{ registry, nowMs: () => NOW_MS, publicUrl: 'https://stats.example.org', isAlone: true },
    ...{ dashboardHost: 'boards.example.org', language: 'en' },
    numbers: siteNumbers({ batch: (...asked) => batch(...asked) }, registry),
    door: {
      needsLinks: true,
      send: async (outgoing) => {
        handed.push(outgoing);
        return { kind: 'sent', answer: '250 ok' };
      },
    },
    onOutcome: (_, { answer }) => outcomes.push(answer),
    onFault: (error) => {
      throw error;
    },
  });
});

afterEach(async () => {
  await queue.stop();
  await registry.close();
  rmSync(directory, { recursive: true });
});

const entries = () => [...registry.view.all(mail)];

async function makeReport(linkTo = ''): Promise<Report> {
  const sent = { domain_id: site.id, emails: ['ben@example.org'], interval: 0, link_to: linkTo };
  const made: Report[] = [];
  await registry.change({ nowMs: NOW_MS, by: BY }, (view, nowMs) => {
    const { changes, result } = reportsFor({ sent, userId }, view, nowMs);
    made.splice(0, made.length, ...result);
    return changes;
  });
  return made[0] as Report;
}

const send = (of: Report) =>
  registry.change({ nowMs: NOW_MS, by: BY }, (view, nowMs) => {
    const entry = reportWanted(of, { from: '2026-11-19', to: '2026-11-19' }, { view, nowMs });
    return entry === null ? [] : [entry];
  });

async function linkOf(change: Partial<Domain>, linkTo: string): Promise<string> {
  const open = { ...site, isPublic: true, customDomain: 'stats.shop.example' };
  await registry.change({ nowMs: NOW_MS, by: BY }, () => [changed(domain, open)]);
  const made = await makeReport(linkTo);
  await registry.change({ nowMs: NOW_MS, by: BY }, () => [changed(domain, { ...open, ...change })]);
  await send(made);
  await queue.settled();
  const [{ mail: sent } = { mail: null }] = handed;
  return (
    /https:\/\/\S+/.exec(sent?.text.split('\n').find((line) => /https:/.test(line)) ?? '')?.[0] ??
    ''
  );
}

test.each([
  ['import-done', { source: 'history.zip', rows: 1_234, to: '2026-01-31' }, '1,234 rows', '/'],
  ['import-failed', { fault: 'line 3: no date' }, 'line 3: no date', '?settings=import'],
  ['export-ready', { rows: 5, bytes: 2_048, untilMs: NOW_MS }, '5 rows', '?settings=export'],
] as const)(
  '%s is told to who began the job, as long as they manage the domain (O-22)',
  async (...of) => {
    const [kind, about, said, place] = of;
    const tell = (by: string | null) =>
      registry.change({ nowMs: NOW_MS, by: BY }, (view, nowMs) =>
        endedJobWanted({ kind, domainId: site.id, userId: by, about }, { view, nowMs }),
      );
    await tell(null);
    await tell('somebody who is gone');
    const other = (await createAccount(registry, { email: 'eve@example.org' }, NOW_MS)).user;
    await tell(other.id);
    expect(entries()).toEqual([]);
    await tell(userId);
    await queue.settled();
    expect(handed).toHaveLength(1);
    expect(handed[0]).toMatchObject({ kind, to: EMAIL, endLink: null });
    expect(handed[0]?.mail.text).toContain(said);
    expect(handed[0]?.mail.text).toContain(place);
    expect(entries()).toEqual([]);
  },
);

test.each([
  ['spike', { visitors: 7, threshold: 5, atMs: NOW_MS, pages: [], referrers: [] }, '7'],
  ['warning', { days: 3, lastHitMs: null }, '3'],
  ['goal', { goal: 'Signed up', sinceMs: 0, isDeleted: true, targets: [] }, 'Signed up'],
] as const)(
  'a %s is told once with what was known by then, and not to who has ended that (O-21)',
  async (kind, about, said) => {
    const tell = () =>
      registry.change(
        { nowMs: NOW_MS, by: BY },
        (view, nowMs) => noticesWanted({ kind, site, about }, { view, nowMs }) ?? [],
      );
    await tell();
    await queue.settled();
    await queue.settled();
    expect(handed).toHaveLength(1);
    expect(handed[0]).toMatchObject({ kind, to: EMAIL });
    expect(handed[0]?.mail.text).toContain(said);
    expect(handed[0]?.mail.text).toContain('shop.example');
    const token = new URL(handed[0]?.endLink ?? '').searchParams.get('token') ?? '';
    const end = { kind, domainId: site.id, userId } as const;
    expect(readMailEnd(token, registry.tokenKey)).toEqual(end);
    await registry.change({ nowMs: NOW_MS, by: BY }, (view, nowMs) => endMails(end, view, nowMs));
    await tell();
    expect(entries()).toEqual([]);
  },
);

test('a report of an empty site is all zeros, of its days, and leads to its end (A-63, O-31, O-21)', async () => {
  const made = await makeReport();
  await send(made);
  await queue.settled();
  expect(outcomes).toEqual([]);
  expect(handed.map(({ kind, to }) => [kind, to])).toEqual([['report', 'ben@example.org']]);
  expect(handed[0]?.mail.subject).toMatch(/shop\.example.*0 visitors.*Nov/);
  expect(handed[0]?.mail.text.match(/[1-9]\d*(?= (?:visitors|views|sessions))/g)).toBeNull();
  const token = new URL(handed[0]?.endLink ?? '').searchParams.get('token') ?? '';
  expect(readMailEnd(token, registry.tokenKey)).toEqual({ kind: 'report', reportId: made.id });
  expect(entries()).toEqual([]);
});

test.each([
  ['', {}, 'https://stats.example.org/'],
  ['public', {}, 'boards.example.org/'],
  ['custom', {}, 'https://stats.shop.example/'],
  // What was there when it was made may be gone.
  ['public', { isPublic: false }, 'https://stats.example.org/'],
  ['custom', { customDomain: null }, 'https://stats.example.org/'],
] as const)(
  'with link_to "%s" and %j a report leads to %s (O-31)',
  async (linkTo, change, start) => {
    const link = await linkOf(change, linkTo);
    expect(link).toContain(start);
  },
);

test('a report that waits goes with its report, and with its domain (O-30, M-11)', async () => {
  const made = await makeReport();
  await send(made);
  await registry.change({ nowMs: NOW_MS, by: BY }, (view, nowMs) =>
    endMails({ kind: 'report', reportId: made.id }, view, nowMs),
  );
  await queue.settled();
  expect([handed, entries()]).toEqual([[], []]);
  expect(registry.view.find(report, made.id)).toBeNull();
});

test('a report whose numbers nobody can answer now is tried again, and says them then (O-31)', async () => {
  const answer = batch;
  batch = async () => {
    throw errors.SHARD_MOVED({});
  };
  await send(await makeReport());
  await queue.settled();
  expect(handed).toEqual([]);
  expect(entries()).toMatchObject([{ attempts: 1, isDone: false, isClaimed: false }]);
  expect(outcomes).toHaveLength(1);
  batch = async (id, asked) => {
    const rest = asked.slice(1);
    return answer(id, [
      { refused: '{"validation":{},"error":["too much"],"context":{}}' },
      ...rest,
    ]);
  };
  await registry.change({ nowMs: NOW_MS, by: BY }, () =>
    entries().map((entry) => changed(mail, { ...entry, dueMs: NOW_MS })),
  );
  await queue.settled();
  expect(handed).toEqual([]);
  expect(outcomes[1]).toContain('too much');
});
