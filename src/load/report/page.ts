/**
 * The report as one page of HTML that needs nothing beside it: no script, no font, no network. Light and
 * dark follow the reader's system. Control plane, pure.
 */
import { bestStep, type LoadReport, type Step } from '../load-report.ts';
import { escaped, linearAxis, logAxis, toChart } from './drawing.ts';
import { grouped, ms, percent } from './numbers.ts';
import { PAGE_STYLE } from './page-style.ts';
import { conclusions } from './table.ts';

/** Curves of more steps than that hide each other. */
const CURVES_MAX = 5;
const NINES = [0, 0.9, 0.99, 0.999, 0.9999, 0.99999];

/** The whole page. */
export function toPage(report: LoadReport): string {
  const { target, load, machine } = report;
  const shown = bestStep(report) ?? report.steps.at(-1);
  const title = `Load on ${target.product} at ${target.url}`;
  const sent = load.batch === 1 ? 'single hits' : `batches of ${load.batch} hits`;
  const about =
    `${report.date}, ${sent}, ${load.connections} connections, mix “${load.mix}”, seed ${load.seed}; ` +
    `load from ${machine.cores} × ${machine.cpu}, Node ${machine.node}, Footfall ${report.version}`;
  const verdicts = conclusions(report).map((line) => `<li>${escaped(line)}</li>`);
  const body = [
    `<h1>${escaped(title)}</h1><p class="soft">${escaped(about)}</p>`,
    shown === undefined ? '' : tiles(report, shown),
    `<ul>${verdicts.join('')}</ul>`,
    ...(report.steps.length > 1 ? [stepsChart(report)] : []),
    curveChart(report.steps),
    ...(shown === undefined ? [] : [rateChart(shown, load.batch), timeChart(shown)]),
    stepsTable(report.steps),
    queriesTable(report),
    '<p class="soft">Latencies count from the moment a request was due at the rate that was asked for, ' +
      'not from when it could be sent: a target that stalls cannot hide it. “Sent late” is what the load ' +
      'program itself added.</p>',
  ];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<title>${escaped(title)}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<style>${PAGE_STYLE}</style></head>` +
    `<body>${body.join('\n')}</body></html>\n`
  );
}

function tiles({ check }: LoadReport, step: Step): string {
  const { latency, hits } = step;
  const failed = hits.refused + hits.unanswered + hits.notSent;
  const entries: [value: string, name: string, tone: string][] = [
    [grouped(step.hitsPerSecond), 'hits accepted a second', ''],
    [ms(latency.p50), 'p50', ''],
    [ms(latency.p99), 'p99', ''],
    [ms(latency.max), 'longest', ''],
    [grouped(failed), 'hits not accepted', failed === 0 ? 'good' : 'bad'],
    [percent(step.ownCpuShare), 'of a core: the load program', step.isOwnLimit ? 'bad' : ''],
  ];
  if (check !== null) {
    const [value, name, tone] = check.isRight
      ? ['all', 'acknowledged hits count once', 'good']
      : [grouped(check.lost + check.surplus), 'hits lost or too many', 'bad'];
    entries.push([value!, name!, tone!]);
  }
  const cells = entries.map(
    ([value, name, tone]) =>
      `<div class="tile"><b class="${tone}">${escaped(value)}</b><span>${escaped(name)}</span></div>`,
  );
  return `<div class="tiles">${cells.join('')}</div>`;
}

/** Rate against p99, up to where it breaks. */
function stepsChart({ steps, load }: LoadReport): string {
  const sorted = [...steps].sort((left, right) => left.rate - right.rate);
  const most = Math.max(...sorted.map(({ rate }) => rate));
  const p99s = sorted.map(({ latency }) => latency.p99).filter(Number.isFinite);
  const limit = load.limitMs ?? 0;
  return toChart({
    title: 'The rate, and what it does to p99',
    x: linearAxis('hits a second', most, grouped),
    y: logAxis('ms', { least: Math.min(...p99s, 1), most: Math.max(...p99s, limit) }, String),
    series: [
      { name: 'p50', points: sorted.map(({ rate, latency }) => [rate, latency.p50] as const) },
      { name: 'p99', points: sorted.map(({ rate, latency }) => [rate, latency.p99] as const) },
    ],
    ...(load.limitMs === null ? {} : { limit: { y: limit, text: `limit ${limit} ms` } }),
    hasDots: true,
  });
}

/** Latency by percentile, the rare ones spread out. */
function curveChart(steps: readonly Step[]): string {
  const shown = spread(steps.filter(({ latency }) => latency.count > 0));
  if (shown.length === 0) return '';
  const values = shown.flatMap(({ curve }) => curve.map(([, value]) => value));
  const place = (share: number) => -Math.log10(1 - Math.min(share, 0.999995));
  return toChart({
    title: 'Latency by percentile',
    x: {
      label: 'share of the requests that took at most as long',
      ticks: NINES.map((share) => [share, `${Number((share * 100).toFixed(3))} %`] as const),
      place,
    },
    y: logAxis('ms', { least: Math.min(...values), most: Math.max(...values) }, String),
    series: shown.map(({ rate, curve }) => ({
      name: `${grouped(rate)} hits/s`,
      points: curve.filter(([share]) => share <= 0.99999),
    })),
  });
}

/** A few of many, the first and the last among them. */
function spread(steps: readonly Step[]): Step[] {
  const sorted = [...steps].sort((left, right) => left.rate - right.rate);
  if (sorted.length <= CURVES_MAX) return sorted;
  const last = sorted.length - 1;
  return Array.from(
    { length: CURVES_MAX },
    (_, index) => sorted[Math.round((index * last) / (CURVES_MAX - 1))]!,
  );
}

function rateChart({ perSecond }: Step, batch: number): string {
  const rates = perSecond.flatMap(({ sent, accepted }) => [sent * batch, accepted * batch]);
  const points = (of: (second: Step['perSecond'][number]) => number) =>
    perSecond.map((second) => [second.second, of(second) * batch] as const);
  return toChart({
    title: 'Second by second',
    x: linearAxis('seconds', perSecond.length, grouped),
    y: linearAxis('hits a second', Math.max(...rates, 1), grouped),
    series: [
      { name: 'accepted', points: points(({ accepted }) => accepted) },
      { name: 'sent', points: points(({ sent }) => sent) },
      {
        name: 'failed',
        isBad: true,
        points: points(({ refused, unanswered }) => refused + unanswered),
      },
    ],
  });
}

function timeChart({ perSecond }: Step): string {
  const values = perSecond.flatMap(({ p50, p99 }) => [p50, p99]).filter(Number.isFinite);
  if (values.length === 0) return '';
  return toChart({
    title: 'Latency over time',
    x: linearAxis('seconds', perSecond.length, grouped),
    y: logAxis('ms', { least: Math.min(...values), most: Math.max(...values) }, String),
    series: [
      { name: 'p50', points: perSecond.map(({ second, p50 }) => [second, p50] as const) },
      { name: 'p99', points: perSecond.map(({ second, p99 }) => [second, p99] as const) },
    ],
  });
}

function stepsTable(steps: readonly Step[]): string {
  const head = [
    ...['hits/s', 'accepted/s', 'p50', 'p90', 'p99', 'p99.9', 'longest', 'refused', 'unanswered'],
    ...['not sent', 'sent late, p99', 'own CPU'],
  ];
  const rows = steps.map((step) => [
    ...[grouped(step.rate), grouped(step.hitsPerSecond), ms(step.latency.p50)],
    ...[ms(step.latency.p90), ms(step.latency.p99), ms(step.latency.p999), ms(step.latency.max)],
    ...[grouped(step.hits.refused), grouped(step.hits.unanswered), grouped(step.hits.notSent)],
    ...[ms(step.sentLateP99), percent(step.ownCpuShare)],
  ]);
  return tableOf(head, rows);
}

function queriesTable({ queries }: LoadReport): string {
  if (queries.length === 0) return '';
  const head = ['statistic', 'asked', 'p50', 'p90', 'p99', 'p99.9', 'longest', 'failed'];
  const rows = queries.map(({ name, latency, failed }) => [
    ...[name, grouped(latency.count), ms(latency.p50), ms(latency.p90), ms(latency.p99)],
    ...[ms(latency.p999), ms(latency.max), grouped(failed)],
  ]);
  return tableOf(head, rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => line(row, 'td')).join('');
  return `<div class="wide"><table><thead>${line(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}
