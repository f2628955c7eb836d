// Goal: over two years, in zones whose clocks do odd things, with the service off for random spans,
// clocks that are stepped and differ between nodes, and people who edit: each report that is due is
// sent once, of those that were missed the newest only, with the numbers of its days (O-30, O-31,
// A-63, O-3). Method: the real jobs and mail queue over a registry in memory and a fake clock;
// beside them a model that keeps one number a report, the next morning in a list of all mornings
// (`report-calendar.ts`), and counts hits one by one. Runs of two nodes look at the same time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changed, created, deleted, draftNew } from '../../src/control/descriptor/draft.ts';
import { endMails } from '../../src/control/people/notices.ts';
import type { Registry } from '../../src/control/registry/registry.ts';
import { reportsFor } from '../../src/control/reports.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { mail } from '../../src/control/resources/mail.ts';
import { report } from '../../src/control/resources/report.ts';
import { user } from '../../src/control/resources/user.ts';
import { dueReports } from '../../src/jobs/due-reports.ts';
import type { JobTurn } from '../../src/jobs/job.ts';
import { MailQueue } from '../../src/jobs/mail-queue.ts';
import { type NumbersDoor, siteNumbers } from '../../src/jobs/site-numbers.ts';
import { runStatistics } from '../../src/query/answers/run.ts';
import { memoryRegistry } from '../support/memory-registry.ts';
import { tries } from '../support/runs.ts';
import { type CalendarDay, ReportCalendar } from './report-calendar.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SPAN_MS = 2 * 365 * DAY_MS;
/** Of the service in these runs; the true one is shorter. */
const LOOK_MS = 47 * MINUTE_MS;
/** By which the clock of the second node is ahead. */
const SKEW_MS = 3_000;
const BY = { kind: 'cli', id: '' } as const;
const EMAIL = 'ben@example.org';

/** Begins of two years, and zones with something odd in them. */
const PLACES: readonly (readonly [zone: string, from: string])[] = [
  // Half an hour of summer; a date that is skipped; summer that ends for Ramadan; summer of two hours.
  ['Australia/Lord_Howe', '2025-01-06'],
  ['Pacific/Apia', '2010-06-01'],
  ['Africa/Casablanca', '2025-01-06'],
  ['Antarctica/Troll', '2025-01-06'],
  // Days without midnight; the first and the last zone to have a date; quarters of an hour.
  ['Africa/Cairo', '2025-01-06'],
  ['America/Havana', '2025-01-06'],
  ['Pacific/Kiritimati', '2025-01-06'],
  ['Pacific/Pago_Pago', '2025-01-06'],
  ['Pacific/Chatham', '2025-01-06'],
  ['Asia/Kathmandu', '2025-01-06'],
  ['America/New_York', '2025-01-06'],
  ['Europe/Berlin', '2025-01-06'],
];

/**
 * What the engine answers over no rows, by statistic and scale: but for dates it is always the
 * same.
 */
const EMPTY = new Map<string, unknown>();
const calendars = new Map<string, ReportCalendar>();

function calendarOf(zone: string, startMs: number): ReportCalendar {
  const key = `${zone} ${startMs}`;
  const known = calendars.get(key);
  if (known !== undefined) return known;
  const made = new ReportCalendar(zone, startMs - 30 * DAY_MS, startMs + SPAN_MS + 250 * DAY_MS);
  calendars.set(key, made);
  return made;
}

/** What is sent: when by the clock of whoever sent it, of which days, and how many came on them. */
interface Sent {
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly visitors: number;
}

/** The model of one report. */
class NaiveReport {
  nextMs: number;
  readonly sent: Sent[] = [];
  #weeks: number;
  #calendar: ReportCalendar;
  readonly #hits: readonly number[];
  #isMoved = false;

  constructor(weeks: number, calendar: ReportCalendar, nowMs: number, hits: readonly number[]) {
    this.#weeks = weeks;
    this.#calendar = calendar;
    this.#hits = hits;
    this.nextMs = calendar.from(nowMs + (weeks === 0 ? 1 : weeks * 7) * DAY_MS).morningMs;
  }

  edit(weeks: number, nowMs: number): void {
    if (weeks === this.#weeks) return;
    this.#weeks = weeks;
    this.nextMs = this.#calendar.from(nowMs + (weeks === 0 ? 1 : weeks * 7) * DAY_MS).morningMs;
  }

  move(calendar: ReportCalendar): void {
    this.#calendar = calendar;
    this.#isMoved = true;
  }

  look(clockMs: number): void {
    if (!this.#isMoved && this.nextMs > clockMs) return;
    this.#isMoved = false;
    const first = this.#calendar.from(this.nextMs) as CalendarDay;
    this.nextMs = first.morningMs;
    if (this.nextMs > clockMs) return;
    const step = this.#weeks === 0 ? 1 : this.#weeks * 7;
    let newestMs = first.morningMs;
    for (let steps = 1; ; steps++) {
      this.nextMs = this.#calendar.later(first.date, steps * step);
      if (this.nextMs > clockMs) break;
      newestMs = this.nextMs;
    }
    const days = this.#calendar.daysOf(this.#calendar.dateOf(newestMs), this.#weeks);
    const visitors = this.#hits.filter((atMs) => this.#calendar.isWithin(atMs, days)).length;
    this.sent.push({ atMs: clockMs, ...days, visitors });
  }
}

/**
 * The real thing: the jobs of some nodes on one registry, and a mail server that takes everything.
 */
class World {
  readonly registry: Registry;
  readonly sent: Sent[] = [];
  clockMs: number;
  #turns: JobTurn[] = [];
  #queues: MailQueue[] = [];
  #asked = '';
  readonly #hits: readonly number[];
  readonly siteId: string;

  private constructor(registry: Registry, siteId: string, nowMs: number, hits: readonly number[]) {
    this.registry = registry;
    this.siteId = siteId;
    this.clockMs = nowMs;
    this.#hits = hits;
  }

  static async make(zone: string, nowMs: number, hits: readonly number[]): Promise<World> {
    const registry = memoryRegistry();
    let siteId = '';
    await registry.change({ nowMs, by: BY }, (view) => {
      const owner = draftNew(user, { sent: { email: 'ada@example.org' }, userId: '', nowMs, view });
      const sent = { hostname: 'shop.example', timezone: zone };
      const site = draftNew(domain, { sent, userId: owner.record.id, nowMs, view });
      siteId = site.record.id;
      return [created(user, owner.record), created(domain, site.record)];
    });
    return new World(registry, siteId, nowMs, hits);
  }

  /** What the nodes had in memory is gone, if they ran. */
  async start(nodes: number, isMailed = true): Promise<void> {
    for (const queue of this.#queues) await queue.stop();
    const { registry } = this;
    const clocks = Array.from({ length: nodes }, (_, node) => () => this.clockMs + node * SKEW_MS);
    const numbers = siteNumbers({ batch: (...asked) => this.#answer(...asked) }, registry);
    this.#turns = clocks.map((nowMs) => dueReports({ registry, nowMs, owns: () => true }));
    const mailing = isMailed ? clocks : [];
    this.#queues = mailing.map((nowMs) => {
      return new MailQueue({
        ...{
          registry,
          numbers,
          nowMs,
          publicUrl: 'https://stats.example.org',
          dashboardHost: null,
          language: 'en',
        },
        isAlone: nodes === 1,
        door: {
          needsLinks: true,
          send: async ({ mail }) => {
            const [from = '', to = ''] = this.#asked.split(' ');
            const visitors = Number(/(\d+) visitors?\b/.exec(mail.subject)?.[1]);
            this.sent.push({ atMs: this.clockMs, from, to, visitors });
            return { kind: 'sent', answer: '250 ok' };
          },
        },
        onOutcome: (_, { answer }) => expect.fail(answer),
        onFault: (error) => {
          throw error;
        },
      });
    });
  }

  /** All nodes at once, each by its own clock; the mails of what was due are sent. */
  async look(): Promise<void> {
    const { sequence } = this.registry;
    await Promise.all(this.#turns.map((turn) => turn()));
    if (this.registry.sequence === sequence) return;
    if (this.#queues.length === 0) return this.#takeEntries();
    await Promise.all(this.#queues.map((queue) => queue.settled()));
  }

  /** Without a mail server: what is written down counts as sent. */
  async #takeEntries(): Promise<void> {
    const entries = [...this.registry.view.all(mail)];
    for (const { about } of entries) {
      const { from, to } = about as Record<'from' | 'to', string>;
      this.sent.push({ atMs: this.clockMs, from, to, visitors: 0 });
    }
    await this.registry.change({ nowMs: this.clockMs, by: BY }, () =>
      entries.map(({ id }) => deleted(mail, id)),
    );
  }

  async stop(): Promise<void> {
    for (const queue of this.#queues) await queue.stop();
  }

  /**
   * The engine over no rows, but for the total: that is counted from the hits, by the range asked
   * for.
   */
  async #answer(...[, entries]: Parameters<NumbersDoor['batch']>): Promise<Uint8Array> {
    const results = entries.map((entry) => {
      if ('refused' in entry) return expect.fail(entry.refused);
      const { statistic } = entry;
      const key = `${statistic} ${entry.scale}`;
      const answer = EMPTY.get(key) ?? runStatistics(structuredClone(entry), []);
      EMPTY.set(key, answer);
      if (statistic !== 'total') return answer;
      const { startMs, endMs, fromDay, toDay } = entry.range;
      this.#asked = [fromDay, toDay].map((day) => dateOf(day)).join(' ');
      const visitors = this.#hits.filter((atMs) => atMs >= startMs && atMs < endMs).length;
      return { ...(answer as object), visitors };
    });
    return Buffer.from(JSON.stringify({ position: 0, results }));
  }
}

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** What happens at a time of the two years. */
const happening = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('off'), hours: fc.integer({ min: 1, max: 700 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('step'),
      minutes: fc.integer({ min: -4_000, max: 4_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit'), weeks: fc.integer({ min: 0, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('zone'), place: fc.nat(PLACES.length - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('set right') }) },
);

const life = fc.record({
  place: fc.nat(PLACES.length - 1),
  weeks: fc.constantFrom(0, 0, 1, 1, 2, 4, 13),
  nodes: fc.integer({ min: 1, max: 2 }),
  fromMinute: fc.nat(7 * 1_440),
  happenings: fc.array(fc.tuple(fc.nat(SPAN_MS / MINUTE_MS), happening), { maxLength: 24 }),
  hits: fc.array(fc.nat(SPAN_MS / MINUTE_MS), { minLength: 50, maxLength: 200 }),
});

type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

async function live(of: Life, isMailed = true) {
  const { place, weeks, nodes, fromMinute, happenings, hits } = of;
  const [zone, from] = PLACES[place] as (typeof PLACES)[number];
  const startMs = Date.parse(`${from}T00:00:00Z`) + fromMinute * MINUTE_MS;
  const epochMs = Date.parse(`${from}T00:00:00Z`);
  const hitsMs = hits.map((minute) => epochMs + minute * MINUTE_MS);
  const world = await World.make(zone, startMs, hitsMs);
  const naive = new NaiveReport(weeks, calendarOf(zone, epochMs), startMs, hitsMs);
  const save = (interval: number) => {
    const sent = { domain_id: world.siteId, emails: [EMAIL], interval, link_to: '' };
    return world.registry.change({ nowMs: world.clockMs, by: BY }, (view, nowMs) => {
      return [...reportsFor({ sent, userId: '' }, view, nowMs).changes];
    });
  };
  await save(weeks);
  await world.start(nodes, isMailed);
  const pending = happenings.toSorted(([left], [right]) => left - right);
  let offUntilMs = 0;
  let offsetMs = 0;
  for (let trueMs = startMs; trueMs < epochMs + SPAN_MS; trueMs += LOOK_MS) {
    world.clockMs = trueMs + offsetMs;
    while (pending.length > 0 && epochMs + (pending[0]?.[0] ?? 0) * MINUTE_MS <= trueMs) {
      const [, what] = pending.shift() as (typeof pending)[number];
      if ('hours' in what) {
        offUntilMs = trueMs + what.hours * HOUR_MS;
        await world.start(nodes, isMailed);
      } else if ('minutes' in what) offsetMs += what.minutes * MINUTE_MS;
      else if ('weeks' in what) {
        await save(what.weeks);
        naive.edit(what.weeks, world.clockMs);
      } else if ('place' in what) {
        const [timezone] = PLACES[what.place] as (typeof PLACES)[number];
        const site = world.registry.view.find(domain, world.siteId);
        const moved = changed(domain, { ...(site as NonNullable<typeof site>), timezone });
        await world.registry.change({ nowMs: world.clockMs, by: BY }, () => [moved]);
        naive.move(calendarOf(timezone, epochMs));
      } else offsetMs = 0;
    }
    if (trueMs < offUntilMs) continue;
    world.clockMs = trueMs + offsetMs;
    naive.look(world.clockMs);
    await world.look();
  }
  await world.stop();
  return { world, naive };
}

test('two years of reports: each one once, the newest only, with its numbers (O-3, O-30, O-31, A-63)', async () => {
  let count = 0;
  const property = fc.asyncProperty(life, async (of) => {
    const { world, naive } = await live(of);
    expect(world.sent).toEqual(naive.sent);
    const [left] = world.registry.view.all(report);
    expect(new Date(left?.nextReportMs ?? 0).toISOString()).toBe(
      new Date(naive.nextMs).toISOString(),
    );
    count += world.sent.length;
  });
  await fc.assert(property, tries(48));
  expect(count).toBeGreaterThan(200);
}, 300_000);

test.each(PLACES)(
  'in %s a daily report comes every day of two years at seven (O-30)',
  async (zone, from) => {
    const place = PLACES.findIndex(([name]) => name === zone);
    const none = { weeks: 0 as const, nodes: 1, fromMinute: 0, happenings: [], hits: [] };
    const { world } = await live({ ...none, place }, false);
    const calendar = calendarOf(zone, Date.parse(`${from}T00:00:00Z`));
    // Every date has one report, of which only those at the ends are missing.
    const first = calendar.days.findIndex(({ date }) => date === world.sent[0]?.to);
    const dates = calendar.days.slice(first, first + world.sent.length).map(({ date }) => date);
    expect(world.sent.map(({ to }) => to)).toEqual(dates);
    expect(world.sent.length).toBeGreaterThan(725);
  },
);

test('a clock that was wrong by a year ends no report (O-30)', async () => {
  const startMs = Date.UTC(2026, 0, 5);
  const world = await World.make('UTC', startMs, []);
  const sent = { domain_id: world.siteId, emails: [EMAIL], interval: 0, link_to: '' };
  await world.registry.change({ nowMs: startMs, by: BY }, (view, nowMs) => {
    return [...reportsFor({ sent, userId: '' }, view, nowMs).changes];
  });
  await world.start(1);
  for (const day of [0, 1, 2, 400, 3, 4, 5, 6]) {
    world.clockMs = startMs + day * DAY_MS + 8 * HOUR_MS;
    await world.look();
  }
  await world.stop();
  expect(world.sent.map(({ to }) => to)).toEqual([
    ...['2026-01-05', '2026-01-06', dateOf(startMs / DAY_MS + 399)],
    // It counts anew from the first look by a right clock, on the 8th.
    ...['2026-01-09', '2026-01-10'],
  ]);
});

test('who ended a report while it was due is sent none (O-21, O-30)', async () => {
  const startMs = Date.UTC(2026, 0, 5);
  const world = await World.make('UTC', startMs, []);
  const sent = { domain_id: world.siteId, emails: [EMAIL], interval: 0, link_to: '' };
  await world.registry.change({ nowMs: startMs, by: BY }, (view, nowMs) => {
    return [...reportsFor({ sent, userId: '' }, view, nowMs).changes];
  });
  await world.start(2);
  world.clockMs = startMs + 5 * DAY_MS;
  await world.registry.change({ nowMs: world.clockMs, by: BY }, (view, nowMs) => {
    const [found] = view.all(report);
    return endMails({ kind: 'report', reportId: String(found?.id) }, view, nowMs);
  });
  await world.look();
  await world.stop();
  expect(world.sent).toEqual([]);
});
