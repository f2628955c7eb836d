/**
 * The world as paths, projected when the page is built: countries by their two letters, small states
 * as circles, since nobody could see or hit their outlines.
 *
 * Outlines: world-atlas (Natural Earth, public domain). The browser's own data know the two letters of
 * a country's number.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoArea, geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import { simplified } from './simplified.mjs';

const WIDTH = 560;
const HEIGHT = 269;
/** Square pixels below which a country is a circle. */
const AREA_MIN = 1.6;
/** A point of a border stays that makes a difference of so many square pixels. */
const POINT_AREA_MIN = 1;
const ANTARCTICA = '010';

const resolve = createRequire(import.meta.url).resolve;

function worldOf(detail) {
  return JSON.parse(readFileSync(resolve(`world-atlas/countries-${detail}.json`), 'utf8'));
}

function countriesOf(world) {
  return feature(world, world.objects.countries).features.filter(({ id }) => id !== ANTARCTICA);
}

/** `276` is `DE`; '' for what has no number. */
function lettersOf(id) {
  if (id === undefined) return '';
  const [tag = ''] = Intl.getCanonicalLocales(`und-${String(id).padStart(3, '0')}`);
  const letters = tag.slice('und-'.length);
  return /^[A-Z]{2}$/.test(letters) ? letters : '';
}

/** An outline by steps from point to point, which are short numbers: half of it is left, compressed a third less. */
function inSteps(outline) {
  return outline.replace(/M([^MZ]+)Z/g, (_, points) => {
    let [x, y] = [0, 0];
    const steps = points.split('L').map((point) => {
      const [toX, toY] = point.split(',').map(Number);
      const step = [toX - x, toY - y];
      [x, y] = [toX, toY];
      return step;
    });
    const [start, ...rest] = steps;
    const moved = rest.filter(([right, down]) => right !== 0 || down !== 0);
    const text = moved.map(([right, down]) => `${right}${down < 0 ? '' : ' '}${down}`);
    const line = text.join(' ').replaceAll(' -', '-');
    return line === '' ? '' : `M${start.join(' ')}l${line}z`;
  });
}

/** A module with `width`, `height`, `shapes` (letters → path) and `dots` (letters → place). */
export function mapModule() {
  const world = worldOf('110m');
  const fine = countriesOf(worldOf('50m'));
  const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], {
    type: 'FeatureCollection',
    features: countriesOf(world),
  });
  const coarse = countriesOf(simplified(world, projection, POINT_AREA_MIN));
  const path = geoPath(projection).digits(0);
  const shapes = {};
  for (const country of coarse) {
    const letters = lettersOf(country.id);
    const outline = path(country);
    if (letters !== '' && outline !== null)
      shapes[letters] = (shapes[letters] ?? '') + inSteps(outline);
  }
  const dots = {};
  for (const country of fine) {
    const letters = lettersOf(country.id);
    if (letters === '' || (shapes[letters] !== undefined && path.area(country) >= AREA_MIN))
      continue;
    if (geoArea(country) === 0) continue;
    dots[letters] = path.centroid(country).map((one) => Math.round(one));
  }
  const made = { width: WIDTH, height: HEIGHT, shapes, dots };
  return `export const world = ${JSON.stringify(made)};`;
}
