// Goal: a mail is in the language of its reader: of the account, else of who set the mail up, else of
// the service; what tells mails apart does not depend on it (O-21, O-1).
// Method: a real registry and mail queue; every kind of mail under every combination of who has said
// a language, against the rule written down once more as a chain of three.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Language } from '../../src/base/languages.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { changed } from '../../src/control/descriptor/draft.ts';
import { invite } from '../../src/control/invitations.ts';
import {
  inactiveWebhookWanted,
  mailWanted,
  noticesWanted,
  reportWanted,
} from '../../src/control/people/mails.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { reportsFor } from '../../src/control/reports.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { report } from '../../src/control/resources/report.ts';
import { user } from '../../src/control/resources/user.ts';
import { webhook } from '../../src/control/resources/webhook.ts';
import type { OutgoingMail } from '../../src/delivery/mail/message.ts';
import type { MailOutcome } from '../../src/delivery/mail/smtp-sender.ts';
import { MailQueue } from '../../src/jobs/mail-queue.ts';
import { siteNumbers } from '../../src/jobs/site-numbers.ts';
import { runStatistics } from '../../src/query/answers/run.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const OWNER = 'owner@example.org';
const READER = 'Reader@Example.org';
const BY = { kind: 'node', id: '' } as const;
type Said = Language | '';

let directory: string;
let registry: Registry;
let site: Domain;
let ownerId: string;
let nowMs: number;
let handed: OutgoingMail[];
let outcome: MailOutcome;
const queues: MailQueue[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-languages-'));
  nowMs = NOW_MS;
  registry = Registry.open(directory, nowMs);
  ownerId = (await createAccount(registry, { email: OWNER }, nowMs)).user.id;
  site = (await createDomain(registry, { email: OWNER, hostname: 'shop.example' }, nowMs)).domain;
  handed = [];
  outcome = { kind: 'sent', answer: '250 ok' };
});

afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop();
  await registry.close();
  rmSync(directory, { recursive: true });
});

function queueIn(language: Language): MailQueue {
  const queue = new MailQueue({
    ...{ registry, nowMs: () => nowMs, publicUrl: 'https://stats.example.org', isAlone: true },
    ...{ dashboardHost: null, language },
    numbers: siteNumbers({ batch: noNumbers }, registry),
    door: {
      needsLinks: true,
      send: async (outgoing) => {
        handed.push(outgoing);
        return outcome;
      },
    },
    onOutcome: () => {},
    onFault: (error) => {
      throw error;
    },
  });
  queues.push(queue);
  return queue;
}

/** The engine's own answers, over no data. */
const noNumbers: Parameters<typeof siteNumbers>[0]['batch'] = async (_, entries) => {
  const results = entries.map((entry) =>
    'refused' in entry ? JSON.parse(entry.refused) : runStatistics(structuredClone(entry), []),
  );
  return Buffer.from(JSON.stringify({ position: 0, results }));
};

async function say(userId: string, language: Said): Promise<void> {
  await registry.change({ nowMs, by: BY }, (view) => {
    const person = view.find(user, userId);
    return person === null ? [] : [changed(user, { ...person, language })];
  });
}

async function account(email: string, language: Said): Promise<string> {
  const { id } = (await createAccount(registry, { email }, nowMs)).user;
  await say(id, language);
  return id;
}

async function reportTo(email: string, language?: Said): Promise<void> {
  const sent = {
    ...{ domain_id: site.id, emails: [email], interval: 0, link_to: '' },
    ...(language === undefined ? {} : { language }),
  };
  await registry.change({ nowMs, by: BY }, (view, atMs) => {
    return reportsFor({ sent, userId: ownerId }, view, atMs).changes;
  });
  await registry.change({ nowMs, by: BY }, (view, atMs) =>
    [...view.all(report)].flatMap((one) => {
      const days = { from: '2026-11-19', to: '2026-11-19' };
      const entry = reportWanted(one, days, { view, nowMs: atMs });
      return entry === null ? [] : [entry];
    }),
  );
}

const languages = () =>
  handed.map(({ mail }) => /<html lang="(\w+)"/.exec(mail.html)?.[1] ?? 'none');

const SAID: readonly Said[] = ['', 'en', 'de'];

describe.each(['en', 'de'] as const)('where the language of the service is "%s"', (service) => {
  test.each(SAID.flatMap((own) => SAID.map((setUp) => [own, setUp] as const)))(
    'a reader with an account that says "%s" and a report made by one who says "%s" (O-21)',
    async (own, setUp) => {
      await say(ownerId, setUp);
      await account(READER, own);
      await reportTo(READER.toUpperCase());
      await queueIn(service).settled();
      expect(languages()).toEqual([own || setUp || service]);
    },
  );

  test.each(SAID.flatMap((own) => SAID.map((asked) => [own, asked] as const)))(
    'a reader without an account, by an owner who says "%s" and asks for "%s" (O-21, M-50)',
    async (own, asked) => {
      await say(ownerId, own);
      await reportTo(READER, asked);
      await queueIn(service).settled();
      expect(languages()).toEqual([asked || own || service]);
    },
  );

  test.each(SAID.flatMap((own) => SAID.map((inviter) => [own, inviter] as const)))(
    'an invitation to who says "%s", by one who says "%s" (O-21, M-30)',
    async (own, inviter) => {
      await say(ownerId, inviter);
      await account(READER, own);
      const place = { kind: 'domain', id: site.id };
      const wish = { place, role: undefined, inviterId: ownerId };
      await registry.change({ nowMs, by: BY }, (view, atMs) =>
        invite({ ...wish, emails: [READER, 'new@example.org'] }, view, atMs),
      );
      await queueIn(service).settled();
      const found = Object.fromEntries(handed.map(({ kind }, index) => [kind, languages()[index]]));
      expect(found).toEqual({
        invitation: own || inviter || service,
        // Its account was made a moment ago.
        activation: inviter || service,
      });
    },
  );

  test.each(SAID)(
    'who says "%s" is told in it what happens to a domain (O-21, O-40)',
    async (own) => {
      await say(ownerId, own);
      const wish = { kind: 'password-reset', to: OWNER, userId: ownerId } as const;
      const spike = { visitors: 1, threshold: 1, atMs: nowMs, pages: [], referrers: [] };
      const sent = { event: 'Bought', endpoint: 'https://example.org/hook', domain_id: site.id };
      const request = { nowMs, by: BY, userId: ownerId, sent };
      const { record: hook } = await new Records(registry).create(webhook, request);
      await registry.change({ nowMs, by: BY }, (view, atMs) => [
        ...mailWanted({ ...wish, place: null, inviterId: '' }, view, atMs),
        ...(noticesWanted({ kind: 'spike', site, about: spike }, { view, nowMs: atMs }) ?? []),
        ...inactiveWebhookWanted(hook, '503', { view, nowMs: atMs }),
        changed(webhook, { ...hook, active: false }),
      ]);
      await queueIn(service).settled();
      expect(languages()).toEqual(Array.from({ length: 3 }, () => own || service));
    },
  );
});

test('a mail that is tried again after its reader has chosen another language is the same (O-1)', async () => {
  await say(ownerId, 'en');
  outcome = { kind: 'later', answer: '451 not now' };
  const wish = { kind: 'password-reset', to: OWNER, userId: ownerId, place: null } as const;
  await registry.change({ nowMs, by: BY }, (view, atMs) =>
    mailWanted({ ...wish, inviterId: '' }, view, atMs),
  );
  const queue = queueIn('en');
  await queue.settled();
  await say(ownerId, 'de');
  outcome = { kind: 'sent', answer: '250 ok' };
  nowMs += 60_000;
  await queue.settled();
  expect(languages()).toEqual(['en', 'de']);
  expect(new Set(handed.map(({ id }) => id)).size).toBe(1);
  await queueIn('de').settled();
  expect(handed).toHaveLength(2);
});

test('records that are older than the choice have none, and are changed as others are', async () => {
  await registry.change({ nowMs, by: BY }, (view) => {
    const { language: _, ...person } = view.find(user, ownerId) as never as Record<string, never>;
    return [changed(user, person as never)];
  });
  await reportTo(READER);
  await registry.change({ nowMs, by: BY }, (view) =>
    [...view.all(report)].map((one) => {
      const { language: _, ...older } = one as never as Record<string, never>;
      return changed(report, older as never);
    }),
  );
  await registry.change({ nowMs, by: BY }, (view) => {
    const found = view.find(domain, site.id) as Domain;
    return [changed(domain, { ...found, hostname: 'other.example' })];
  });
  await queueIn('de').settled();
  expect(languages()).toEqual(['de']);
  expect(handed[0]?.mail.subject).toContain('other.example');
});
