/** Countries by how many visitors they have; loaded when it is looked at. */
import { world } from 'footfall:world';
import { useDrawnOnce } from '../../parts/drawn-once.ts';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { country as nameOf, shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import type { Row } from './tab.ts';

const DOT_RADIUS = 2.8;
/** Shades that can be told apart; the least of a country that has any differs from none. */
const SHADES = 20;
const SHADE_MIN = 3;

export function WorldMap({ rows }: { readonly rows: readonly Row[] }) {
  const drawOnce = useDrawnOnce();
  const visitors = new Map(
    rows.map((row) => [String(row['country_code']).toUpperCase(), Number(row['visitors'])]),
  );
  const largest = Math.max(1, ...visitors.values());
  const countryOf = (letters: string, shape: Shape) => {
    const value = visitors.get(letters) ?? 0;
    // By the root: a site has most visitors in few countries.
    const steps = Math.round(Math.sqrt(value / largest) * SHADES);
    const shade = value === 0 ? 0 : Math.max(SHADE_MIN, steps) / SHADES;
    return drawOnce(letters, `${value} ${shade}`, () =>
      drawCountry(letters, shape, { value, shade }),
    );
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list beside it has the same countries as buttons
    <svg
      class="world"
      viewBox={`0 0 ${world.width} ${world.height}`}
      role="img"
      aria-label={word('map')}
      onClick={choose}
    >
      {Object.entries(world.shapes).map(([letters, path]) => countryOf(letters, path))}
      {Object.entries(world.dots)
        .filter(([letters]) => visitors.has(letters))
        .map(([letters, place]) => countryOf(letters, place))}
    </svg>
  );
}

/** A path, or the place of a dot. */
type Shape = string | readonly [x: number, y: number];

function drawCountry(letters: string, shape: Shape, given: { value: number; shade: number }) {
  const { value, shade } = given;
  const shared = {
    key: letters,
    class: value > 0 ? 'land has-visitors' : 'land',
    'data-country': letters,
    style: shade === 0 ? {} : { fill: 'var(--accent)', fillOpacity: String(shade) },
    children: <title>{`${nameOf(letters)}: ${shortCount(value)}`}</title>,
  };
  if (typeof shape === 'string') return <path {...shared} d={shape} />;
  return <circle {...shared} cx={shape[0]} cy={shape[1]} r={DOT_RADIUS} />;
}

/** Filters by the country that was clicked, or by all others. */
function choose({ target, altKey }: MouseEvent): void {
  const land = (target as Element).closest<SVGElement>('.has-visitors');
  const value = land?.dataset['country']?.toLowerCase();
  if (value === undefined) return;
  const added = { name: 'country', operator: altKey ? '!' : '', value } as const;
  show({ filters: withFilter(view.value.filters, added) });
}
