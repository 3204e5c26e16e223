/** Distances and directions. The computations treat the country as a plane, because it is small. */
import type { LatLon } from "./data.js";

const metresPerDegree = 111_320;
/**
 * Length of a degree of longitude relative to a degree of latitude. One value is enough, because the country spans only
 * about one degree.
 */
const lonScale = Math.cos((44.9 * Math.PI) / 180);

/** Returns the distance between two points in meters. */
export function distance([lat, lon]: LatLon, [otherLat, otherLon]: LatLon): number {
  return Math.hypot((lat - otherLat) * metresPerDegree, (lon - otherLon) * lonScale * metresPerDegree);
}

/** Returns a point that is `north` and `east` meters from another point. */
export function moved([lat, lon]: LatLon, north: number, east: number): LatLon {
  return [lat + north / metresPerDegree, lon + east / (metresPerDegree * lonScale)];
}

/** Returns the direction from one point to another, in degrees clockwise from north. */
export function bearing([lat, lon]: LatLon, [otherLat, otherLon]: LatLon): number {
  return (Math.atan2((otherLon - lon) * lonScale, otherLat - lat) * 180) / Math.PI;
}

/** Interpolates between two points. */
export function between([lat, lon]: LatLon, [otherLat, otherLon]: LatLon, share: number): LatLon {
  return [lat + (otherLat - lat) * share, lon + (otherLon - lon) * share];
}

/**
 * Returns the point of a line segment that is nearest to another point: its position as a share of the segment's length
 * (0 to 1), and the distance in meters.
 */
export function nearestOn(point: LatLon, from: LatLon, to: LatLon): { share: number; metres: number } {
  const [x, y] = [(to[1] - from[1]) * lonScale, to[0] - from[0]];
  const [px, py] = [(point[1] - from[1]) * lonScale, point[0] - from[0]];
  const square = x * x + y * y;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, (px * x + py * y) / square));
  return { share, metres: Math.hypot(px - share * x, py - share * y) * metresPerDegree };
}

/** Rounds coordinates to seven decimals, which is the precision of all coordinates on the map. */
export function rounded([lat, lon]: LatLon): LatLon {
  return [Math.round(lat * 1e7) / 1e7, Math.round(lon * 1e7) / 1e7];
}
