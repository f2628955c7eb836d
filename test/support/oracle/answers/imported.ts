/** What imports add to the oracle's statistics (S-98). */
import type { Dimensions, ModelSum, PageView, Session, World } from '../world.ts';
import { addDays, firstInstant, localDate } from '../zone.ts';
import { passesPageFilters, passesSessionFilters } from './filters.ts';
import { atLeastOne, groupBy, type Row } from './lists.ts';
import type { Question } from './question.ts';

type Dimension = ModelSum['dimension'];
type Count = 'visitors' | 'views' | 'sessions' | 'bounces' | 'seconds';

/** The parameter of a filter and the dimension that it is about. */
const FILTERED: Readonly<Record<string, Dimension>> = {
  ...{ path: 'page', pattern: 'page', entry_path: 'entry', exit_path: 'exit' },
  ...{ referrer: 'referrer', referrer_name: 'referrer', platform: 'device' },
  ...{ language: 'language', country: 'country', region: 'region', city: 'city' },
  ...{ browser: 'browser', os: 'os', utm_source: 'utm_source', utm_medium: 'utm_medium' },
  utm_campaign: 'utm_campaign',
};
const OTHER_FILTER =
  /^(tag|event|event_meta_key|os_version|browser_version|screen_class|channel|hostname|device|utm_content|utm_term|tag_.*|meta_.*)$/;

/** The dimension that alone is filtered; '' when nothing is, null when something else is. */
export function filteredDimension({ values }: Question): Dimension | '' | null {
  const names = Object.keys(values);
  if (names.some((name) => OTHER_FILTER.test(name))) return null;
  if (values.visitor_id !== undefined && values.session_id !== undefined) return null;
  const dimensions = new Set(names.flatMap((name) => FILTERED[name] ?? []));
  if (dimensions.size > 1) return null;
  return [...dimensions][0] ?? '';
}

const DESKTOP = ['desktop'];
const MOBILE = ['mobile', 'tablet'];

/** A device as platforms name it (S-54). */
export function platformOf(device: string): Dimensions['platform'] {
  if (DESKTOP.includes(device)) return 'desktop';
  return MOBILE.includes(device) ? 'mobile' : 'unknown';
}

/** A sum as what the filters test: everything else about it is empty. */
function passes(question: Question, { dimension, value }: ModelSum): boolean {
  const of = (name: Dimension): string => (dimension === name ? value : '');
  const dimensions = {
    ...{ country: of('country'), region: of('region'), city: of('city'), os: of('os') },
    ...{ language: of('language'), referrer: '', referrerName: of('referrer') },
    ...{ browser: of('browser'), platform: platformOf(of('device')) },
    ...{ utmSource: of('utm_source'), utmMedium: of('utm_medium') },
    utmCampaign: of('utm_campaign'),
  };
  const session = { dimensions, entryPath: of('entry'), exitPath: of('exit') } as Session;
  const view = { session, path: of('page'), tags: {} } as unknown as PageView;
  return passesSessionFilters(question, session) && passesPageFilters(question, view);
}

/** Whether a range is of whole days: sums have no hours. */
function isWhole({ from, to, fromMs, toMs, zone }: Question): boolean {
  return fromMs === firstInstant(from, zone) && toMs === firstInstant(addDays(to, 1), zone);
}

/** The day of the first own row, in the domain's zone; from it on nothing is imported. */
function untilDate(question: Question, world: World): string {
  const times = [...world.pageViews, ...world.events].map(({ timeMs }) => timeMs);
  return times.length === 0 ? '9999' : localDate(Math.min(...times), question.domainZone);
}

/** The sums of a dimension that count for a question. */
export function sumsOf(question: Question, world: World, dimension: Dimension): ModelSum[] {
  const filtered = filteredDimension(question);
  if (!isWhole(question) || filtered === null) return [];
  if (filtered !== '' && filtered !== dimension) return [];
  const until = untilDate(question, world);
  const { from, to } = question;
  return world.imported.filter(
    (sum) =>
      world.shown.has(sum.id) &&
      sum.dimension === dimension &&
      sum.date >= from &&
      sum.date <= to &&
      sum.date < until &&
      passes(question, sum),
  );
}

/** The sums that make the totals of a question: of the days, or of what is filtered. */
export function totalSums(question: Question, world: World): ModelSum[] {
  return sumsOf(question, world, filteredDimension(question) || 'total');
}

/** The question without its filters: what S-5 is taken over. */
export function unfiltered(question: Question): Question {
  return { ...question, values: {} };
}

/** One figure of some sums. */
export function summed(sums: readonly ModelSum[], name: Count): number {
  return sums.reduce((total, sum) => total + sum[name], 0);
}

/** Totals with sums: rates are computed anew, but for cr. */
export function addSums(totals: Record<string, number>, sums: readonly ModelSum[]) {
  const sessions = (totals['sessions'] ?? 0) + summed(sums, 'sessions');
  const bounces = (totals['bounces'] ?? 0) + summed(sums, 'bounces');
  return {
    ...totals,
    visitors: (totals['visitors'] ?? 0) + summed(sums, 'visitors'),
    views: (totals['views'] ?? 0) + summed(sums, 'views'),
    ...{ sessions, bounces, bounce_rate: bounces / atLeastOne(sessions) },
  };
}

/**
 * Rows of a list with those of sums: rows that have the same texts are one.
 *
 * @param keys the texts that a row is told apart by.
 * @param rowOf a row of nothing but sums.
 * @param counts the figures that are added up.
 */
export function addRows(
  rows: readonly Row[],
  sums: readonly ModelSum[],
  of: { keys: readonly string[]; counts: readonly string[]; rowOf: (sums: ModelSum[]) => Row },
): Row[] {
  const groups = groupBy(sums, ({ value, country }) => JSON.stringify([value, country]));
  const all = [...rows];
  for (const [, members] of groups) {
    const more = of.rowOf(members);
    if (of.counts.every((name) => more[name] === 0)) continue;
    const at = all.findIndex((row) => of.keys.every((key) => row[key] === more[key]));
    if (at < 0) {
      all.push(more);
      continue;
    }
    const row = all[at] as Row;
    const added = of.counts.map((name) => [name, Number(row[name]) + Number(more[name])]);
    all[at] = { ...row, ...Object.fromEntries(added) };
  }
  return all;
}
