/** The totals, with their growth; choosing one draws it (D-11). */
import type { StatisticOf } from '../../data/batch.ts';
import { METRICS, type Metric, show, view } from '../../view/view.ts';
import { change, days, rate, seconds, shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { answerOf, type Shown, type SiteData } from '../site-data.ts';

type Total = StatisticOf<'total'>;
type Growth = StatisticOf<'growth'>;
type Durations = StatisticOf<'duration/session'>;

/** How the values of a metric are told. */
export const METRIC_FORMS: Readonly<Record<Metric, (value: number) => string>> = {
  visitors: shortCount,
  views: shortCount,
  sessions: shortCount,
  bounceRate: rate,
  duration: seconds,
  conversion: rate,
};

/** Where less is better. */
const INVERTED: ReadonlySet<Metric> = new Set(['bounceRate']);

export function Totals({ data }: { data: SiteData }) {
  const shown = data.shown.value;
  return (
    <section class="totals" aria-label={word('totals')}>
      {METRICS.filter((metric) => metric !== 'conversion' || view.value.goal !== '').map(
        (metric) => {
          const value = totalOf(shown, metric, '');
          const grown = growthOf(shown, metric);
          return (
            <button
              type="button"
              key={metric}
              class="tile"
              aria-pressed={view.value.metric === metric}
              onClick={() => show({ metric }, true)}
            >
              <span class="tile-name">{word(metric)}</span>
              <span class="tile-value">{value === null ? ' ' : METRIC_FORMS[metric](value)}</span>
              <GrowthMark growth={grown} isInverted={INVERTED.has(metric)} shown={shown} />
            </button>
          );
        },
      )}
    </section>
  );
}

function GrowthMark({
  growth,
  isInverted,
  shown,
}: {
  growth: number | null;
  isInverted: boolean;
  shown: Shown | null;
}) {
  if (growth === null || shown === null) return <span class="growth"> </span>;
  const isGood = growth === 0 ? '' : growth > 0 === isInverted ? 'is-worse' : 'is-better';
  const { from, to } = shown.span;
  const before = shown.compared ?? { from: from - (to - from + 1), to: from - 1 };
  const told = word('growth', { percent: change(growth), before: days(before) });
  const arrow = growth === 0 ? '' : growth > 0 ? '↑ ' : '↓ ';
  return (
    <span class={`growth ${isGood}`} title={told}>
      <span aria-hidden="true">
        {arrow}
        {change(growth).replace(/^[+\-−]/, '')}
      </span>
      <span class="sr-only">{told}</span>
    </span>
  );
}

/** A total of what is shown; null: it is not known. @param prefix '' or 'compared '. */
function totalOf(shown: Shown | null, metric: Metric, prefix: string): number | null {
  const total = answerOf<Total>(shown, `${prefix}total`);
  if (total === null) return null;
  switch (metric) {
    case 'bounceRate':
      return total.bounce_rate;
    case 'duration':
      return meanDuration(answerOf<Durations>(shown, `${prefix}duration`));
    case 'conversion':
      return total.cr;
    default:
      return total[metric];
  }
}

/** Of days with sessions. */
function meanDuration(rows: Durations | null): number | null {
  const values = (rows ?? []).map((row) => row.average_time_spent_seconds).filter((one) => one > 0);
  if (rows === null) return null;
  return values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
}

function growthOf(shown: Shown | null, metric: Metric): number | null {
  if (shown === null) return null;
  if (shown.compared !== null && shown.view.comparison !== 'previous') {
    const now = totalOf(shown, metric, '');
    const before = totalOf(shown, metric, 'compared ');
    if (now === null || before === null) return null;
    return before === 0 ? (now === 0 ? 0 : 1) : (now - before) / before;
  }
  const growth = answerOf<Growth>(shown, 'growth');
  if (growth === null) return null;
  const fields = {
    visitors: growth.visitors_growth,
    views: growth.views_growth,
    sessions: growth.sessions_growth,
    bounceRate: growth.bounces_growth,
    duration: growth.time_spent_growth,
    conversion: growth.cr_growth,
  };
  return fields[metric];
}
