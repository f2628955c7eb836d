/**
 * The pictures of a run for who has never heard of it: hits a second of Footfall and of what one would
 * write oneself, and milliseconds for a question beside DuckDB, in light and in dark. Control plane,
 * pure: drawn by hand, so that it is one file of SVG without a font or a script.
 */
import type { Figure } from './figures.ts';
import { grouped, precise } from './text.ts';

const WIDTH = 880;
const BAR_HEIGHT = 22;
const ROW_HEIGHT = 30;
const TITLE_HEIGHT = 62;
const LEFT = 290;
const RIGHT = 110;
const QUESTIONS = ['total', 'visitor by day', 'page', 'referrer', 'country'];

const COLORS = {
  light: { back: '#ffffff', text: '#1c2330', soft: '#5b6472', own: '#2563eb', other: '#b6bfcc' },
  dark: { back: '#0d1117', text: '#e6e9ee', soft: '#98a2b3', own: '#60a5fa', other: '#4b5563' },
} as const;
/** Of GitHub: what a reader has chosen there, or the system. */
export type Look = keyof typeof COLORS;

interface Bar {
  name: string;
  value: number;
  isOwn: boolean;
  text: string;
}

interface Panel {
  title: string;
  words: string;
  bars: Bar[];
}

/**
 * The picture as the text of an SVG file.
 *
 * @returns null when a run has measured nothing that it shows.
 */
export function toSvg(figures: readonly Figure[], look: Look): string | null {
  const panels = [hitsPanel(figures), questionsPanel(figures)].filter(
    ({ bars }) => bars.length > 0,
  );
  if (panels.length === 0) return null;
  const color = COLORS[look];
  let top = 8;
  const parts: string[] = [];
  for (const { title, words, bars } of panels) {
    parts.push(text({ x: 20, y: top + 26, size: 17, weight: 650, fill: color.text }, title));
    parts.push(text({ x: 20, y: top + 46, size: 13, weight: 400, fill: color.soft }, words));
    top += TITLE_HEIGHT;
    const most = Math.max(...bars.map(({ value }) => value));
    for (const { name, value, isOwn, text: said } of bars) {
      const width = Math.max(2, (value / most) * (WIDTH - LEFT - RIGHT));
      const weight = isOwn ? 600 : 400;
      const y = top + 16;
      parts.push(text({ x: LEFT - 12, y, size: 14, weight, fill: color.text, end: true }, name));
      const fill = isOwn ? color.own : color.other;
      const size = `width="${width.toFixed(1)}" height="${BAR_HEIGHT}"`;
      parts.push(`<rect x="${LEFT}" y="${top}" ${size} rx="4" fill="${fill}"/>`);
      parts.push(text({ x: LEFT + width + 8, y, size: 14, weight, fill: color.text }, said));
      top += ROW_HEIGHT;
    }
    top += 16;
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" ` +
    `font-family="system-ui,-apple-system,'Segoe UI',sans-serif">\n` +
    `<title>Footfall, measured: hits a second, milliseconds for a statistic</title>\n` +
    `<rect width="${WIDTH}" height="${top}" fill="${color.back}"/>\n${parts.join('\n')}\n</svg>\n`
  );
}

/** Of `macro/peers`, or where that was not run of `macro/ingest`: all on the same cores, the load too. */
function hitsPanel(figures: readonly Figure[]): Panel {
  const peers = figures.flatMap((figure) => {
    const who = /^(Footfall|SQLite|DuckDB): throughput$/.exec(figure.name)?.[1];
    return who === undefined ? [] : [{ figure, who }];
  });
  const own = figures.filter(
    ({ group, name }) =>
      name === 'throughput' && /durability sync, .* 3 views a visit$/.test(group),
  );
  const shown = peers.length > 0 ? peers : own.map((figure) => ({ figure, who: 'Footfall' }));
  const bars = shown.map(({ figure: { group, value }, who }) => {
    const isOwn = who === 'Footfall';
    const how = group.startsWith('Single') ? 'one by one' : 'batches of 100';
    const said = `${grouped(Number(value.median.toPrecision(3)))}/s`;
    const name = `${isOwn ? who : `a server into ${who}`}, ${how}`;
    return { name, value: value.median, isOwn, text: said };
  });
  const others = 'The others only store rows; Footfall also has sessions and statistics ready.';
  return {
    title: 'Hits a second, each on disk before it is answered',
    words: `More is better.${peers.length > 0 ? ` ${others}` : ' Two cores, the load program among them.'}`,
    bars,
  };
}

/** Of `macro/query`: a question over ten million page views, beside the same of DuckDB. */
function questionsPanel(figures: readonly Figure[]): Panel {
  const said = (ms: number) => `${precise(ms)} ms`;
  const found = figures.filter(
    ({ group, name }) => group === 'Statistics, no filter' && QUESTIONS.includes(name),
  );
  const bars = found.flatMap(({ name, value: { median: own }, rival }) => {
    const mine = { name: `${name}: Footfall`, value: own, isOwn: true, text: said(own) };
    if (rival === undefined) return [mine];
    const theirs = rival.value.median;
    return [mine, { name: 'DuckDB', value: theirs, isOwn: false, text: said(theirs) }];
  });
  const beside = found.some(({ rival }) => rival !== undefined)
    ? ' DuckDB has the same rows in memory, and two threads.'
    : '';
  return {
    title: 'Milliseconds until a statistic is answered',
    words: `10 million page views of 90 days. Less is better.${beside}`,
    bars,
  };
}

function text(
  at: { x: number; y: number; size: number; weight: number; fill: string; end?: boolean },
  words: string,
): string {
  const anchor = at.end === true ? ' text-anchor="end"' : '';
  const style = `font-size="${at.size}" font-weight="${at.weight}" fill="${at.fill}"${anchor}`;
  const safe = words.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<text x="${at.x.toFixed(0)}" y="${at.y}" ${style}>${safe}</text>`;
}
