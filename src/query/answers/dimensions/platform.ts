/**
 * Distinct visitors by platform (S-54).
 */

import { Platform } from '../../../model/dimensions.ts';
import { sessionsInScope } from '../../count/session-scope.ts';
import { tallySessions } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { platformOfDevice } from '../../imported/imported-filter.ts';
import { importedRows } from '../../imported/imported-sums.ts';
import { rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { plain } from '../../question/statistics.ts';
import { breakdownOf, sessionBreakdown } from '../../rollup/breakdowns.ts';
import { sharesOf } from '../../rollup/denominators.ts';

export const PLATFORM: AnsweredStatistic = {
  ...plain('platform'),
  byRows: answerByRows,
  byRollups: answerByRollups,
  isBrief: true,
  takesMetric: true,
};

function answerByRows(context: QueryContext): Record<string, number> {
  const groupMap = Uint32Array.from(Object.values(Platform));
  const tally = tallyOver(context, [], groupMap.length, (segment, into) => {
    const sessions = sessionsInScope(context, segment);
    const groups = segment.sessions.columns.platform;
    tallySessions(segment, sessions, { groups, groupMap }, { into, run: context.run });
  });
  return platformFields(context, (platform) => tally.visitors[platform] as number);
}

function answerByRollups(context: QueryContext): Record<string, number> {
  const rows = breakdownOf(context, sessionBreakdown(['platform']));
  const visitors = rows.counts('visitors');
  return platformFields(context, (platform) => {
    return visitors[rows.groups.indexOf(platform)] ?? 0;
  });
}

function platformFields(
  context: QueryContext,
  visitorsOf: (platform: number) => number,
): Record<string, number> {
  const all = sharesOf(context).visitors;
  const imported = [0, 0, 0];
  for (const { value, visitors } of importedRows(context, 'device')) {
    imported[platformOfDevice(value)]! += visitors;
  }
  const [desktop, mobile, unknown] = [
    visitorsOf(Platform.Desktop) + imported[Platform.Desktop]!,
    visitorsOf(Platform.Mobile) + imported[Platform.Mobile]!,
    visitorsOf(Platform.Unknown) + imported[Platform.Unknown]!,
  ];
  return {
    platform_desktop: desktop,
    platform_mobile: mobile,
    platform_unknown: unknown,
    relative_platform_desktop: rate(desktop, all),
    relative_platform_mobile: rate(mobile, all),
    relative_platform_unknown: rate(unknown, all),
  };
}
