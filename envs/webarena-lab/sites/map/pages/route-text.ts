/** Texts about a route. */

/** Formats a length in metres: `850m`, `8.5km` or `85km`. */
export function distanceText(metres: number): string {
  if (metres < 1_000) return `${Math.round(metres)}m`;
  const kilometres = metres / 1_000;
  return kilometres < 10 ? `${kilometres.toFixed(1)}km` : `${Math.round(kilometres)}km`;
}

/** Formats a duration in hours and minutes: `1:05`. */
export function timeText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}:${`${minutes % 60}`.padStart(2, "0")}`;
}
