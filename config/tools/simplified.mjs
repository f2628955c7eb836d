/** Fewer points for the same picture: of borders, those stay whose absence would be seen (Visvalingam). */

/**
 * A topology whose borders have fewer points. Neighbours share their border, so no gap opens.
 *
 * @param project a place as longitude and latitude to pixels.
 * @param areaMin square pixels: a point stays that makes so much of a difference.
 */
export function simplified(topology, project, areaMin) {
  const { transform, ...rest } = topology;
  const arcs = topology.arcs.map((arc) => simplifiedArc(decoded(arc, transform), project, areaMin));
  return { ...rest, arcs };
}

/** Steps between whole numbers as longitudes and latitudes. */
function decoded(arc, { scale, translate }) {
  let [x, y] = [0, 0];
  return arc.map(([right, up]) => {
    [x, y] = [x + right, y + up];
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

function simplifiedArc(places, project, areaMin) {
  const points = places.map((place) => ({ place, at: project(place) }));
  // An island stays an island.
  const isRing = points.length > 3 && String(places[0]) === String(places.at(-1));
  while (points.length > (isRing ? 4 : 2)) {
    const areas = points.slice(1, -1).map(({ at }, before) => {
      return areaOf(points[before].at, at, points[before + 2].at);
    });
    const least = Math.min(...areas);
    if (least >= areaMin) break;
    points.splice(areas.indexOf(least) + 1, 1);
  }
  return points.map(({ place }) => place);
}

function areaOf([ax, ay], [bx, by], [cx, cy]) {
  return Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
}
