/**
 * The picture of a run: how many times faster each statistic is than DuckDB, and what a hit costs
 * against the baseline server. Control plane; the only importer of echarts, which draws the SVG.
 */
import { BarChart } from 'echarts/charts';
import { GridComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { advantageOf, type Figure } from './figures.ts';
import { precise } from './text.ts';

use([BarChart, GridComponent, TitleComponent, SVGRenderer]);

const WIDTH = 900;
const BAR_HEIGHT = 18;
const HEAD_HEIGHT = 60;
const FOOT_HEIGHT = 40;
const LABEL_WIDTH = 300;
const COLOR = '#2563eb';
const BEHIND_COLOR = '#d97706';

/** One bar. */
interface Bar {
  name: string;
  value: number;
}

/**
 * The chart as the text of an SVG file.
 *
 * @returns null when a run has measured nothing that the chart shows.
 */
export function toSvg(figures: readonly Figure[]): string | null {
  const panels = [
    {
      title: 'Statistics without a filter: times faster than DuckDB',
      bars: advantages(figures),
      scale: 'log',
    },
    {
      title: 'Processor time per hit: times the baseline server',
      bars: costs(figures),
      scale: 'value',
    },
  ].filter(({ bars }) => bars.length > 0);
  if (panels.length === 0) return null;
  const heights = panels.map(({ bars }) => HEAD_HEIGHT + bars.length * BAR_HEIGHT + FOOT_HEIGHT);
  const tops = heights.map((_, index) =>
    heights.slice(0, index).reduce((sum, own) => sum + own, 0),
  );
  const height = heights.reduce((sum, own) => sum + own, 0);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: panels.map(({ title }, index) => {
      return { text: title, left: 12, top: tops[index]! + 16, textStyle: { fontSize: 15 } };
    }),
    grid: panels.map(({ bars }, index) => ({
      ...{ left: LABEL_WIDTH, right: 70, top: tops[index]! + HEAD_HEIGHT },
      height: bars.length * BAR_HEIGHT,
    })),
    xAxis: panels.map(({ scale }, index) => ({ type: scale, gridIndex: index })),
    yAxis: panels.map(({ bars }, index) => ({
      ...{ type: 'category', gridIndex: index, inverse: true, axisTick: { show: false } },
      ...{ data: bars.map(({ name }) => name), axisLabel: { interval: 0, fontSize: 11 } },
    })),
    series: panels.map(({ bars }, index) => series(bars, index)),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

function series(bars: readonly Bar[], index: number) {
  return {
    ...{ type: 'bar', xAxisIndex: index, yAxisIndex: index, barWidth: '60%' },
    data: bars.map(({ value }) => ({
      ...{ value, itemStyle: { color: value < 1 ? BEHIND_COLOR : COLOR } },
      label: { show: true, position: 'right', fontSize: 11, formatter: `${precise(value)} ×` },
    })),
  };
}

function advantages(figures: readonly Figure[]): Bar[] {
  return figures
    .filter(({ group, rival }) => group === 'Statistics, no filter' && rival !== undefined)
    .map((figure) => ({ name: figure.name, value: advantageOf(figure) }))
    .sort((left, right) => right.value - left.value);
}

function costs(figures: readonly Figure[]): Bar[] {
  return figures
    .filter(({ name, ratio }) => name === 'CPU per hit' && ratio !== undefined)
    .filter(({ group }) => /^(Single hits|Batches of \d+), durability \w+, /.test(group))
    .map(({ group, ratio }) => ({
      name: group.split(', ').slice(0, 2).join(', '),
      value: ratio?.median ?? Number.NaN,
    }));
}
