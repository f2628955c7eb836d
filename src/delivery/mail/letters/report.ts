/** The report of a domain (O-31): every number is one that the API answers. Pure. */
import type { Language } from '../../../base/languages.ts';
import type { Bar, Block, Figure, Letter, Row, Tone } from '../letter/letter.ts';
import { shortened } from '../plain.ts';
import { Words } from '../words/words.ts';
import { type CountedRow, countedRows, dashboardButton, NAME_LENGTH_MAX } from './parts.ts';

/** A number with its growth (S-70); null: nothing to compare with. */
export interface Compared {
  readonly value: number;
  readonly growth: number | null;
}

/** A goal, with how far each of its targets is; null: it has no such target. */
export interface ReportGoal {
  readonly name: string;
  readonly visitors: number;
  readonly conversionRate: number;
  readonly visitorTarget: number | null;
  /** In percent. */
  readonly rateTarget: number | null;
}

/** What a report tells of a range of days. */
export interface ReportFigures {
  /** Its days, `2026-11-16`, both included, in the domain's time zone. */
  readonly from: string;
  readonly to: string;
  readonly visitors: Compared;
  readonly views: Compared;
  readonly sessions: Compared;
  readonly bounceRate: Compared;
  readonly durationSeconds: Compared;
  /** One per day; the last are those of the range. */
  readonly days: readonly { readonly day: string; readonly visitors: number }[];
  /** Days that one of those stands for. */
  readonly scale: 'day' | 'week';
  readonly pages: readonly CountedRow[];
  readonly referrers: readonly CountedRow[];
  /** By code. */
  readonly countries: readonly CountedRow[];
  readonly campaigns: readonly CountedRow[];
  readonly events: readonly CountedRow[];
  readonly goals: readonly ReportGoal[];
}

/** One report to one address. */
export interface ReportMail {
  readonly language: Language;
  /** What the domain is called (M-17). */
  readonly host: string;
  /** In weeks; 0 is daily. */
  readonly interval: number;
  readonly figures: ReportFigures;
  /** By `link_to`. */
  readonly link: string;
  readonly endLink: string;
}

/** Of a day the week around it is shown, or it would be one bar. */
const FEW_BARS = 8;

/** All of it. */
export function reportLetter(mail: ReportMail): Letter {
  const { language, host, interval, figures, link, endLink } = mail;
  const words = new Words(language);
  const range = words.days(figures.from, figures.to);
  return {
    language,
    subject: words.say('reportSubject', { host, visitors: figures.visitors.value, range }),
    preheader: words.say('reportPreheader', {
      views: figures.views.value,
      bounce: words.rate(figures.bounceRate.value),
      duration: words.seconds(figures.durationSeconds.value),
    }),
    about: `${titleOf(interval, words)} · ${range}`,
    heading: host,
    blocks: [
      { kind: 'figures', figures: figuresOf(figures, words) },
      barsOf(figures, words),
      ...listsOf(figures, words),
      dashboardButton(link, words),
    ],
    reason: words.say('reportReason', { host }),
    end: { label: words.say('endReport'), href: endLink },
  };
}

function titleOf(interval: number, words: Words): string {
  if (interval === 0) return words.say('daily');
  return interval === 1 ? words.say('weekly') : words.say('weeks', { weeks: interval });
}

function figuresOf(figures: ReportFigures, words: Words): Figure[] {
  const { visitors, views, sessions, bounceRate, durationSeconds } = figures;
  const counted = (key: 'visitors' | 'views' | 'sessions', of: Compared): Figure => ({
    label: words.say(key),
    value: words.count(of.value),
    change: changeOf(of.growth, 'better', words),
  });
  return [
    counted('visitors', visitors),
    counted('views', views),
    counted('sessions', sessions),
    {
      label: words.say('bounceRate'),
      value: words.rate(bounceRate.value),
      change: changeOf(bounceRate.growth, 'worse', words),
    },
    {
      label: words.say('duration'),
      value: words.seconds(durationSeconds.value),
      change: changeOf(durationSeconds.growth, 'better', words),
    },
  ];
}

/** @param more what it means when there is more of it. */
function changeOf(growth: number | null, more: Tone, words: Words): Figure['change'] {
  if (growth === null) return null;
  const text = words.change(growth);
  if (growth === 0) return { text, tone: 'same' };
  const less: Tone = more === 'better' ? 'worse' : 'better';
  return { text, tone: growth > 0 ? more : less };
}

function barsOf({ days, from, scale }: ReportFigures, words: Words): Block {
  const most = Math.max(1, ...days.map(({ visitors }) => visitors));
  const bars = days.map(
    ({ day, visitors }): Bar => ({
      label: words.barDay(day, scale === 'day' && days.length <= FEW_BARS),
      ...{ value: words.count(visitors), short: words.short(visitors) },
      share: visitors / most,
      isMarked: day >= from || scale === 'week',
    }),
  );
  return { kind: 'bars', title: words.say(scale === 'day' ? 'perDay' : 'perWeek'), bars };
}

function listsOf(figures: ReportFigures, words: Words): Block[] {
  const { pages, referrers, countries, campaigns, events, goals } = figures;
  const unknown = words.say('unknown');
  const places = countries.map(({ name, count }) => ({ name: words.country(name), count }));
  const lists: Block[] = [
    listOf('pages', countedRows(pages, unknown, words), words),
    listOf('referrers', countedRows(referrers, words.say('direct'), words), words),
    listOf('countries', countedRows(places, unknown, words), words),
    listOf('campaigns', countedRows(campaigns, unknown, words), words),
    listOf('events', countedRows(events, unknown, words), words),
  ];
  if (goals.length > 0) lists.push(goalsOf(goals, words));
  return lists;
}

/** What is said instead of rows. */
const EMPTY = {
  pages: 'noPages',
  referrers: 'noReferrers',
  countries: 'noCountries',
  campaigns: 'noCampaigns',
  events: 'noEvents',
} as const;

function listOf(title: keyof typeof EMPTY, rows: readonly Row[], words: Words): Block {
  const empty = words.say(EMPTY[title]);
  return { kind: 'list', title: words.say(title), unit: words.say('visitors'), rows, empty };
}

/** The bar is the way to the target that is furthest off; without one, the part of all visitors. */
function goalsOf(goals: readonly ReportGoal[], words: Words): Block {
  const rows = goals.map((goal): Row => {
    const { visitors, conversionRate, visitorTarget, rateTarget } = goal;
    const shares = [
      ...(visitorTarget === null ? [] : [visitors / visitorTarget]),
      ...(rateTarget === null ? [] : [(conversionRate * 100) / rateTarget]),
    ];
    const target = [
      ...(visitorTarget === null ? [] : [words.count(visitorTarget)]),
      ...(rateTarget === null ? [] : [words.rate(rateTarget / 100)]),
    ].join(', ');
    const way = target === '' ? '' : `${words.say('ofTarget', { target })} · `;
    return {
      label: shortened(goal.name, NAME_LENGTH_MAX),
      value: words.count(visitors),
      share: shares.length === 0 ? conversionRate : Math.min(...shares),
      note: `${way}${words.rate(conversionRate)}`,
    };
  });
  return { kind: 'list', title: words.say('goals'), unit: words.say('visitors'), rows, empty: '' };
}
