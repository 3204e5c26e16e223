/** Distances and directions. The country is small, so a plane approximates the surface. */
import type { LatLon } from "./data.js";

const metresPerDegree = 111_320;
/**
 * Width of a degree of longitude, relative to a degree of latitude. One value is enough, since the country spans little more
 * than a degree.
 */
const lonScale = Math.cos((44.9 * Math.PI) / 180);

/** Returns the distance in metres. */
export function distance([lat, lon]: LatLon, [otherLat, otherLon]: LatLon): number {
  return Math.hypot((lat - otherLat) * metresPerDegree, (lon - otherLon) * lonScale * metresPerDegree);
}

/** Returns the point moved by metres to the north and to the east. */
export function moved([lat, lon]: LatLon, north: number, east: number): LatLon {
  return [lat + north / metresPerDegree, lon + east / (metresPerDegree * lonScale)];
}

/** Returns the bearing in degrees clockwise from north. */
export function bearing([lat, lon]: LatLon, [otherLat, otherLon]: LatLon): number {
  return (Math.atan2((otherLon - lon) * lonScale, otherLat - lat) * 180) / Math.PI;
}

/** Interpolates between two points. */
export function between([lat, lon]: LatLon, [otherLat, otherLon]: LatLon, share: number): LatLon {
  return [lat + (otherLat - lat) * share, lon + (otherLon - lon) * share];
}

/**
 * Returns the point of a line that is nearest to another point. The result holds the position as a share of the line's
 * length, and the distance in metres.
 */
export function nearestOn(point: LatLon, from: LatLon, to: LatLon): { share: number; metres: number } {
  const [x, y] = [(to[1] - from[1]) * lonScale, to[0] - from[0]];
  const [px, py] = [(point[1] - from[1]) * lonScale, point[0] - from[0]];
  const square = x * x + y * y;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, (px * x + py * y) / square));
  return { share, metres: Math.hypot(px - share * x, py - share * y) * metresPerDegree };
}

/** Rounds coordinates to seven decimals, the precision in which the atlas stores coordinates. */
export function rounded([lat, lon]: LatLon): LatLon {
  return [Math.round(lat * 1e7) / 1e7, Math.round(lon * 1e7) / 1e7];
}
