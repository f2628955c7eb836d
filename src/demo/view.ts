/**
 * The live view: one reading drawn as lines of text, and the terminal that shows them.
 *
 * Control plane. Drawing is pure and returns lines; only `Screen` writes. On a terminal the lines
 * replace the ones before, on anything else there is one plain line a second.
 */
import { clearLine, clearScreenDown, cursorTo } from 'node:readline';
import type { WriteStream } from 'node:tty';
import type { Entry, Reading } from './watch.ts';

/** Everything the view shows: the reading and what the client itself has measured. */
export interface Picture {
  address: string;
  /** Sets a password, once, and leads to the dashboard. */
  link: string;
  elapsedSeconds: number;
  acknowledged: number;
  /** Acknowledged hits a second, the newest last. */
  perSecond: readonly number[];
  latencyMsP50: number;
  latencyMsP99: number;
  /** Requests refused or without an answer. */
  troubled: number;
  reading: Reading;
}

const SPARKS = '▁▂▃▄▅▆▇█';
const COLUMNS_MIN = 60;
const COLUMNS_MAX = 120;
const ENTER_ALTERNATE_SCREEN = '\x1b[?1049h\x1b[?25l';
const LEAVE_ALTERNATE_SCREEN = '\x1b[?25h\x1b[?1049l';

const bold = (text: string) => `\x1b[1m${text}\x1b[22m`;
const dim = (text: string) => `\x1b[2m${text}\x1b[22m`;
const green = (text: string) => `\x1b[32m${text}\x1b[39m`;
const red = (text: string) => `\x1b[31m${text}\x1b[39m`;

/** A number as people read it: 12,345. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** One bar per value, scaled to the largest. */
export function sparkline(values: readonly number[]): string {
  const largest = Math.max(1, ...values);
  return values
    .map((value) => SPARKS.charAt(Math.round((value / largest) * (SPARKS.length - 1))))
    .join('');
}

/**
 * The view of one moment, for a terminal.
 *
 * @param columns width of the terminal; wider lists than `COLUMNS_MAX` help nobody.
 */
export function drawView(picture: Picture, columns: number): string[] {
  const width = Math.min(Math.max(columns, COLUMNS_MIN), COLUMNS_MAX);
  const { reading, perSecond } = picture;
  const trouble = `refused or lost ${grouped(picture.troubled)}`;
  return [
    `${bold('Footfall')} ${picture.address}  ${dim(clock(picture.elapsedSeconds))}  ${dim('Ctrl-C ends')}`,
    // Whole however narrow the terminal is: half a link leads nowhere.
    `in a browser ${picture.link}`,
    '',
    `acknowledged ${bold(grouped(picture.acknowledged))} hits  ` +
      `${bold(grouped(perSecond.at(-1) ?? 0))}/s  ${green(sparkline(perSecond))}`,
    `collection   p50 ${milliseconds(picture.latencyMsP50)}  ` +
      `p99 ${milliseconds(picture.latencyMsP99)}  ` +
      (picture.troubled === 0 ? dim(trouble) : red(trouble)),
    '',
    dim(row(['site', 'now', 'visitors', 'views', 'sessions', 'bounce'], '  today')),
    ...reading.sites.map((site) =>
      row([
        site.hostname,
        grouped(site.activeVisitors),
        grouped(site.visitors),
        grouped(site.views),
        grouped(site.sessions),
        `${Math.round(site.bounceRate * 100)} %`,
      ]),
    ),
    '',
    ...drawFocus(reading.focus, width),
  ];
}

function drawFocus(focus: Reading['focus'], width: number): string[] {
  const wide = Math.floor(width * 0.34);
  const narrow = Math.floor((width - 2 * wide) / 2) - 2;
  const lists = [
    drawList('pages now', focus.activePages, wide),
    drawList('pages today', focus.pages, wide),
    drawList('referrers', focus.referrers, Math.max(narrow, 12)),
    drawList('countries', focus.countries, Math.max(narrow - 2, 9)),
  ];
  const height = Math.max(...lists.map((list) => list.length));
  const lines = Array.from({ length: height }, (_, line) =>
    lists.map((list) => list[line] ?? ' '.repeat(list[0]?.length ?? 0)).join(' '),
  );
  return [bold(focus.hostname), ...lines.map((line, index) => (index === 0 ? dim(line) : line))];
}

function drawList(title: string, entries: readonly Entry[], width: number): string[] {
  const lines = entries.map(({ name, visitors }) => {
    const count = grouped(visitors);
    return `${padded(name, width - count.length - 1)} ${count}`;
  });
  return [padded(title, width), ...lines];
}

function row(cells: readonly string[], after = ''): string {
  const [first = '', ...rest] = cells;
  return padded(first, 16) + rest.map((cell) => cell.padStart(10)).join('') + after;
}

function padded(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}

function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${String(minutes).padStart(2, '0')}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** The view of one moment on one line, for a file or a pipe. */
export function summaryLine(picture: Picture): string {
  const { reading } = picture;
  const sites = reading.sites.map((site) => `${site.hostname} ${site.activeVisitors}`).join(', ');
  const top = reading.focus.activePages[0];
  return (
    `${clock(picture.elapsedSeconds)} acknowledged ${picture.acknowledged} ` +
    `(${picture.perSecond.at(-1) ?? 0}/s) p50 ${milliseconds(picture.latencyMsP50)} ` +
    `p99 ${milliseconds(picture.latencyMsP99)} troubled ${picture.troubled} · visitors now ${sites}` +
    (top === undefined ? '' : ` · top page ${reading.focus.hostname}${top.name} ${top.visitors}`)
  );
}

/** Shows pictures until it is closed; leaves the terminal as it was. */
export class Screen {
  readonly #out: WriteStream;

  constructor(out: WriteStream) {
    this.#out = out;
    if (out.isTTY) out.write(ENTER_ALTERNATE_SCREEN);
  }

  /** Replaces what is shown. */
  show(picture: Picture): void {
    if (!this.#out.isTTY) {
      this.#out.write(`${summaryLine(picture)}\n`);
      return;
    }
    const lines = drawView(picture, this.#out.columns).slice(0, this.#out.rows - 1);
    cursorTo(this.#out, 0, 0);
    for (const line of lines) {
      this.#out.write(line);
      clearLine(this.#out, 1);
      this.#out.write('\n');
    }
    clearScreenDown(this.#out);
  }

  /** Gives the terminal back. */
  close(): void {
    if (this.#out.isTTY) this.#out.write(LEAVE_ALTERNATE_SCREEN);
  }
}
