/** The health of a training run as lines of the terminal. */
import type { Finding } from "../../server/formats/health/health.js";

/** Returns a line for each finding that is not green, or one line if all are. */
export function healthLines(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const notGreen = findings.filter(({ level }) => level !== "green");
  if (notGreen.length === 0) return [`health  green  ${findings.map(({ check }) => check).join(", ")}`];
  return notGreen.map(({ check, level, cause, change }) => {
    const remedy = change === null ? "" : ` ${change.replaceAll("`", "")}`;
    return `health  ${level.padEnd(5)}  ${check}: ${cause}${remedy}`;
  });
}
