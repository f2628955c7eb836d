/** The totals, with their growth; choosing one draws it (D-11). */
import { METRICS, type Metric, show, view } from '../../view/view.ts';
import { change, days, direction, rate, seconds, shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { goalRows, type Shown, type SiteData } from '../site-data.ts';
import { isDrawable } from './conversion.ts';
import { growthOf, totalOf } from './total-values.ts';

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
  const hasGoals = goalRows(shown).length > 0;
  return (
    // Whether there is a sixth is not known before: what comes then is new, and nothing has moved.
    <section class="totals" aria-label={word('totals')} key={shown === null ? 'first' : 'known'}>
      {METRICS.filter((metric) => metric !== 'conversion' || hasGoals).map((metric) => {
        const value = totalOf(shown, metric);
        const grown = growthOf(shown, metric);
        return (
          <button
            type="button"
            key={metric}
            class="tile"
            aria-pressed={view.value.metric === metric}
            disabled={metric === 'conversion' && !isDrawable(view.value)}
            onClick={() => show({ metric }, true)}
          >
            <span class="tile-name">{word(metric)}</span>
            <span class="tile-value">{value === null ? ' ' : METRIC_FORMS[metric](value)}</span>
            <GrowthMark growth={grown} isInverted={INVERTED.has(metric)} shown={shown} />
          </button>
        );
      })}
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
  const way = direction(growth);
  const isGood = way === 0 ? '' : way > 0 === isInverted ? 'is-worse' : 'is-better';
  const told = word('growth', { percent: change(growth), before: days(shown.frames.before) });
  const arrow = way === 0 ? '' : way > 0 ? '↑ ' : '↓ ';
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
