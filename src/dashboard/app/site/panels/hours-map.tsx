/** The hours of the week: the darker, the more visitors; a table for those who cannot see it (D-12). */
import type { StatisticOf } from '../../data/batch.ts';
import { scrolled } from '../../parts/scrolled.ts';
import { dateOf, firstWeekday } from '../../view/days.ts';
import { count } from '../../words/format.ts';
import { language } from '../../words/language.ts';
import { word } from '../../words/words.ts';
import { answerOf, type SiteData } from '../site-data.ts';
import { usePart } from '../use-part.ts';

type Hour = StatisticOf<'hours/week'>[number];

/** A Monday, to name the days of the week by. */
const MONDAY = 4;
const WEEK_DAYS = 7;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Shades that can be told apart. */
const SHADES = 6;

const longDay = new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: 'long' });
const shortDay = new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: 'short' });
const clock = new Intl.DateTimeFormat(language, {
  ...{ timeZone: 'UTC', hour: '2-digit', minute: '2-digit' },
});

export function HoursMap({ data }: { data: SiteData }) {
  const rows = answerOf<readonly Hour[]>(
    usePart(data, (key) => key === 'hours'),
    'hours',
  );
  if (rows === null) return null;
  const visitors = new Map(rows.map((row) => [row.weekday * 24 + row.hour, row.visitors]));
  const largest = Math.max(0, ...visitors.values());
  if (largest === 0) return <p class="empty">{word('nothing')}</p>;
  const first = firstWeekday(language);
  const days = Array.from({ length: WEEK_DAYS }, (_, at) => (first + at) % WEEK_DAYS);
  // By the root, as on the map: most hours are far below the busiest one.
  const shadeOf = (value: number) =>
    value === 0 ? 0 : Math.max(1, Math.ceil(SHADES * Math.sqrt(value / largest)));
  return (
    <div class="scroll-x" {...scrolled(word('hoursPanel'))}>
      <table class="hours">
        <caption class="sr-only">{word('hoursCaption')}</caption>
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th scope="col" key={hour}>
                <span class={hour % 3 === 0 ? '' : 'sr-only'}>{hour}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day}>
              <th scope="row">
                <abbr title={longDay.format(dateOf(MONDAY + day))}>
                  {shortDay.format(dateOf(MONDAY + day))}
                </abbr>
              </th>
              {HOURS.map((hour) => {
                const value = visitors.get(day * 24 + hour) ?? 0;
                const when = `${longDay.format(dateOf(MONDAY + day))}, ${clock.format(hour * 3_600_000)}`;
                return (
                  <td
                    key={hour}
                    class={`shade-${shadeOf(value)}`}
                    title={`${when}: ${word('visitorsCount', { count: value })}`}
                  >
                    <span class="sr-only">{count(value)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="legend" aria-hidden="true">
        <span>0</span>
        {Array.from({ length: SHADES + 1 }, (_, shade) => (
          <i key={shade} class={`shade-${shade}`} />
        ))}
        <span>{word('visitorsCount', { count: largest })}</span>
      </p>
    </div>
  );
}
