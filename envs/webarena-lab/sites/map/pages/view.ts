/** The visible part of the map. */
import { towns } from "../../../seed/region.js";
import type { LatLon } from "../atlas/data.js";

export interface View {
  centre: LatLon;
  /** Zoom level. Each level doubles the scale of the previous level, and level 8 shows the whole country. */
  zoom: number;
}

export const width = 900;
export const height = 660;
export const leastZoom = 7;
export const mostZoom = 18;

/** Cache of positions on a world map with a width and height of 1. */
const units = new WeakMap<LatLon, readonly [x: number, y: number]>();

function unitOf(point: LatLon): readonly [x: number, y: number] {
  let unit = units.get(point);
  if (!unit) {
    const sine = Math.sin((point[0] * Math.PI) / 180);
    unit = [(point[1] + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
    units.set(point, unit);
  }
  return unit;
}

/** Returns the position of a point on the world map in pixels, in the Web Mercator projection. */
export function pixelsOf(point: LatLon, zoom: number): [x: number, y: number] {
  const size = 256 * 2 ** zoom;
  const [x, y] = unitOf(point);
  return [x * size, y * size];
}

export function country(): View {
  return fitted(towns.map(({ latitude, longitude }) => [latitude, longitude]));
}

/** Returns the view with the highest zoom level that shows all points. */
export function fitted(points: readonly LatLon[], closest = 17): View {
  const lats = points.map(([lat]) => lat);
  const lons = points.map(([, lon]) => lon);
  const [low, high] = [Math.min(...lats), Math.max(...lats)];
  const [left, right] = [Math.min(...lons), Math.max(...lons)];
  for (let zoom = closest; zoom > leastZoom; zoom--) {
    const [x, y] = pixelsOf([low, left], zoom);
    const [otherX, otherY] = pixelsOf([high, right], zoom);
    if (otherX - x <= width - 90 && y - otherY <= height - 90)
      return { centre: [(low + high) / 2, (left + right) / 2], zoom };
  }
  return { centre: [(low + high) / 2, (left + right) / 2], zoom: leastZoom };
}

/** Returns the view in the query of a URL, or the usual view if the query has no valid view. */
export function viewOf(query: (name: string) => string | undefined, usual: () => View): View {
  const [lat, lon, zoom] = [query("lat"), query("lon"), query("zoom")].map((text) =>
    text ? Number(text) : Number.NaN,
  );
  if (lat === undefined || lon === undefined || zoom === undefined) return usual();
  const isSound = Math.abs(lat) <= 80 && Math.abs(lon) <= 180 && zoom >= leastZoom && zoom <= mostZoom;
  return isSound ? { centre: [lat, lon], zoom: Math.round(zoom) } : usual();
}

/** Returns a view that is moved by a number of pixels. */
export function shifted({ centre: [lat, lon], zoom }: View, right: number, down: number): View {
  const perPixel = 360 / (256 * 2 ** zoom);
  const up = -down * perPixel * Math.cos((lat * Math.PI) / 180);
  return { centre: [round(lat + up), round(lon + right * perPixel)], zoom };
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

/** Returns the edges of a view in degrees. */
export interface Bounds {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** @param margin additional margin around the view in pixels */
export function boundsOf(view: View, margin: number): Bounds {
  const corner = (right: number, down: number) => shifted(view, right, down).centre;
  const [south, west] = corner(-width / 2 - margin, height / 2 + margin);
  const [north, east] = corner(width / 2 + margin, -height / 2 - margin);
  return { south, north, west, east };
}

export function isWithin([lat, lon]: LatLon, { south, north, west, east }: Bounds): boolean {
  return lat > south && lat < north && lon > west && lon < east;
}
