/** GET /api/v1/ledger: where everything has gone that a domain was sent, day by day (P-31). */
import { exactly, integer, listOf, mapOf, string } from '../../base/schema.ts';
import { domain } from '../../control/resources/domain.ts';
import { DROP_REASONS, dropReason } from '../../model/drop-reasons.ts';
import { asDomainId } from '../../model/ids.ts';
import type { LedgerDay } from '../../model/ledger.ts';
import { DAY_MS, LEDGER_BOT_DAYS_MAX, RANGE_DAYS_MAX } from '../../model/limits.ts';
import { MANAGERS } from '../../model/rights.ts';
import type { DaySpan } from '../../model/usage.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { checkRole } from '../manage/permitted.ts';
import type { Ports } from '../ports.ts';
import { json, optional, READS } from '../presets.ts';
import { Problems } from '../problems.ts';
import { UTC_SPAN, utcSpan } from './utc-span.ts';

const DATE_LENGTH = 'yyyy-mm-dd'.length;
const DUPLICATE = dropReason('duplicate');

const DAY = exactly({
  ...{ date: string, received: integer },
  stored: exactly({ page_views: integer, events: integer, keep_alives: integer }),
  ...{ opening_events: integer, dropped: mapOf(integer), duplicates: integer },
});
const BOT = exactly({ date: string, name: string, kind: string, reason: string, items: integer });

/** For whoever runs a site (M-3): nobody else is to find out what its filter drops. */
const shared = {
  ...READS,
  auth: { callers: MANAGERS, scopes: [{ area: 'domains', right: 'r' }], role: 'Admin' },
  parameters: [{ ...optional('id', 'The id of a domain.'), isRequired: true }, ...UTC_SPAN],
} as const;

export const ledgerEndpoints: readonly Endpoint[] = [
  {
    ...{ ...shared, path: '/api/v1/ledger' },
    summary:
      'Tells what became of the items that a domain was sent, by UTC day of their own time: received is ' +
      'what is stored, what was dropped, by reason, and duplicates.',
    answer: json(listOf(DAY)),
    handle: readLedger,
  },
  {
    ...{ ...shared, path: '/api/v1/ledger/bots' },
    summary:
      'Lists the programs whose items were dropped, by UTC day, name and reason, with their kind (ai, search, ' +
      'preview, monitor, library, other); of a day the most first. ' +
      `At most ${LEDGER_BOT_DAYS_MAX} days.`,
    answer: json(listOf(BOT)),
    handle: readBots,
  },
];

/** Every day has a row, as in statistics by day: a day without items is told from one that is not shown. */
async function readLedger(call: Call, ports: Ports): Promise<string> {
  const { id, span } = asked(call, ports, RANGE_DAYS_MAX);
  const found = await ports.statistics.ledger(id, { span, hasBots: false }, call);
  const byDay = new Map(found.map((row) => [row.day, row]));
  const rows: ReturnType<typeof shown>[] = [];
  for (let day = span.fromDay; day <= span.toDay; day++) {
    rows.push(shown(byDay.get(day) ?? { ...EMPTY, day }));
  }
  return JSON.stringify(rows);
}

const EMPTY = { pageViews: 0, events: 0, keepAlives: 0, openings: 0, dropped: [] };

function shown({ day, pageViews, events, keepAlives, openings, dropped }: LedgerDay) {
  const byReason: Record<string, number> = {};
  let received = pageViews + events + keepAlives;
  let duplicates = 0;
  for (const [reason, , count] of dropped) {
    received += count;
    if (reason === DUPLICATE) duplicates += count;
    else byReason[textOf(reason)] = count;
  }
  return {
    ...{ date: dateOf(day), received },
    stored: { page_views: pageViews, events, keep_alives: keepAlives },
    ...{ opening_events: openings, dropped: byReason, duplicates },
  };
}

async function readBots(call: Call, ports: Ports): Promise<string> {
  const { id, span } = asked(call, ports, LEDGER_BOT_DAYS_MAX);
  const found = await ports.statistics.ledger(id, { span, hasBots: true }, call);
  const rows = found.flatMap(({ day, dropped }) =>
    dropped
      .filter(([, name]) => name !== '')
      .map(([reason, name, items]) => ({
        ...{ date: dateOf(day), name, kind: ports.pipeline.kindOfBot(name) },
        ...{ reason: textOf(reason), items },
      }))
      .sort(byItems),
  );
  return JSON.stringify(rows);
}

/** @throws VALIDATION_FAILED; RECORD_NOT_FOUND, ROLE_MISSING. */
function asked(call: Call, ports: Ports, daysMax: number) {
  const problems = new Problems();
  const id = firstValue(parseQueryString(call.query), 'id') ?? '';
  if (id === '') problems.add('id', 'is required: the id of a domain');
  const span = utcSpan(call, problems);
  if (id !== '') {
    const place = { kind: domain.name, id };
    checkRole({ call, ports, role: shared.auth.role }, place, place);
  }
  if (lengthOf(span) > daysMax) {
    const given = parseQueryString(call.query);
    const name = firstValue(given, 'from') === undefined ? 'to' : 'from';
    problems.add(name, `must be at most ${daysMax} days from the other end`);
    throw problems.error();
  }
  return { id: asDomainId(id), span };
}

function lengthOf({ fromDay, toDay }: DaySpan): number {
  return toDay - fromDay + 1;
}

type BotRow = { readonly name: string; readonly reason: string; readonly items: number };

function byItems(left: BotRow, right: BotRow): number {
  const byName = left.name < right.name ? -1 : 1;
  return right.items - left.items || (left.name === right.name ? 0 : byName);
}

function textOf(reason: number): string {
  return DROP_REASONS[reason] as string;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, DATE_LENGTH);
}
