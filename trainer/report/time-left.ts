/** The time left in a progress bar's line. */

/** Returns the end of a line, such as `, 3 min 20 s left`; empty when nothing is left or the time is unknown. */
export function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 1) return "";
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const text = hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
  return `, ${text} left`;
}
