// Goal: what a node tells wrong, loses or counts twice is found, and said of whom.
// Method: nodes that answer from the model itself, some of them from one in which something is wrong.
import { beforeEach, describe, expect, test } from 'vitest';
import { answer } from '../../support/oracle/answers/statistics.ts';
import { collect } from '../../support/oracle/collect/collect.ts';
import { emptyWorld, type World } from '../../support/oracle/world.ts';
import { modelHitOf } from '../../support/traffic/notation.ts';
import type { Node } from '../cluster/cluster.ts';
import { Ledger } from '../load/ledger.ts';
import { CONVERSIONS, dayOf, Site } from '../load/sites.ts';
import { Visits } from '../load/visits.ts';
import { Stream } from '../random.ts';
import type { LedgerRow } from './items.ts';
import { type Case, compareLedger, judge } from './judge.ts';

const ROUND = 3;
const SECRETS = { client_id: '', client_secret: '', access_key: '' };

let site: Site;
let ledger: Ledger;
/** Events of a world that opened a session. */
const openingsOf = new WeakMap<World, number>();

/** Fifty requests of one client, as every sound node has counted them. @returns items. */
function fill(world: World): number {
  const random = new Stream(1, 'visits');
  const shared = { round: ROUND, client: 0, timed: [0], live: 0, dayMs: dayOf(ROUND) };
  const visits = new Visits({ ...shared, random, hasClockSteps: false, isLarge: false });
  let count = 0;
  for (let request = 0; request < 50; request++) {
    const { items, key, isBatch } = visits.next();
    if (!isBatch) continue;
    const hits = items.map((item) => modelHitOf(item, 'timed.example'));
    collect(world, hits, key);
    count += items.length;
  }
  return count;
}

/** What a node says that has counted what is in the world. */
function ledgerOf(world: World): LedgerRow {
  const { sessions, pageViews, events, dropped } = world;
  const duplicates = dropped.filter((reason) => reason === 'duplicate').length;
  const reasons = dropped.filter((reason) => reason !== 'duplicate');
  const keepAlives = sessions.reduce((sum, { extended }) => sum + extended, 0);
  // An event that opened a session left two rows (I-50).
  const openings = openingsOf.get(world) ?? 0;
  const stored = {
    page_views: pageViews.length - openings,
    ...{ events: events.length, keep_alives: keepAlives },
  };
  const kinds = stored.page_views + stored.events + keepAlives;
  return {
    ...{ received: kinds + dropped.length, stored, opening_events: openings, duplicates },
    dropped: Object.fromEntries(
      [...new Set(reasons)].map((reason) => [reason, reasons.filter((r) => r === reason).length]),
    ),
  };
}

/** A case of so many nodes, each with a world of its own. */
function caseOf(...worlds: readonly World[]): Case {
  const nodes = worlds.map((_, index) => ({ index, child: { name: `node ${index}` } }) as Node);
  const text: Case['reader']['text'] = async (
    { index },
    name,
    { id, funnel_id, ...parameters },
  ) => {
    const context = { nowMs: Date.now(), timezone: 'UTC', groupByTitle: false };
    const world = worlds[index] as World;
    if (name === 'ledger') return JSON.stringify([ledgerOf(world)]);
    const said = answer(world, name, parameters, { ...context, conversions: CONVERSIONS });
    return JSON.stringify(said);
  };
  const patiently: Case['reader']['patiently'] = async (...asked) =>
    JSON.parse(await text(...asked));
  return { nodes, reader: { text, patiently }, ledger, seed: 1, round: ROUND };
}

function world(): World {
  const made = emptyWorld();
  const items = fill(made);
  openingsOf.set(made, ledgerOf(made).received - items);
  return made;
}

beforeEach(() => {
  ledger = new Ledger(1);
  site = new Site({ id: 'd', hostname: 'timed.example', ...SECRETS }, false, 'f');
  site.sent(ROUND).items = fill(site.world(ROUND));
});

const EVERYTHING = { isOneDay: true, share: 1 };

describe('the judge', () => {
  test('finds nothing where every node says what the model says', async () => {
    await judge(caseOf(world(), world()), site, EVERYTHING);
    expect(ledger.differences).toEqual([]);
    expect(ledger.counts).toMatchObject({ lost: 0, doubled: 0, different: 0 });
    // Every statistic but the live ones, with and without filters, on both nodes.
    expect(ledger.counts.compared).toBeGreaterThan(200);
  });

  test('finds a page view that was lost', async () => {
    const worse = world();
    worse.pageViews.pop();
    await compareLedger(caseOf(worse), site, ROUND);
    expect(ledger.counts).toMatchObject({ lost: 1, doubled: 0 });
  });

  test('finds an event that was counted twice', async () => {
    const worse = world();
    worse.events.push(worse.events[0] as World['events'][number]);
    await compareLedger(caseOf(worse), site, ROUND);
    expect(ledger.counts).toMatchObject({ lost: 0, doubled: 1 });
    expect(ledger.differences[0]?.text).toContain('events of timed.example');
  });

  test.each<[what: string, worsen: (dropped: string[]) => void, differences: string[]]>([
    [
      'a foreign hostname that was not counted',
      (dropped) => dropped.splice(dropped.indexOf('hostname'), 1),
      ['received', 'hostname'],
    ],
    ['a bot counted too much', (dropped) => dropped.push('ua-chars'), ['received', 'ua-chars']],
    ['a repeat too many', (dropped) => dropped.push('duplicate', 'duplicate'), ['duplicates']],
    ['a repeat that is missing', (dropped) => dropped.pop(), ['duplicates']],
    ['a repeat more that may be', (dropped) => dropped.push('duplicate'), []],
  ])('holds the ledger against what was sent: %s (P-31)', async (_, worsen, differences) => {
    site.sent(ROUND).repeats.splice(0, 2, 2, 3);
    const [sound, worse] = [world(), world()];
    sound.dropped.push('duplicate', 'duplicate', 'duplicate');
    worse.dropped.push('duplicate', 'duplicate');
    worsen(worse.dropped);
    await compareLedger(caseOf(sound, worse), site, ROUND);
    expect(ledger.counts.ledgers).toBe(2);
    expect(ledger.differences).toHaveLength(differences.length);
    for (const what of differences) {
      const found = ledger.differences.map(({ text }) => text);
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^node 1, .*${what}`)));
    }
  });

  test.each([
    ['nobody knows of', 1, []],
    ['was refused', 0, ['received', 'ua-chars']],
  ])('a bot without a key that %s: %i may count (P-31)', async (_, unsure, differences) => {
    if (unsure > 0) site.sent(ROUND).unsure.set('ua-chars', unsure);
    const own = world();
    own.dropped.push('ua-chars');
    await compareLedger(caseOf(world(), own), site, ROUND);
    expect(ledger.differences).toHaveLength(differences.length);
  });

  test('names the node that answers otherwise than the rest', async () => {
    const worse = world();
    const session = worse.sessions.at(-1) as World['sessions'][number];
    session.isBounce = !session.isBounce;
    await judge(caseOf(world(), worse), site, EVERYTHING);
    expect(ledger.counts.different).toBeGreaterThan(0);
    expect(ledger.differences.every(({ text }) => text.startsWith('node 1, '))).toBe(true);
  });

  test.each([
    { fate: 'refused', counted: 0, differs: 0 },
    { fate: 'refused', counted: 1, differs: 1 },
    { fate: 'unknown', counted: 0, differs: 0 },
    { fate: 'unknown', counted: 1, differs: 0 },
    { fate: 'unknown', counted: 2, differs: 1 },
  ] as const)(
    'lets a hit that was $fate count $counted times: $differs differences',
    async ({ fate, counted, differs }) => {
      const own = world();
      const view = { ...(own.pageViews[0] as World['pageViews'][number]), path: '/once/x' };
      for (let time = 0; time < counted; time++) own.pageViews.push(view);
      let adopted = 0;
      site.doubts.push({
        ...{ path: '/once/x', fate },
        adopt: () => {
          adopted++;
          site.sent(ROUND).items += counted;
          site.world(ROUND).pageViews.push(...own.pageViews.slice(-counted));
        },
      });
      await judge(caseOf(own), site, { isOneDay: true, share: 0 });
      expect(ledger.counts.different).toBe(differs);
      expect(adopted).toBe(counted === 0 ? 0 : 1);
    },
  );
});
