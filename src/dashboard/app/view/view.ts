/**
 * What is looked at: the address of the page is its state (D-13), so that back, forward, copy and
 * reload give the same view.
 */
import { computed, signal } from '@preact/signals';
import { dayOf, dayText } from './days.ts';
import { type Filter, filterOf, isFilter, textOf } from './filters.ts';
import {
  COMPARISONS,
  type Comparison,
  RANGES,
  type RangeName,
  SCALES,
  type Scale,
  type Span,
} from './range.ts';

/** The lines that can be drawn. */
export const METRICS = [
  'visitors',
  'views',
  'sessions',
  'bounceRate',
  'duration',
  'conversion',
] as const;
export type Metric = (typeof METRICS)[number];

/** How a chart is drawn. */
export const CHART_FORMS = ['lines', 'bars'] as const;
export type ChartForm = (typeof CHART_FORMS)[number];

/** One view of one site. */
export interface View {
  readonly range: RangeName;
  /** Of the range `custom`. */
  readonly custom: Span | null;
  /** Of one day: from minute to minute, `HH:MM`; '' is its end. */
  readonly fromTime: string;
  readonly toTime: string;
  readonly comparison: Comparison;
  readonly comparedWith: Span | null;
  /** '': the one that fits. */
  readonly scale: Scale | '';
  readonly metric: Metric;
  readonly form: ChartForm;
  /** Where the scrubber stands: the key of a point of the chart; '' is off. */
  readonly moment: string;
  readonly filters: readonly Filter[];
  /** The goal that conversions are counted of; '' is none. */
  readonly goal: string;
  /** Panel → its tab, where it is not the first; and what was picked within. */
  readonly tabs: Readonly<Record<string, string>>;
  /** What lies over the page: the panel all of whose rows are shown, a session; '': nothing. */
  readonly open: string;
  /** Of all rows: what is searched, their order (`field`, or `-field`: largest first), which page. */
  readonly search: string;
  readonly sort: string;
  readonly at: number;
}

/** The page with nothing over it. */
export const CLOSED = { open: '', search: '', sort: '', at: 0 } as const;

export const FIRST_VIEW: View = {
  range: '7d',
  custom: null,
  fromTime: '',
  toTime: '',
  comparison: 'none',
  comparedWith: null,
  scale: '',
  metric: 'visitors',
  form: 'lines',
  moment: '',
  filters: [],
  goal: '',
  tabs: {},
  ...CLOSED,
};

const TAB = 'tab.';
/** Pages of rows: beyond it is no page that anybody turns to. */
const AT_MAX = 1_000_000;

/** What an address shows. Unknown parameters and values are passed over. */
export function viewOf(search: string): View {
  const given = new URLSearchParams(search);
  const custom = spanOf(given, 'from', 'to');
  const range = oneOf([...RANGES, 'custom'], given.get('range'), '7d' as const);
  const tabs: Record<string, string> = {};
  const filters: Filter[] = [];
  for (const [name, value] of given) {
    if (name.startsWith(TAB)) tabs[name.slice(TAB.length)] = value;
    else if (isFilter(name) && value !== '') filters.push(filterOf(name, value));
  }
  return {
    range: custom !== null ? 'custom' : range === 'custom' ? '7d' : range,
    custom,
    fromTime: timeOf(given.get('from_time')),
    toTime: timeOf(given.get('to_time')),
    comparison: oneOf(COMPARISONS, given.get('compare'), 'none'),
    comparedWith: spanOf(given, 'compare_from', 'compare_to'),
    scale: oneOf<Scale | ''>(SCALES, given.get('scale'), ''),
    metric: oneOf(METRICS, given.get('metric'), 'visitors'),
    form: oneOf(CHART_FORMS, given.get('chart'), 'lines'),
    moment: momentOf(given.get('moment')),
    filters,
    goal: given.get('goal') ?? '',
    tabs,
    open: given.get('open') ?? '',
    search: given.get('search') ?? '',
    sort: given.get('sort') ?? '',
    at: Math.max(0, Math.min(AT_MAX, Number.parseInt(given.get('at') ?? '', 10) || 0)),
  };
}

/** The address of a view: what stands at its first value is left out. */
export function searchOf(view: View): string {
  const parts = new URLSearchParams();
  const put = (name: string, value: string, first: string) => {
    if (value !== first) parts.set(name, value);
  };
  if (view.range === 'custom' && view.custom !== null) {
    parts.set('from', dayText(view.custom.from));
    parts.set('to', dayText(view.custom.to));
  } else put('range', view.range, FIRST_VIEW.range);
  put('from_time', view.fromTime, '');
  put('to_time', view.toTime, '');
  put('compare', view.comparison, 'none');
  if (view.comparison === 'custom' && view.comparedWith !== null) {
    parts.set('compare_from', dayText(view.comparedWith.from));
    parts.set('compare_to', dayText(view.comparedWith.to));
  }
  put('scale', view.scale, '');
  put('metric', view.metric, 'visitors');
  put('chart', view.form, 'lines');
  put('moment', view.moment, '');
  put('goal', view.goal, '');
  for (const filter of view.filters) parts.append(filter.name, textOf(filter));
  for (const [panel, tab] of Object.entries(view.tabs)) if (tab !== '') parts.set(TAB + panel, tab);
  put('open', view.open, '');
  put('search', view.search, '');
  put('sort', view.sort, '');
  put('at', String(view.at), '0');
  const text = parts.toString();
  return text === '' ? '' : `?${text}`;
}

function spanOf(given: URLSearchParams, fromName: string, toName: string): Span | null {
  const from = dayOf(given.get(fromName) ?? '');
  const to = dayOf(given.get(toName) ?? '');
  if (Number.isNaN(from) || Number.isNaN(to)) return null;
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

function timeOf(text: string | null): string {
  return text !== null && /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : '';
}

/** `2026-11-22`, or `2026-11-22T14:30`. */
function momentOf(text: string | null): string {
  const [day = '', clock] = (text ?? '').split('T');
  const isMoment = !Number.isNaN(dayOf(day)) && (clock === undefined || timeOf(clock) !== '');
  return isMoment ? (text ?? '') : '';
}

function oneOf<Word extends string>(
  words: readonly Word[],
  given: string | null,
  otherwise: Word,
): Word {
  return words.includes(given as Word) ? (given as Word) : otherwise;
}

/** Where the page is; moved by `go` and by the browser's own buttons. */
export const place = signal({ path: location.pathname, search: location.search });

/** The view that the address shows. */
export const view = computed(() => viewOf(place.value.search));

/** The address of what is asked for the page itself: what lies over it asks by itself. */
export const askedSearch = computed(() => searchOf({ ...view.value, ...CLOSED }));

let mayGo = () => true;

/** From now on this is asked before the address changes: what was typed is not lost. */
export function guardLeaving(asks: () => boolean): void {
  mayGo = asks;
}

/** Asks whether what is shown may go. */
export function mayLeavePage(): boolean {
  return mayGo();
}

addEventListener('popstate', () => {
  if (!mayGo()) {
    history.pushState(null, '', place.value.path + place.value.search);
    return;
  }
  place.value = { path: location.pathname, search: location.search };
});

/** Another range begins anew: nothing of the one before that would not fit it stays. */
export function showRange(range: RangeName, custom: Span | null = null, times?: Times): void {
  const { fromTime = '', toTime = '' } = times ?? {};
  show({ range, custom, fromTime, toTime, scale: '', moment: '' });
}

type Times = Pick<View, 'fromTime' | 'toTime'>;

/** Goes to an address of this page. */
export function go(path: string, search = '', isReplaced = false): void {
  if (!mayGo()) return;
  const address = path + search;
  if (isReplaced) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  place.value = { path, search };
}

/** Changes what is looked at; the code of an access link stays in the address. */
export function show(change: Partial<View>, isReplaced = false): void {
  const access = new URLSearchParams(place.value.search).get('access');
  const search = searchOf({ ...view.value, ...change });
  const code =
    access === null ? '' : `${search === '' ? '?' : '&'}access=${encodeURIComponent(access)}`;
  go(place.value.path, search + code, isReplaced);
}
