/** GET /api/v1/statistics/live: what is going on, as server-sent events (O-50). */
import { isDeepStrictEqual } from 'node:util';
import { monotonicMs } from '../../base/clock.ts';
import type { Credential } from '../../model/credential.ts';
import { Platform } from '../../model/dimensions.ts';
import { errors } from '../../model/errors.ts';
import { asDomainId } from '../../model/ids.ts';
import { LIVE_HIT_COUNT_MAX, SECOND_MS } from '../../model/limits.ts';
import type { LiveNews, LiveRow } from '../../model/live.ts';
import { isRoleEnough } from '../../model/rights.ts';
import { TEXT_DIMENSIONS } from '../../model/text-kinds.ts';
import { statisticNamed } from '../../query/answers/statistics.ts';
import { LiveRows } from '../../query/live/live-filter.ts';
import { LiveSieve, sieveKey } from '../../query/live/live-sieve.ts';
import { parseQueryString } from '../../query/question/parameters.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { Call, Endpoint, EventSink, StreamAnswer } from '../endpoint.ts';
import type { Asked } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { READS } from '../presets.ts';
import { LiveBoards } from './live-boards.ts';
import { parametersOf } from './parameters.ts';
import { READS_STATISTICS, statisticsQuery } from './statistics.ts';

const ACTIVE = statisticNamed('active');

/** By position in `TEXT_DIMENSIONS`: what a hit shows of its session. */
const SHOWN = (
  [
    ['country_code', 'country'],
    ['referrer_name', 'referrerName'],
    ['browser', 'browser'],
    ['os', 'os'],
  ] as const
).map(([field, name]) => [field, TEXT_DIMENSIONS.indexOf(name)] as const);

export const liveEndpoints: readonly Endpoint[] = [
  {
    ...READS,
    path: '/api/v1/statistics/live',
    summary: 'Who is active, and each hit as it is stored, as server-sent events.',
    auth: READS_STATISTICS,
    parameters: parametersOf(ACTIVE).filter(({ name }) => name !== 'explain'),
    answer: { kind: 'stream', status: 200, schema: null },
    handle: listen,
  },
];

/** One for each edge: streams that ask the same are told by one question. */
const boardsOf = new WeakMap<Ports, LiveBoards>();

function listen(call: Call, ports: Ports): StreamAnswer {
  const asked: Asked = { call, ports, role: 'Viewer' };
  const parameters = parseQueryString(call.query);
  const query = statisticsQuery({ statistic: ACTIVE, isSdk: false }, parameters, asked);
  if (query.isExplained) throw errors.VALIDATION_FAILED({ validation: { explain: 'is for GETs' } });
  const boards = boardsOf.get(ports) ?? new LiveBoards(ports);
  boardsOf.set(ports, boards);
  const { domainId } = query;
  return {
    of: domainId,
    headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
    // Whoever changes what a link shows ends what is shown by it.
    isAllowed: (credential) =>
      isDeepStrictEqual(credential.pinned, call.credential?.pinned) &&
      isViewer(credential, domainId, ports),
    open: (sink) => {
      const leave = boards.listen(query, (active) => sink.send('active', active));
      const hits = new HitPace(sink, query);
      const unwatch = ports.live.watch(domainId, (news) => hits.take(news));
      return () => {
        leave();
        unwatch();
      };
    },
  };
}

function isViewer(credential: Credential, domainId: string, { access }: Ports): boolean {
  const id = asDomainId(domainId);
  const role =
    access.domain(id) === null ? null : access.roleOn(credential, { kind: 'domain', id });
  return isRoleEnough(role, 'Viewer');
}

/** The latest message, its rows, and their texts: listeners are told one after the other. */
interface Latest {
  readonly news: LiveNews;
  readonly rows: LiveRows;
  /** JSON up to `skipped`, which is each listener's own. */
  readonly texts: Map<LiveRow, string>;
}

let latest: Latest | null = null;
/** Of the thread. */
const sieve = new LiveSieve();

function latestOf(news: LiveNews): Latest {
  if (latest?.news !== news) latest = { news, rows: new LiveRows(news), texts: new Map() };
  return latest;
}

/** The hits of one stream, so many a second. */
class HitPace {
  readonly #sink: EventSink;
  readonly #query: StatisticsQuery;
  readonly #key: string;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #sentCount = 0;
  #skipped = 0;

  constructor(sink: EventSink, query: StatisticsQuery) {
    this.#sink = sink;
    this.#query = query;
    this.#key = sieveKey(query.filters);
  }

  take(news: LiveNews): void {
    const nowMs = monotonicMs();
    const { rows, texts } = latestOf(news);
    const { filters, within } = this.#query;
    const passing = sieve.passing(rows, filters, this.#key);
    for (const row of passing ?? []) {
      if (nowMs - this.#sinceMs >= SECOND_MS) {
        this.#sinceMs = nowMs;
        this.#sentCount = 0;
      }
      if (this.#sentCount >= LIVE_HIT_COUNT_MAX) this.#skipped++;
      else {
        this.#sentCount++;
        const text = texts.get(row) ?? textOf(row);
        texts.set(row, text);
        this.#sink.send('hit', `${text},"skipped":${this.#skipped}}`);
        this.#skipped = 0;
      }
    }
    // Of those nobody knows whether they pass.
    const unknownCount = news.moreCount + (passing === null ? news.rows.length : 0);
    if (within === null) this.#skipped += unknownCount;
  }
}

/** An object without its end. */
function textOf({ timeMs, path, title, eventName, dimensions, platform }: LiveRow): string {
  const json = JSON.stringify({
    ...{ time: new Date(timeMs).toISOString(), path, title, event_name: eventName },
    ...Object.fromEntries(SHOWN.map(([field, at]) => [field, dimensions[at]])),
    platform: PLATFORM_NAMES.get(platform) ?? 'unknown',
  });
  return json.slice(0, -1);
}

const PLATFORM_NAMES = new Map(
  Object.entries(Platform).map(([name, value]) => [value as number, name.toLowerCase()]),
);
