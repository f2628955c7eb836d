/** Countries by how many visitors they have; loaded when it is looked at. */
import { world } from 'footfall:world';
import { country as nameOf, shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import type { Row } from './tab.ts';

const DOT_RADIUS = 2.8;
/** The least of a country that has any: it must differ from one that has none. */
const SHADE_MIN = 0.15;

interface Given {
  readonly rows: readonly Row[];
  readonly onChoose: (code: string, isExcluded: boolean) => void;
}

export function WorldMap({ rows, onChoose }: Given) {
  const visitors = new Map(
    rows.map((row) => [String(row['country_code']).toUpperCase(), Number(row['visitors'])]),
  );
  const largest = Math.max(1, ...visitors.values());
  // By the root: a site has most visitors in few countries.
  const shadeOf = (letters: string): number => {
    const value = visitors.get(letters) ?? 0;
    return value === 0 ? 0 : Math.max(SHADE_MIN, Math.sqrt(value / largest));
  };
  const given = (letters: string) => {
    const value = visitors.get(letters) ?? 0;
    const shade = shadeOf(letters);
    return {
      class: value > 0 ? 'land has-visitors' : 'land',
      'data-country': letters,
      style: shade === 0 ? {} : { fill: 'var(--accent)', fillOpacity: String(shade) },
      ...(value > 0
        ? { onClick: (event: MouseEvent) => onChoose(letters.toLowerCase(), event.altKey) }
        : {}),
    };
  };
  const title = (letters: string) => (
    <title>{`${nameOf(letters)}: ${shortCount(visitors.get(letters) ?? 0)}`}</title>
  );
  return (
    <svg
      class="world"
      viewBox={`0 0 ${world.width} ${world.height}`}
      role="img"
      aria-label={word('map')}
    >
      {Object.entries(world.shapes).map(([letters, path]) => (
        <path key={letters} d={path} {...given(letters)}>
          {title(letters)}
        </path>
      ))}
      {Object.entries(world.dots)
        .filter(([letters]) => visitors.has(letters))
        .map(([letters, [x, y]]) => (
          <circle key={letters} cx={x} cy={y} r={DOT_RADIUS} {...given(letters)}>
            {title(letters)}
          </circle>
        ))}
    </svg>
  );
}
