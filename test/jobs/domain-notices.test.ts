/**
 * Goal: over months of random visits, pauses, restarts, kills and changes of settings every spike,
 * every silence and every goal that is reached is told once, to Owner and Admins, and nothing else
 * is (O-40 to O-42).
 * Method: a real registry, two nodes on it whose clocks are apart and which look one by one or both
 * at once, a clock of the test's own, and a world that is a list of hits. What is to be told is
 * said by that list and by when it was told before.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import {
  changed,
  created,
  deleted,
  draftChanged,
  draftNew,
} from '../../src/control/descriptor/draft.ts';
import type { Change, Look } from '../../src/control/descriptor/resource.ts';
import { endMails, resumeMails } from '../../src/control/people/notices.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { type Goal, goal } from '../../src/control/resources/goal.ts';
import { mail } from '../../src/control/resources/mail.ts';
import { member } from '../../src/control/resources/member.ts';
import { NOTICE_KINDS } from '../../src/control/resources/preference.ts';
import { goals } from '../../src/jobs/goals.ts';
import type { SiteNumbers } from '../../src/jobs/site-numbers.ts';
import { spikes } from '../../src/jobs/spikes.ts';
import { warnings } from '../../src/jobs/warnings.ts';
import type { DomainId } from '../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/model/limits.ts';
import type { CrowdLook } from '../../src/model/pulse.ts';
import type { LastHit } from '../../src/model/usage.ts';
import { seededRandom } from '../support/clients/load-client.ts';
import { runs, SEED } from '../support/runs.ts';

const START_MS = Date.UTC(2026, 0, 5, 12);
const BY = { kind: 'cli', id: '' } as const;
/** The Owner, an Admin, and a Viewer, who is told nothing. */
const EMAILS = ['ada@example.org', 'ben@example.org', 'cleo@example.org'] as const;
const SILENCE_MS = 12 * HOUR_MS;
type Kind = 'spike' | 'warning' | 'goal';

let directory: string;
let registry: Registry;
let nodes: Node[];
let nowMs: number;
let world: World;
let userIds: string[];
let siteIds: string[];

/** What comes to domains: the whole of it. */
class World {
  /** By domain: when hits came, and whether each reached the goal; each is a visitor of its own. */
  readonly hits = new Map<string, { readonly atMs: number; readonly isGoal: boolean }[]>();
  readonly active = new Map<string, number>();

  add(domainId: string, isGoal: boolean): void {
    const before = this.hits.get(domainId) ?? [];
    this.hits.set(domainId, [...before, { atMs: nowMs, isGoal }]);
  }

  lastHit(domainId: string): LastHit {
    return this.hits.get(domainId)?.at(-1)?.atMs ?? 'never';
  }

  progress(domainId: string, sinceMs: number) {
    const all = (this.hits.get(domainId) ?? []).filter(({ atMs }) => atMs >= sinceMs);
    const visitors = all.filter(({ isGoal }) => isGoal).length;
    return { visitors, cr: visitors / Math.max(all.length, 1) };
  }
}

/** Statistics as the API has them, of the world. */
const numbers: SiteNumbers = {
  ask: async ({ id }, questions) =>
    questions.map(({ name, sinceMs }) => {
      const visitors = world.active.get(id) ?? 0;
      if (name === 'active') return { visitors, stats: [{ path: '/sale', visitors }] };
      if (name === 'referrer') return [{ referrer: '', referrer_name: 'News', visitors: 1 }];
      return [{ stats: world.progress(id, sinceMs ?? 0) }];
    }),
};

/** One of several that share a registry. */
class Node {
  readonly clockMs: number;
  readonly faults: string[] = [];
  /** What becomes of its changes: it is killed before or after. */
  dies: 'before' | 'after' | null = null;
  #elapsedMs = 0;
  #jobs: (() => Promise<void>)[] = [];
  readonly #registry: Registry;

  /** @param clockMs how far ahead its clock is. */
  constructor(of: Registry, clockMs: number) {
    this.#registry = of;
    this.clockMs = clockMs;
    this.restart();
  }

  /** It knows nothing but what is written down, and has been up for a minute when it looks. */
  restart(): void {
    const door = {
      view: this.#registry.view,
      keepUp: () => void this.#registry.refresh(),
      change: async (...asked: Parameters<Registry['change']>) => {
        if (this.dies === 'before') throw new Error('killed');
        const changes = await this.#registry.change(...asked);
        if (this.dies === 'after') throw new Error('killed');
        return changes;
      },
    };
    const parts = {
      ...{ registry: door, numbers, owns: () => true, nowMs: () => nowMs + this.clockMs },
      lastHits: async (ids: readonly DomainId[]) =>
        new Map(ids.map((id) => [id, world.lastHit(id)])),
      crowds: async (looks: readonly CrowdLook[]) =>
        looks
          .filter(({ domainId, visitors }) => (world.active.get(domainId) ?? 0) >= visitors)
          .map(({ domainId }) => domainId),
      ...{ elapsedMs: () => this.#elapsedMs, settledMs: () => Number.POSITIVE_INFINITY },
    };
    this.#jobs = [spikes(parts), warnings(parts), goals(parts)];
    this.#elapsedMs += MINUTE_MS;
  }

  async look(): Promise<void> {
    for (const job of this.#jobs) {
      await job().catch(({ message }: Error) => {
        this.faults.push(message);
      });
    }
  }
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-notices-'));
  nowMs = START_MS;
  registry = Registry.open(directory, nowMs);
  world = new World();
  userIds = [];
  for (const email of EMAILS) {
    userIds.push((await createAccount(registry, { email }, nowMs)).user.id);
  }
  siteIds = [];
  for (const hostname of ['shop.example', 'blog.example']) {
    const { id } = (await createDomain(registry, { email: EMAILS[0], hostname }, nowMs)).domain;
    siteIds.push(id);
    for (const [userId, role] of [
      [userIds[1]!, 'Admin'],
      [userIds[2]!, 'Viewer'],
    ] as const) {
      await change((view) => {
        const sent = { domain_id: id, role };
        const { record } = draftNew(member, { sent, userId, view, nowMs });
        return [created(member, { ...record, userId })];
      });
    }
  }
  nodes = [new Node(registry, 0)];
});

afterEach(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

async function change(decide: (view: Look) => Change[]): Promise<void> {
  await registry.change({ nowMs, by: BY }, decide);
}

const siteOf = (id: string) => registry.view.find(domain, id) as Domain;
const goalOf = (id: string): Goal | null => registry.view.of(goal, 'domainId', id)[0] ?? null;

async function set(id: string, fields: Partial<Domain>): Promise<void> {
  await change(() => [changed(domain, { ...siteOf(id), ...fields })]);
}

/** As PUT /api/v1/goal, or POST where there is none. */
async function putGoal(domainId: string, fields: object): Promise<void> {
  const sent = { domain_id: domainId, name: 'Sold', path_pattern: '/sold', ...fields };
  await change((view) => {
    const before = goalOf(domainId);
    const context = { sent, userId: '', view, nowMs };
    return before === null
      ? [created(goal, draftNew(goal, context).record)]
      : [changed(goal, draftChanged(goal, before, context))];
  });
}

/** What was written down since the last time. */
async function takeMails() {
  registry.refresh();
  const taken = [...registry.view.all(mail)];
  if (taken.length > 0) await change(() => taken.map(({ id }) => deleted(mail, id)));
  return taken;
}

const told = async () => (await takeMails()).map(({ kind, to, about }) => ({ kind, to, ...about }));

const lookAndTell = async () => {
  for (const node of nodes) await node.look();
  expect(nodes.flatMap(({ faults }) => faults)).toEqual([]);
  return told();
};

test('a spike says how many, of what, when, and is silent for 12 hours, also after a restart (O-40, A-61)', async () => {
  const [id] = siteIds as [string];
  await set(id, { trafficSpike: true, trafficSpikeThreshold: 5 });
  world.active.set(id, 4);
  expect(await lookAndTell()).toEqual([]);
  world.active.set(id, 5);
  const spike = { kind: 'spike', visitors: 5, threshold: 5, atMs: nowMs };
  const rows = {
    pages: [{ name: '/sale', count: 5 }],
    referrers: [{ name: 'News', count: 1 }],
  };
  expect(await lookAndTell()).toEqual([
    { ...spike, ...rows, to: EMAILS[0] },
    { ...spike, ...rows, to: EMAILS[1] },
  ]);
  nodes[0]?.restart();
  nowMs += SILENCE_MS - 1;
  expect(await lookAndTell()).toEqual([]);
  nowMs += 1;
  expect(await lookAndTell()).toHaveLength(2);
  // Switched on without a threshold it says nothing.
  nowMs += SILENCE_MS;
  await set(id, { trafficSpikeThreshold: 0 });
  expect(await lookAndTell()).toEqual([]);
});

test('a spike that was told by a clock far ahead silences nobody for years (O-3, O-40)', async () => {
  const [id] = siteIds as [string];
  await set(id, { trafficSpike: true, trafficSpikeThreshold: 1 });
  world.active.set(id, 1);
  nowMs += 3_650 * DAY_MS;
  expect(await lookAndTell()).toHaveLength(2);
  nowMs -= 3_650 * DAY_MS;
  expect(await lookAndTell()).toHaveLength(2);
  expect(await lookAndTell()).toEqual([]);
});

test('nothing is asked of domains that want nothing, are silent, or have nobody to tell (O-40)', async () => {
  const asked: string[] = [];
  const job = spikes({
    ...{ registry, numbers, owns: (id) => id !== siteIds[1], nowMs: () => nowMs },
    crowds: async (looks) => {
      asked.push(...looks.map(({ domainId }) => domainId));
      return [];
    },
  });
  await job();
  expect(asked).toEqual([]);
  for (const id of siteIds) await set(id, { trafficSpike: true, trafficSpikeThreshold: 1 });
  await job();
  expect(asked).toEqual([siteIds[0]]);
  for (const userId of userIds) {
    const end = { kind: 'spike', domainId: siteIds[0]!, userId } as const;
    await change((view) => endMails(end, view, nowMs));
  }
  await job();
  expect(asked).toHaveLength(1);
});

test('a warning comes after as many days as are set, and the next after hits came again (O-41, A-62)', async () => {
  const [id] = siteIds as [string];
  await set(id, { trafficWarning: true, trafficWarningThreshold: 2 });
  nowMs += 2 * DAY_MS - 1;
  expect(await lookAndTell()).toEqual([]);
  nowMs += 1;
  const never = { kind: 'warning', days: 2, lastHitMs: null };
  expect(await lookAndTell()).toEqual([EMAILS[0], EMAILS[1]].map((to) => ({ ...never, to })));
  nowMs += 9 * DAY_MS;
  nodes[0]?.restart();
  await set(id, { trafficWarningThreshold: 3 });
  expect(await lookAndTell()).toEqual([]);
  world.add(id, false);
  const lastHitMs = nowMs;
  nowMs += 3 * DAY_MS - 1;
  expect(await lookAndTell()).toEqual([]);
  nowMs += 2;
  expect(await lookAndTell()).toMatchObject([{ days: 3, lastHitMs }, { days: 3 }]);
});

test('a goal is told once, with what was reached; changed it begins anew (O-42, A-52, M-60)', async () => {
  const [id] = siteIds as [string];
  world.add(id, true);
  nowMs += MINUTE_MS;
  await putGoal(id, { visitors: 2, email_reached: true });
  const sinceMs = nowMs;
  world.add(id, true);
  // One was before it was made.
  expect(await lookAndTell()).toEqual([]);
  nowMs += MINUTE_MS;
  world.add(id, true);
  const targets = [{ of: 'visitors', metric: '', reached: 2, target: 2 }];
  const mailed = { kind: 'goal', goal: 'Sold', sinceMs, isDeleted: false, targets };
  expect(await lookAndTell()).toEqual([EMAILS[0], EMAILS[1]].map((to) => ({ ...mailed, to })));
  expect(goalOf(id)?.emailReached).toBe(false);
  world.add(id, true);
  expect(await lookAndTell()).toEqual([]);
  nowMs += MINUTE_MS;
  await putGoal(id, { visitors: 1, email_reached: true });
  expect(await lookAndTell()).toEqual([]);
  world.add(id, true);
  expect(await lookAndTell()).toHaveLength(2);
  // Who asks again of the same is told at once.
  await putGoal(id, { visitors: 1, email_reached: true });
  expect(await lookAndTell()).toHaveLength(2);
});

test.each([
  { flags: { email_reached: true, delete_reached: true }, mails: 2, isThere: false },
  { flags: { delete_reached: true }, mails: 0, isThere: false },
  { flags: {}, mails: 0, isThere: true },
])('a goal that is reached with $flags: $mails mails, still there: $isThere (A-52)', async (of) => {
  const [id] = siteIds as [string];
  await putGoal(id, { visitors: 1, ...of.flags });
  world.add(id, true);
  const mails = await lookAndTell();
  expect(mails).toHaveLength(of.mails);
  for (const one of mails) expect(one).toMatchObject({ isDeleted: true });
  expect(goalOf(id) !== null).toBe(of.isThere);
});

test('a goal without a target is never reached, and never deleted (A-52)', async () => {
  const [id] = siteIds as [string];
  await putGoal(id, { email_reached: true, delete_reached: true });
  world.add(id, true);
  expect(await lookAndTell()).toEqual([]);
  expect(goalOf(id)).not.toBeNull();
});

test('a goal is not counted again before a hit came (O-42)', async () => {
  const [id] = siteIds as [string];
  await putGoal(id, { visitors: 9, email_reached: true });
  let counted = 0;
  const job = goals({
    ...{ registry, owns: () => true, nowMs: () => nowMs },
    lastHits: async (ids) => new Map(ids.map((one) => [one, world.lastHit(one)])),
    numbers: {
      ask: async (...asked) => {
        counted++;
        return numbers.ask(...asked);
      },
    },
  });
  const turn = async (afterMs: number) => {
    nowMs += afterMs;
    await job();
    return counted;
  };
  expect(await turn(0)).toBe(0);
  world.add(id, false);
  expect(await turn(MINUTE_MS)).toBe(1);
  expect(await turn(MINUTE_MS)).toBe(1);
  world.add(id, false);
  expect(await turn(0)).toBe(2);
  // A hit may have come with a time ahead.
  expect(await turn(4 * MINUTE_MS)).toBe(3);
  expect(await turn(DAY_MS)).toBe(4);
  expect(await turn(DAY_MS)).toBe(4);
  await putGoal(id, { visitors: 10, email_reached: true });
  expect(await turn(0)).toBe(5);
});

test.each(Array.from({ length: runs(8) }, (_, index) => SEED + index))(
  'whatever happens, each spike, silence and goal is told once, and to whom it shall (O-40, O-41, O-42, A-52, seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const upTo = (most: number) => Math.floor(random() * (most + 1));
    const pick = <T>(list: readonly T[]): T => list[upTo(list.length - 1)] as T;
    const other = Registry.open(directory, nowMs);
    nodes.push(new Node(other, 3 * SECOND_MS));
    const muted = new Set<string>();
    const spikesMs = new Map<string, number>();
    const warned = new Set<string>();
    const counts = { spike: 0, warning: 0, goal: 0, killed: 0 };

    const recipients = (id: string, kind: Kind) =>
      [0, 1].filter((at) => !muted.has(`${id} ${kind} ${at}`)).map((at) => EMAILS[at]);

    /** What a node has to tell of a domain now, by its clock. */
    const due = (id: string, clockMs: number): Kind[] => {
      const site = siteOf(id);
      const atMs = nowMs + clockMs;
      const found: Kind[] = [];
      const isLoud = (world.active.get(id) ?? 0) >= site.trafficSpikeThreshold;
      const spikeMs = spikesMs.get(id) ?? Number.NEGATIVE_INFINITY;
      const wantsSpike = site.trafficSpike && site.trafficSpikeThreshold > 0;
      if (wantsSpike && isLoud && atMs - spikeMs >= SILENCE_MS) found.push('spike');
      const last = world.lastHit(id);
      const silentMs = atMs - (last === 'never' ? site.createdMs : Number(last));
      const wantsWarning = site.trafficWarning && site.trafficWarningThreshold > 0;
      const isSilent = silentMs >= site.trafficWarningThreshold * DAY_MS;
      if (wantsWarning && isSilent && !warned.has(`${id} ${last}`)) found.push('warning');
      const one = goalOf(id);
      if (one?.emailReached === true && isSold(id, one)) found.push('goal');
      return found.filter((kind) => recipients(id, kind).length > 0);
    };

    const isSold = (id: string, { visitorGoal, crGoal, progressSinceMs }: Goal) => {
      const { visitors, cr } = world.progress(id, progressSinceMs);
      const isEnough = visitorGoal === null || visitors >= visitorGoal;
      const isLikely = crGoal === null || cr * 100 >= crGoal - 1e-9;
      return (visitorGoal ?? crGoal) !== null && isEnough && isLikely;
    };

    const happen = async () => {
      const id = pick(siteIds);
      const choice = upTo(11);
      if (choice <= 2) for (let n = upTo(4); n >= 0; n--) world.add(id, random() < 0.4);
      else if (choice <= 4) world.active.set(id, upTo(20));
      else if (choice === 5) await set(id, { trafficSpike: random() < 0.8 });
      else if (choice === 6) await set(id, { trafficSpikeThreshold: upTo(12) });
      else if (choice === 7) await set(id, { trafficWarning: random() < 0.8 });
      else if (choice === 8) await set(id, { trafficWarningThreshold: upTo(4) });
      else if (choice === 9) {
        const [at, kind] = [upTo(1), pick(NOTICE_KINDS.slice(0, 3) as Kind[])];
        const end = { kind, domainId: id, userId: userIds[at]! };
        const key = `${id} ${kind} ${at}`;
        const isBack = muted.has(key);
        await change((view) => (isBack ? resumeMails : endMails)(end, view, nowMs));
        if (isBack) muted.delete(key);
        else muted.add(key);
      } else if (choice === 10) {
        await putGoal(id, {
          ...{ visitors: pick([0, 1, 3, 8]), cr: pick([0, 0, 20, 50]) },
          ...{ email_reached: random() < 0.7, delete_reached: random() < 0.3 },
        });
      } else pick(nodes).restart();
    };

    for (let step = 0; step < 250; step++) {
      nowMs += pick([MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, DAY_MS, 2 * DAY_MS]);
      for (let n = upTo(2); n > 0; n--) await happen();
      // The service is off, looks with one node or with both at once; some are killed at it.
      const looking = pick([[], [nodes[0]!], [nodes[1]!], nodes, nodes]);
      for (const node of nodes) node.dies = random() < 0.1 ? pick(['before', 'after']) : null;
      const alive = looking.filter(({ dies }) => dies !== 'before');
      const expected = new Map(
        siteIds.map((id) => [id, new Set(alive.flatMap(({ clockMs }) => due(id, clockMs)))]),
      );
      const before = new Map(siteIds.map((id) => [id, goalOf(id)]));
      await Promise.all(looking.map((node) => node.look()));
      for (const node of looking) {
        if (node.dies === null) expect(node.faults).toEqual([]);
        counts.killed += node.faults.length;
        node.faults.length = 0;
        if (node.dies !== null) node.restart();
      }
      const mails = await takeMails();
      for (const id of siteIds) {
        const kinds = [...(expected.get(id) ?? [])];
        const wanted = kinds.flatMap((kind) => recipients(id, kind).map((to) => `${kind} ${to}`));
        const of = mails.filter(({ domainId }) => domainId === id);
        const where = `${seed}, step ${step}`;
        expect(of.map(({ kind, to }) => `${kind} ${to}`).sort(), where).toEqual(wanted.sort());
        for (const { kind, createdMs } of of) if (kind === 'spike') spikesMs.set(id, createdMs);
        if (kinds.includes('warning')) warned.add(`${id} ${world.lastHit(id)}`);
        for (const kind of kinds) counts[kind]++;
        const one = before.get(id) ?? null;
        const isReached = alive.length > 0 && one !== null && isSold(id, one);
        if (isReached && one.deleteReached) expect(goalOf(id), where).toBeNull();
        else if (kinds.includes('goal')) expect(goalOf(id)?.emailReached, where).toBe(false);
        else expect(goalOf(id), where).toEqual(one);
      }
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
    await other.close();
  },
);
