/** The chart as a table, for those who cannot see it, or want to copy it. */
import { word } from '../../words/words.ts';
import type { Drawn } from './plot.ts';

interface Given {
  readonly drawn: Drawn;
  /** What a point is: an hour, a day. */
  readonly scale: string;
  readonly name: string;
}

export function PointTable({ drawn: { points, before, told }, scale, name }: Given) {
  const hasBefore = before.length > 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section class="table-scroll" tabIndex={0} aria-label={name}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{scale}</th>
            <th scope="col" class="number">
              {name}
            </th>
            {hasBefore && <th scope="col">{word('compare')}</th>}
            {hasBefore && (
              <th scope="col" class="number">
                {name}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {points.map((point, index) => (
            <tr key={point.key}>
              <th scope="row">{point.label}</th>
              <td class="number">{point.value === null ? '–' : told(point.value)}</td>
              {hasBefore && <td>{before[index]?.label}</td>}
              {hasBefore && (
                <td class="number">
                  {before[index]?.value == null ? '' : told(before[index].value)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
