/**
 * What the dashboard asks for one view of a site, in one batch (D-14).
 *
 * Control plane, tables; `test/bench/dashboard-view.test.ts` holds them against the page's own.
 */

/** A question of a batch. */
export type ViewQuestion = { readonly name: string } & Readonly<Record<string, unknown>>;

/** Days, both included, `YYYY-MM-DD`. */
export type DaySpan = Readonly<Record<'from' | 'to', string>>;

const ROWS = 10;
const ROWS_MAX = 100;
const PAGES = { include_avg_time_on_page: 'true', include_title: 'false' };

/** Panel → the list of it that is shown at first. */
const FIRST_LISTS: Readonly<Record<string, ViewQuestion>> = {
  pages: { name: 'page', ...PAGES },
  sources: { name: 'referrer' },
  campaigns: { name: 'utm/campaign' },
  places: { name: 'country' },
  technology: { name: 'browser' },
  events: { name: 'events' },
  tags: { name: 'tags' },
};

/** The lists behind the other tabs that need nothing to be picked first. */
const FURTHER_LISTS: readonly ViewQuestion[] = [
  { name: 'page/entry', ...PAGES },
  { name: 'page/exit', ...PAGES },
  ...['hostname', 'channel'].map((name) => ({ name })),
  { name: 'referrer', referrer: ['!null'] },
  ...['utm/source', 'utm/medium', 'utm/content', 'utm/term'].map((name) => ({ name })),
  ...['region', 'city', 'language'].map((name) => ({ name })),
  ...['browser/version', 'os', 'os/version', 'platform', 'screen', 'device'].map((name) => ({
    name,
  })),
  { name: 'event/page', event: '!null' },
  { name: 'event/list' },
];

const shown = (question: ViewQuestion): ViewQuestion => ({ ...question, limit: ROWS });

/**
 * Every question of a view as it is opened: totals beside those of the time before, the chart, a list
 * in each panel.
 *
 * @param before what totals are compared with.
 * @param isCompared whether the chart draws it, too.
 */
export function viewQuestions(
  range: DaySpan,
  before: DaySpan,
  isCompared: boolean,
): readonly ViewQuestion[] {
  const totals = [
    { name: 'total' },
    { name: 'duration/session', scale: 'year' },
    { name: 'growth' },
    { name: 'goals' },
  ];
  const compared = totals.filter(({ name }) => name !== 'growth');
  const years = { name: 'visitor', scale: 'year' };
  const series = { name: 'visitor', scale: 'day' };
  const all = { name: 'country', limit: ROWS_MAX };
  return [
    ...totals,
    ...compared.map((question) => ({ ...question, ...before })),
    ...(crossesYears(range) ? [years] : []),
    ...(crossesYears(before) ? [{ ...years, ...before }] : []),
    { ...series, ...range },
    ...(isCompared ? [{ ...series, ...before }] : []),
    ...Object.values(FIRST_LISTS).map(shown),
    ...[all, { ...all, offset: ROWS_MAX }],
    { name: 'session/list', limit: ROWS, sort: 'start', direction: 'desc' },
  ];
}

/** The same with the lists of all tabs, as somebody sees who opens each of them. */
export function allTabsQuestions(range: DaySpan, before: DaySpan): readonly ViewQuestion[] {
  return [
    ...viewQuestions(range, before, false),
    ...FURTHER_LISTS.map(shown),
    { name: 'hours/week' },
  ];
}

function crossesYears({ from, to }: DaySpan): boolean {
  return from.slice(0, 4) !== to.slice(0, 4);
}
