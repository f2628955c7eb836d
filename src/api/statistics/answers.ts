/**
 * The schemas of what statistics answer: a row per column of the table of statistics.
 *
 * The columns of a list stand in its row of `query/answers/`; those whose answer is no such list are
 * described here. A field that is missing, of another type or not named is no answer of ours.
 */
import {
  anyObject,
  boolean,
  either,
  exactly,
  integer,
  listOf,
  mapOf,
  nullable,
  number,
  type ObjectOf,
  type Schema,
  string,
  timestamp,
} from '../../base/schema.ts';
import { wireSchema } from '../../control/descriptor/wire.ts';
import { funnel } from '../../control/resources/funnel.ts';
import { goal } from '../../control/resources/goal.ts';
import { SHOWN_DIMENSIONS } from '../../query/answers/sessions/session-fields.ts';
import { SCALES } from '../../query/question/calendar.ts';
import type { Field, Statistic } from '../../query/question/statistics.ts';

/** A count: nothing is ever below none. */
const count: Schema<number> = { ...integer, minimum: 0 };
/** A part of a whole, as a fraction. */
const share: Schema<number> = { ...number, minimum: 0, maximum: 1 };

/** Numbers whose name says that they are a share; those of metrics may be any number. */
const SHARES = /^relative_|_rate$/;
const ANY_NUMBERS = /^(cr|custom_metric_avg|custom_metric_total)$/;

const TOTALS = {
  ...{ visitors: count, views: count, sessions: count, bounces: count },
  ...{ bounce_rate: share, cr: number, custom_metric_avg: number, custom_metric_total: number },
};
/** One of them is set, by the scale. */
const BUCKET = Object.fromEntries(SCALES.map((scale) => [scale, nullable(timestamp)]));
const SERIES = listOf(exactly({ ...BUCKET, ...TOTALS }));
const SECONDS = { average_time_spent_seconds: count };

const PLATFORM = exactly({
  ...{ platform_desktop: count, platform_mobile: count, platform_unknown: count },
  relative_platform_desktop: share,
  relative_platform_mobile: share,
  relative_platform_unknown: share,
});

const GROWTHS = [
  ...['visitors_growth', 'views_growth', 'sessions_growth', 'bounces_growth'],
  ...['time_spent_growth', 'cr_growth', 'custom_metric_avg_growth', 'custom_metric_total_growth'],
];

const OVERVIEW = exactly({
  ...{ visitors: count, views: count },
  ...{ visitors_growth: number, visitor_growth: number, views_growth: number },
  ...{ member: count, visitors_time_series: SERIES },
});

const GOAL_FIGURES = exactly({ visitors: count, views: count, cr: number });
const METRIC_FIGURES = { custom_metric_avg: number, custom_metric_total: number };
const GOAL = exactly({
  page_goal: wireSchema(goal),
  stats: either(GOAL_FIGURES, exactly({ ...GOAL_FIGURES.properties, ...METRIC_FIGURES })),
});

const FUNNEL = exactly({
  definition: wireSchema(funnel),
  data: listOf(
    exactly({
      ...{ step: count, visitors: count, relative_visitors: number, previous_visitors: count },
      ...{ relative_previous_visitors: number, dropped: integer, drop_off: number },
    }),
  ),
});

/** What page views and events of a session say alike: texts of its dimensions among it. */
const ITEM = {
  ...{ visitor_id: string, session_id: count, time: timestamp, duration_seconds: number },
  ...{ path: string, title: string, desktop: boolean, mobile: boolean },
  ...Object.fromEntries(SHOWN_DIMENSIONS.map(([name]) => [name, string])),
};
const texts = listOf(string);
/** Null where the item is of the other kind. */
const orNull = (schema: ObjectOf): Schema => either(schema, { type: 'null' });
const DETAILS = exactly({
  page_view: orNull(exactly({ ...ITEM, tag_keys: texts, tag_values: texts })),
  event: orNull(exactly({ ...ITEM, name: string, meta_keys: texts, meta_values: texts })),
});

/** Statistics whose answers are not the rows that their fields tell, by name. */
const OTHERS: Readonly<Record<string, Schema>> = {
  total: exactly(TOTALS),
  visitor: SERIES,
  growth: exactly(Object.fromEntries(GROWTHS.map((name) => [name, number]))),
  overview: OVERVIEW,
  hours: listOf(exactly({ hour: count, ...TOTALS })),
  'hours/week': listOf(exactly({ weekday: count, hour: count, ...TOTALS })),
  minutes: listOf(exactly({ minute: count, ...TOTALS })),
  'duration/session': listOf(exactly({ ...BUCKET, ...SECONDS })),
  'duration/page': listOf(exactly({ ...BUCKET, path: string, ...SECONDS })),
  platform: PLATFORM,
  goals: listOf(GOAL),
  funnel: FUNNEL,
  keywords: listOf(
    exactly({ keys: texts, clicks: count, impressions: count, ctr: share, position: number }),
  ),
  'session/details': listOf(DETAILS),
};

/** The schema of a statistic's answer, also with `explain=1`. */
export function answerSchema(statistic: Statistic): Schema {
  const schema = plainSchema(statistic);
  return either(
    schema,
    exactly({ plan: anyObject, segments: listOf(anyObject), ms: number, answer: schema }),
  );
}

function plainSchema(statistic: Statistic): Schema {
  const { name, period } = statistic;
  if (period === 'last seconds') return exactly({ stats: rowsOf(statistic), visitors: count });
  if (name.startsWith('options/')) return texts;
  return OTHERS[name] ?? rowsOf(statistic);
}

function rowsOf({ fields }: Statistic): Schema {
  return listOf(exactly(Object.fromEntries(fields.map((field) => [field.name, columnOf(field)]))));
}

function columnOf({ name, type }: Field): Schema {
  switch (type) {
    case 'number':
      if (SHARES.test(name)) return share;
      return ANY_NUMBERS.test(name) || name === 'average_duration_seconds' ? number : count;
    case 'flag':
      return boolean;
    case 'list':
      return texts;
    case 'object':
      return name === 'meta' ? mapOf(string) : anyObject;
    case 'text':
      return name === 'time' || name === 'start' ? timestamp : string;
  }
}
