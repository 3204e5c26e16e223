import type { EpisodeEnd, Verdict } from "../env.js";
import { counted, listed, span } from "../shared/verdicts/words.js";
import type { Assistant } from "./env.js";
import { type Fault, mostDisturbances, wantedIn } from "./situation.js";

const faults: Readonly<Record<Fault, string>> = {
  busy: "at a bad time",
  unwanted: "not wanted",
  wrong: "wrong",
  twice: "twice",
  late: "late",
};

/** States the wanted proposals that are missing, and the disturbances with their reasons. */
export function verdict({ situation }: Assistant, end: EpisodeEnd): Verdict {
  if (!situation) return { why: "No day was set." };
  const { day, accepted, disturbances } = situation;
  const expected = wantedIn(day).flatMap(({ wanted }) => wanted ?? []);
  const missing = expected.filter((proposal) => !accepted.includes(proposal));
  const parts = [`Made ${accepted.length} of ${counted(expected.length, "wanted proposal")} ${span(end)}`];
  if (missing.length > 0) parts.push(`missing: ${listed(missing)}`);
  if (disturbances.length > 0) {
    const told = disturbances.map(({ proposal, fault }) => `${proposal} (${faults[fault]})`);
    const isOff = disturbances.length >= mostDisturbances;
    parts.push(`disturbed by ${listed(told)}${isOff ? ", so the user turned the assistant off" : ""}`);
  }
  return { why: `${parts.join("; ")}.`, expected };
}
