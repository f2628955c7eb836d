// Goal: every mail to a person that was written down is sent, whatever the mail server answers and
// whoever dies, and nobody is sent more than is good for them.
// Method: a real registry, a clock of the test's own, a door that answers as it is told and keeps what
// it was handed; "dead" is a queue that is never answered, and another one on the same registry.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { changed, created, draftNew } from '../../src/control/descriptor/draft.ts';
import { invite } from '../../src/control/invitations.ts';
import { readMailEnd } from '../../src/control/people/mail-ends.ts';
import { mailWanted } from '../../src/control/people/mails.ts';
import { endMails } from '../../src/control/people/notices.ts';
import { linkOf } from '../../src/control/people/one-time-links.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { mail } from '../../src/control/resources/mail.ts';
import { oneTimeLink } from '../../src/control/resources/one-time-link.ts';
import { webhook } from '../../src/control/resources/webhook.ts';
import { webhookFailed } from '../../src/control/webhooks.ts';
import type { OutgoingMail } from '../../src/delivery/mail/message.ts';
import type { MailOutcome } from '../../src/delivery/mail/smtp-sender.ts';
import { MailQueue } from '../../src/jobs/mail-queue.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import {
  ADDRESS_MAIL_COUNT_MAX,
  ADDRESS_NOTICE_COUNT_MAX,
  ADDRESS_RESET_COUNT_MAX,
  INVITER_MAIL_COUNT_MAX,
  MAIL_CLAIM_MS,
  MAIL_DELAYS_MS,
} from '../../src/model/outgoing-limits.ts';
import { NO_NUMBERS } from '../support/fake-ports.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';
const BY = { kind: 'cli', id: '' } as const;
const SENT: MailOutcome = { kind: 'sent', answer: '250 ok' };
const LATER: MailOutcome = { kind: 'later', answer: '451 busy' };
const REFUSED: MailOutcome = { kind: 'refused', answer: '550 nobody here' };

let directory: string;
let registry: Registry;
let nowMs: number;
let userId: string;
let domainId: string;
let handed: { mail: OutgoingMail; link: string }[];
let outcomes: [string, string, boolean][];
let queues: MailQueue[];
/** What the server answers; a promise that never ends is a server that hangs. */
let answer: () => MailOutcome | Promise<MailOutcome>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-mails-'));
  registry = Registry.open(directory, NOW_MS);
  nowMs = NOW_MS;
  [handed, outcomes, queues] = [[], [], []];
  answer = () => SENT;
  userId = (await createAccount(registry, { email: EMAIL }, NOW_MS)).user.id;
  const site = { email: EMAIL, hostname: 'shop.example' };
  domainId = (await createDomain(registry, site, NOW_MS)).domain.id;
});

afterEach(async () => {
  answer = () => SENT;
  for (const queue of queues) await queue.stop();
  await registry.close();
  rmSync(directory, { recursive: true });
});

function startQueue(of = registry, { isAlone = true, needsLinks = true } = {}): MailQueue {
  const queue = new MailQueue({
    ...{ registry: of, nowMs: () => nowMs, publicUrl: 'https://stats.example.org', isAlone },
    ...{ numbers: NO_NUMBERS, dashboardHost: null, language: 'en' },
    door: {
      needsLinks,
      send: async (outgoing, link) => {
        handed.push({ mail: outgoing, link: link ?? '' });
        return answer();
      },
    },
    onOutcome: ({ to }, outcome, isOver) => outcomes.push([to, outcome.answer, isOver]),
    onFault: (error) => {
      throw error;
    },
  });
  queues.push(queue);
  return queue;
}

async function forget(): Promise<void> {
  const wish = { kind: 'password-reset', to: EMAIL, userId, place: null, inviterId: '' } as const;
  await registry.change({ nowMs, by: BY }, (view, atMs) => mailWanted(wish, view, atMs));
}

async function inviteTo(emails: readonly string[], inviterId = userId): Promise<void> {
  const place = { kind: 'domain', id: domainId };
  const wish = { place, emails, role: undefined, inviterId };
  await registry.change({ nowMs, by: BY }, (view, atMs) => invite(wish, view, atMs));
}

const tokenOf = (link = '') => new URL(link).searchParams.get('token') ?? '';
const entries = () => [...registry.view.all(mail)];

describe('a mail that is written down', () => {
  test('is sent once, with a link that is good from then on (O-22, M-81)', async () => {
    await forget();
    expect(registry.view.count(oneTimeLink)).toBe(0);
    expect(JSON.stringify(entries())).not.toContain('token');
    // Nobody had a server for a day but an hour.
    nowMs += 23 * 3_600_000;
    const queue = startQueue();
    await queue.settled();
    await queue.settled();
    expect(handed).toHaveLength(1);
    const token = tokenOf(handed[0]?.link);
    expect(handed[0]?.mail).toMatchObject({ kind: 'password-reset', to: EMAIL, atMs: NOW_MS });
    expect(handed[0]?.mail.mail.text).toContain(handed[0]?.link);
    expect(linkOf(token, registry.view, nowMs + DAY_MS - 1)?.userId).toBe(userId);
    expect(linkOf(token, registry.view, nowMs + DAY_MS)).toBeNull();
  });

  test('is tried again after each of the times, and then given up (O-21)', async () => {
    await forget();
    answer = () => LATER;
    const queue = startQueue();
    await queue.settled();
    for (const [index, delayMs] of MAIL_DELAYS_MS.entries()) {
      expect(handed).toHaveLength(index + 1);
      const startMs = nowMs;
      nowMs = startMs + delayMs * 0.8 - 1;
      await queue.settled();
      expect(handed).toHaveLength(index + 1);
      nowMs = startMs + delayMs * 1.2 + 1;
      await queue.settled();
    }
    const attempts = MAIL_DELAYS_MS.length + 1;
    expect(handed).toHaveLength(attempts);
    nowMs += DAY_MS / 4;
    await queue.settled();
    expect(handed).toHaveLength(attempts);
    expect(outcomes.map(([, , isOver]) => isOver)).toEqual([
      ...Array(attempts - 1).fill(false),
      true,
    ]);
    expect(new Set(handed.map((one) => one.mail.id)).size).toBe(1);
  });

  test('that is refused for good is not tried again (O-21)', async () => {
    await forget();
    answer = () => REFUSED;
    const queue = startQueue();
    await queue.settled();
    nowMs += DAY_MS / 2;
    await queue.settled();
    expect(handed).toHaveLength(1);
    expect(outcomes).toEqual([[EMAIL, '550 nobody here', true]]);
  });

  test('is sent after a restart if nobody heard of it, with the same id; both links work (O-22)', async () => {
    await forget();
    answer = () => new Promise(() => {});
    const dead = startQueue();
    dead.look();
    await expect.poll(() => handed.length).toBe(1);
    answer = () => SENT;
    const again = startQueue();
    await again.settled();
    expect(handed).toHaveLength(2);
    expect(handed[0]?.mail.id).toBe(handed[1]?.mail.id);
    expect(handed[0]?.mail.atMs).toBe(handed[1]?.mail.atMs);
    for (const { link } of handed) {
      expect(linkOf(tokenOf(link), registry.view, nowMs)?.userId).toBe(userId);
    }
    queues = [again];
  });

  test('is sent by one of several nodes, and by another once its claim is over (O-22)', async () => {
    const other = Registry.open(directory, NOW_MS);
    await inviteTo(Array.from({ length: 12 }, (_, index) => `p${index}@example.org`));
    const nodes = [registry, other].map((one) => startQueue(one, { isAlone: false }));
    await expect
      .poll(async () => {
        other.refresh();
        await Promise.all(nodes.map((node) => node.settled()));
        return handed.length;
      })
      .toBe(12);
    expect(new Set(handed.map((one) => one.mail.id)).size).toBe(12);
    await nodes[1]?.stop();
    await forget();
    answer = () => new Promise(() => {});
    nodes[0]?.look();
    await expect.poll(() => handed.length).toBe(13);
    answer = () => SENT;
    const third = startQueue(registry, { isAlone: false });
    nowMs += MAIL_CLAIM_MS - 1;
    await third.settled();
    expect(handed).toHaveLength(13);
    nowMs += 1;
    await third.settled();
    expect(handed).toHaveLength(14);
    expect(handed[13]?.mail.id).toBe(handed[12]?.mail.id);
    queues = [third];
    await other.close();
  });

  test('goes with the domain that it is about (M-11)', async () => {
    await inviteTo(['ben@example.org']);
    await new Records(registry).remove(domain, domainId, { nowMs, by: BY });
    await startQueue().settled();
    expect(handed).toEqual([]);
  });

  test('has no link where nobody could follow it (O-20)', async () => {
    await forget();
    await startQueue(registry, { needsLinks: false }).settled();
    expect(handed).toHaveLength(1);
    expect(registry.view.count(oneTimeLink)).toBe(0);
  });
});

describe('nobody is sent', () => {
  test('twenty mails of twenty invitations to one place (M-30)', async () => {
    for (let time = 0; time < 20; time++) await inviteTo(['ben@example.org']);
    await startQueue().settled();
    expect(handed.map(({ mail: { kind } }) => kind)).toEqual(['activation']);
    nowMs += DAY_MS;
    await inviteTo(['ben@example.org']);
    await queues[0]?.settled();
    expect(handed.map(({ mail: { kind } }) => kind)).toEqual(['activation', 'invitation']);
  });

  test('more resets in a day than bounded, nor two while one waits (M-81)', async () => {
    const queue = startQueue();
    await forget();
    await forget();
    await queue.settled();
    expect(handed).toHaveLength(1);
    for (let time = 0; time < 30; time++) {
      await forget();
      await queue.settled();
    }
    expect(handed).toHaveLength(ADDRESS_RESET_COUNT_MAX);
    const [first, last] = [handed[0], handed.at(-1)];
    expect(linkOf(tokenOf(first?.link), registry.view, nowMs)).toBeNull();
    expect(linkOf(tokenOf(last?.link), registry.view, nowMs)).not.toBeNull();
  });

  test('more than a day is good for, whoever invites to whatever', async () => {
    for (let index = 0; index < ADDRESS_MAIL_COUNT_MAX + 5; index++) {
      const site = { email: EMAIL, hostname: `shop${index}.example` };
      domainId = (await createDomain(registry, site, NOW_MS)).domain.id;
      await inviteTo(['Ben@example.org'], '');
    }
    expect(entries()).toHaveLength(ADDRESS_MAIL_COUNT_MAX);
  });

  test('what one person makes the service send beyond a bound', async () => {
    for (let turn = 0; turn < 6; turn++) {
      await inviteTo(Array.from({ length: 50 }, (_, index) => `p${turn}-${index}@example.org`));
    }
    expect(entries()).toHaveLength(INVITER_MAIL_COUNT_MAX);
  });
});

describe('a webhook that fails too often', () => {
  async function makeWebhook(event = 'sold'): Promise<string> {
    const sent = { domain_id: domainId, event, endpoint: 'https://hooks.example/sold' };
    let id = '';
    await registry.change({ nowMs, by: BY }, (view, atMs) => {
      const { record } = draftNew(webhook, { sent, userId, view, nowMs: atMs });
      id = record.id;
      return [created(webhook, record)];
    });
    return id;
  }
  const fail = (id: string) =>
    registry.change({ nowMs, by: BY }, (view, atMs) =>
      webhookFailed(id, 'answered 503', { view, nowMs: atMs }),
    );

  test('is set inactive, and its Owner is told once, in one record (A-60, O-22)', async () => {
    const id = await makeWebhook();
    const { sequence } = registry;
    await fail(id);
    await fail(id);
    expect(registry.sequence).toBe(sequence + 1);
    expect(registry.view.find(webhook, id)?.active).toBe(false);
    await startQueue().settled();
    expect(handed).toHaveLength(1);
    const [{ mail: sent, link } = { mail: null, link: '' }] = handed;
    expect(sent).toMatchObject({ kind: 'webhook-inactive', to: EMAIL });
    expect(sent?.mail.text).toContain('answered 503');
    expect(sent?.mail.text).toContain('https://hooks.example/sold');
    expect(link).toMatch(/^https:\/\/stats\.example\.org\/[\w-]+\?settings=webhooks$/);
    // It is no link of a password.
    expect(registry.view.count(oneTimeLink)).toBe(0);
    const token = tokenOf(sent?.endLink ?? '');
    const end = { kind: 'webhook', domainId, userId } as const;
    expect(readMailEnd(token, registry.tokenKey)).toEqual(end);
    expect(sent?.mail.text).toContain(token);
  });

  test('is not told of to who has ended that, nor once it is saved again (O-21)', async () => {
    const saved = await makeWebhook();
    await fail(saved);
    await registry.change({ nowMs, by: BY }, (view) => {
      const before = view.find(webhook, saved);
      return before === null ? [] : [changed(webhook, { ...before, active: true })];
    });
    await startQueue().settled();
    expect(entries().map(({ isDone }) => isDone)).toEqual([true]);
    const end = { kind: 'webhook', domainId, userId } as const;
    await registry.change({ nowMs, by: BY }, (view, atMs) => endMails(end, view, atMs));
    await fail(await makeWebhook());
    expect(entries()).toHaveLength(1);
    expect(handed).toEqual([]);
  });

  test('is one of so many a day, and takes the place of no mail that is asked for (O-22)', async () => {
    for (let count = 0; count <= ADDRESS_NOTICE_COUNT_MAX; count++) {
      await fail(await makeWebhook(`sold ${count}`));
    }
    expect(entries()).toHaveLength(ADDRESS_NOTICE_COUNT_MAX);
    await forget();
    expect(entries()).toHaveLength(ADDRESS_NOTICE_COUNT_MAX + 1);
    nowMs += DAY_MS;
    await fail(await makeWebhook());
    expect(entries()).toHaveLength(ADDRESS_NOTICE_COUNT_MAX + 2);
  });
});
