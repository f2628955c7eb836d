/** One mail of every kind, as it may well be: for pictures, and for tests of what all have in common. */
import type { Language } from '../../src/base/languages.ts';
import type { Letter } from '../../src/delivery/mail/letter/letter.ts';
import {
  goalLetter,
  spikeLetter,
  warningLetter,
  webhookLetter,
} from '../../src/delivery/mail/letters/notices.ts';
import {
  activationLetter,
  invitationLetter,
  passwordResetLetter,
  testLetter,
} from '../../src/delivery/mail/letters/people.ts';
import { type ReportFigures, reportLetter } from '../../src/delivery/mail/letters/report.ts';
import {
  exportReadyLetter,
  importDoneLetter,
  importFailedLetter,
} from '../../src/delivery/mail/letters/work.ts';

const TOKEN = 'Zk3QfJ0aB7cD9eF1gH2iJ4kL6mN8oP5q';
const SERVICE = 'https://stats.example.org';
const AT_MS = Date.UTC(2026, 10, 16, 6, 4, 30);
const DAY_MS = 86_400_000;

/** A week of a busy site. */
export const WEEK: ReportFigures = {
  ...{ from: '2026-11-09', to: '2026-11-15', scale: 'day' },
  visitors: { value: 12_431, growth: 0.184 },
  views: { value: 48_210, growth: 0.093 },
  sessions: { value: 15_877, growth: 0 },
  bounceRate: { value: 0.4127, growth: 0.051 },
  durationSeconds: { value: 141, growth: -0.024 },
  days: [1_702, 1_980, 2_114, 2_301, 1_877, 1_240, 1_217].map((visitors, index) => ({
    day: dayAfter('2026-11-09', index),
    visitors,
  })),
  pages: [
    { name: '/', count: 6_120 },
    { name: '/pricing', count: 2_984 },
    { name: '/blog/how-we-count-a-billion-hits-without-losing-a-single-one-of-them', count: 1_803 },
    { name: '/docs/getting-started', count: 902 },
    { name: '/über-uns', count: 311 },
  ],
  referrers: [
    { name: '', count: 5_210 },
    { name: 'Google', count: 4_022 },
    { name: 'news.ycombinator.com', count: 1_980 },
    { name: 'GitHub', count: 640 },
    { name: 'duckduckgo.com', count: 122 },
  ],
  countries: [
    { name: 'de', count: 5_402 },
    { name: 'us', count: 3_120 },
    { name: 'gb', count: 903 },
    { name: 'fr', count: 411 },
    { name: '', count: 12 },
  ],
  campaigns: [
    { name: 'autumn-sale', count: 822 },
    { name: 'newsletter-46', count: 301 },
  ],
  events: [
    { name: 'Sign up', count: 412 },
    { name: 'Download', count: 178 },
  ],
  goals: [
    {
      ...{ name: 'Bought', visitors: 412, conversionRate: 0.0331 },
      ...{ visitorTarget: 1_000, rateTarget: null },
    },
    {
      ...{ name: 'Saw a product', visitors: 8_122, conversionRate: 0.6534 },
      ...{ visitorTarget: null, rateTarget: null },
    },
  ],
};

const DAILY: ReportFigures = {
  ...WEEK,
  ...{ from: '2026-11-15', to: '2026-11-15' },
  visitors: { value: 1_217, growth: -0.31 },
};

const QUIET: ReportFigures = {
  ...{ from: '2026-11-15', to: '2026-11-15', scale: 'day' },
  visitors: { value: 0, growth: null },
  views: { value: 0, growth: null },
  sessions: { value: 0, growth: null },
  bounceRate: { value: 0, growth: null },
  durationSeconds: { value: 0, growth: null },
  days: Array.from({ length: 7 }, (_, index) => ({
    day: dayAfter('2026-11-09', index),
    visitors: 0,
  })),
  ...{ pages: [], referrers: [], countries: [], campaigns: [], events: [], goals: [] },
};

const MONTH: ReportFigures = {
  ...WEEK,
  ...{ from: '2026-10-19', to: '2026-11-15' },
  days: Array.from({ length: 28 }, (_, index) => ({
    day: dayAfter('2026-10-19', index),
    visitors: Math.round(1_500 + 700 * Math.sin(index / 2.2) - (index % 7 > 4 ? 420 : 0)),
  })),
};

const YEAR: ReportFigures = {
  ...WEEK,
  ...{ from: '2025-11-17', to: '2026-11-15', scale: 'week' },
  days: Array.from({ length: 52 }, (_, index) => ({
    day: dayAfter('2025-11-17', index * 7),
    visitors: 9_000 + index * 60 + (index % 5) * 500,
  })),
};

/** What names may be without being hostile: long, without a blank, from right to left, of other planes. */
const NAMES = [
  `/${'a-path-that-somebody-generated-and-that-has-no-end-'.repeat(4)}`,
  'https://www.example-with-a-very-long-name-of-a-host.example.org/?q=1234567890&session=abcdefghijk',
  '/مقالات/كيف-نحسب-مليار-زيارة-من-دون-أن-نفقد-واحدة',
  'ברוכים הבאים (2026) – 50% הנחה!',
  '日本語のとても長いページの題名がここに書かれていて折り返しが必要です。日本語のとても長い題名',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  '👩‍👩‍👧‍👦 Familie & Co. <KG>',
];

const NAMED: ReportFigures = {
  ...WEEK,
  visitors: { value: 123_456_789, growth: 12.5 },
  views: { value: 1_234_567_890, growth: -1 },
  durationSeconds: { value: 86_399, growth: 0.5 },
  days: WEEK.days.map((day, index) => ({ ...day, visitors: 10 ** index })),
  pages: NAMES.slice(0, 5).map((name, index) => ({ name, count: 10 ** (8 - 2 * index) })),
  referrers: NAMES.slice(1, 6).map((name, index) => ({ name, count: 5 - index })),
  countries: [
    { name: 'ba', count: 1_000 },
    { name: 'vc', count: 20 },
    { name: '', count: 1 },
  ],
  campaigns: NAMES.slice(3).map((name, index) => ({ name, count: 7 - index })),
  events: [],
  goals: NAMES.map((name, index) => ({
    ...{ name, visitors: 10 ** index, conversionRate: 0.123 },
    ...{ visitorTarget: 2_000_000, rateTarget: index % 2 === 0 ? 12.5 : null },
  })),
};

/** What others may write, all in one. */
export const HOSTILE = [
  `</td></table><script>alert(1)</script><img src=x onerror='alert("1")'>`,
  '" onmouseover="alert(1)" x="\r\nBcc: victim@example.org',
  '\u202Egnp.exe\u0000\u0007 &amp; &lt;b&gt; \ud800',
  'javascript:alert(1)',
];

/** Every mail of O-22 in a language, by what it is called; some twice, because there is more to see. */
export function sampleLetters(language: Language): Readonly<Record<string, Letter>> {
  const from = { language, host: 'stats.example.org' };
  const link = `${SERVICE}/activate?token=${TOKEN}`;
  const site = { language, host: 'shop.example', timezone: 'Europe/Berlin' };
  const end = { endLink: `${SERVICE}/api/v1/unsubscribe?token=${TOKEN}` };
  const page = { link: `${SERVICE}/shop-example` };
  const report = { ...site, ...end, ...page };
  const notice = { ...site, ...end, ...page };
  return {
    activation: activationLetter({ ...from, link, place: 'shop.example' }),
    'password-reset': passwordResetLetter({ ...from, link: `${SERVICE}/reset?token=${TOKEN}` }),
    invitation: invitationLetter({ ...from, link: `${SERVICE}/account`, place: 'Example Works' }),
    report: reportLetter({ ...report, interval: 1, figures: WEEK }),
    'report-daily': reportLetter({ ...report, interval: 0, figures: DAILY }),
    'report-quiet': reportLetter({ ...report, interval: 0, figures: QUIET }),
    'report-month': reportLetter({ ...report, interval: 4, figures: MONTH }),
    'report-year': reportLetter({ ...report, interval: 52, figures: YEAR }),
    'report-names': reportLetter({
      ...{ ...report, interval: 2, figures: NAMED },
      host: 'a-very-long-subdomain-of-a-customer.dashboards.shop-with-a-long-name.example',
    }),
    'spike-names': spikeLetter({
      ...{ ...notice, visitors: 1, threshold: 1, atMs: AT_MS },
      pages: NAMED.pages,
      referrers: NAMED.referrers,
    }),
    'warning-never': warningLetter({ ...notice, days: 1, lastHitMs: null }),
    'goal-names': goalLetter({
      ...{ ...notice, goal: NAMES[3] ?? '', sinceMs: AT_MS, isDeleted: false },
      targets: [
        { of: 'average', metric: NAMES[5] ?? '', reached: 123_456_789.25, target: 0.5 },
        { of: 'total', metric: NAMES[2] ?? '', reached: 1e15, target: 1e15 },
      ],
    }),
    'webhook-names': webhookLetter({
      ...{ ...notice, event: NAMES[2] ?? '', endpoint: NAMES[1] ?? '', failures: 100 },
      lastFault: `<html><body>${'x'.repeat(400)}</body></html>`,
    }),
    'invitation-names': invitationLetter({
      ...{ ...from, link: `${SERVICE}/account`, place: NAMES[5] ?? '' },
    }),
    spike: spikeLetter({
      ...{ ...notice, visitors: 523, threshold: 500, atMs: AT_MS },
      pages: WEEK.pages,
      referrers: WEEK.referrers.slice(0, 3),
    }),
    warning: warningLetter({ ...notice, days: 3, lastHitMs: AT_MS - 3 * DAY_MS }),
    goal: goalLetter({
      ...{ ...notice, goal: 'Bought', sinceMs: AT_MS - 40 * DAY_MS, isDeleted: true },
      targets: [
        { of: 'visitors', metric: '', reached: 1_004, target: 1_000 },
        { of: 'rate', metric: '', reached: 3.31, target: 3 },
        { of: 'total', metric: 'price', reached: 81_233.5, target: 80_000 },
      ],
    }),
    webhook: webhookLetter({
      ...{ ...notice, event: 'Sign up', endpoint: 'https://hooks.example.org/footfall' },
      ...{ failures: 100, lastFault: '503 Service Unavailable: upstream is away' },
    }),
    'import-done': importDoneLetter({
      ...{ ...site, ...page, source: 'Plausible', rows: 1_204_311 },
      to: '2026-10-31',
    }),
    'import-failed': importFailedLetter({
      ...{ ...site, ...page },
      fault: 'imported_pages.csv, line 1,203: “visitors” is no number',
    }),
    'export-ready': exportReadyLetter({
      ...{ ...site, ...page, rows: 48_120_992, bytes: 1_834_221_004 },
      untilMs: AT_MS + 7 * DAY_MS,
    }),
    test: testLetter(from),
  };
}

/** The same where every text that others write is hostile. */
export function hostileLetters(language: Language): readonly Letter[] {
  return HOSTILE.flatMap((text) => {
    const site = { language, host: text, timezone: 'UTC', link: text, endLink: text };
    const rows = [{ name: text, count: 3 }];
    const figures: ReportFigures = {
      ...{ ...WEEK, pages: rows, referrers: rows, countries: rows, campaigns: rows, events: rows },
      goals: [
        {
          ...{ name: text, visitors: 1, conversionRate: 1 },
          ...{ visitorTarget: 0.1, rateTarget: 1 },
        },
      ],
    };
    return [
      activationLetter({ language, host: text, link: text, place: text }),
      passwordResetLetter({ language, host: text, link: text }),
      invitationLetter({ language, host: text, link: text, place: text }),
      reportLetter({ ...site, interval: 1, figures }),
      spikeLetter({ ...site, visitors: 1, threshold: 1, atMs: 0, pages: rows, referrers: rows }),
      warningLetter({ ...site, days: 1, lastHitMs: null }),
      goalLetter({
        ...{ ...site, goal: text, sinceMs: 0, isDeleted: false },
        targets: [{ of: 'total', metric: text, reached: 2, target: 1 }],
      }),
      webhookLetter({ ...site, event: text, endpoint: text, failures: 100, lastFault: text }),
      importDoneLetter({ ...site, source: text, rows: 1, to: '2026-01-01' }),
      importFailedLetter({ ...site, fault: text }),
      exportReadyLetter({ ...site, rows: 1, bytes: 1, untilMs: 0 }),
      testLetter({ language, host: text }),
    ];
  });
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
