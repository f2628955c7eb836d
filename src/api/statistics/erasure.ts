/** DELETE /api/v1/statistics: rows of a range go, in the background. */
import { startOfLocalDayMs } from '../../base/zone.ts';
import { type DeletedDays, withoutDeleted } from '../../control/exports.ts';
import { exportJob } from '../../control/resources/export-job.ts';
import { ERASURE_KINDS } from '../../model/erasure.ts';
import { asDomainId } from '../../model/ids.ts';
import { DATE_MESSAGE, parseDay } from '../../query/question/calendar.ts';
import {
  firstValue,
  parseQueryString,
  type QueryParameters,
} from '../../query/question/parameters.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Asked, requestedDomain, stampOf } from '../manage/permitted.ts';
import { json, managers, NOTHING, optional, required } from '../presets.ts';
import { Problems } from '../problems.ts';

/** Answered as soon as the deletion is in the log: from there on nothing can stop it. */
export const erasureEndpoints: readonly Endpoint[] = [
  {
    method: 'DELETE',
    path: '/api/v1/statistics',
    summary: 'Deletes what was collected in a range of days, in the background.',
    auth: managers('domains', 'w', 'Admin'),
    needsReady: true,
    parameters: [
      required('id', 'The id of a domain.'),
      required('from', 'The first day, like 2026-11-20, in the time zone of the domain.'),
      required('to', 'The last day.'),
      {
        ...optional('kind', 'What goes: everything when it is empty or missing.'),
        schema: { type: 'string', enum: ERASURE_KINDS },
      },
    ],
    body: null,
    answer: json(NOTHING),
    handle: (call, ports) => eraseStatistics({ call, ports, role: 'Admin' }),
  },
];

function eraseStatistics(asked: Asked): string | null {
  const { call, ports } = asked;
  const parameters = parseQueryString(call.query);
  const domain = requestedDomain(asked, parameters);
  const problems = new Problems();
  const sentKind = firstValue(parameters, 'kind') ?? '';
  const kind = ERASURE_KINDS.find((known) => known === sentKind);
  if (kind === undefined) problems.add('kind', 'must be empty, all, events or imported');
  const days = [
    readDay(parameters, 'from', problems),
    readDay(parameters, 'to', problems),
  ] as const;
  if (kind === undefined || !problems.isEmpty) throw problems.error();
  // F-2: in whichever order. Any length: what is deleted costs less than what is shown.
  const [fromDay, toDay] = [Math.min(...days), Math.max(...days)];
  const startMs = startOfLocalDayMs(domain.timezone, fromDay);
  const endMs = startOfLocalDayMs(domain.timezone, toDay + 1);
  const named = { domainId: asDomainId(domain.id), kind, startMs, endMs };
  const stored = call.whenStored('{}');
  ports.hits.submitErasure({ ...named, days: { fromDay, toDay } }, (error) => {
    if (error !== null) stored(error);
    else endExports(asked, domain.id, { fromDay, toDay }).then(() => stored(null), stored);
  });
  return null;
}

/** Behind the deletion: what is exported from now on is without it (P-10). */
async function endExports(
  { call, ports }: Asked,
  domainId: string,
  days: DeletedDays,
): Promise<void> {
  if (ports.records.list(exportJob, 'domainId', domainId).length === 0) return;
  await ports.records.decide(stampOf(call), (view, atMs) => ({
    changes: withoutDeleted(view, domainId, days, atMs),
    result: null,
  }));
}

function readDay(parameters: QueryParameters, name: 'from' | 'to', problems: Problems): number {
  const text = firstValue(parameters, name);
  const day = text === undefined ? null : parseDay(text);
  if (day === null) problems.add(name, DATE_MESSAGE);
  return day ?? 0;
}
