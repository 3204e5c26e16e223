/** Texts of a study, for the terminal and the paper. */
import { counted } from "../../../server/formats/counted.js";
import type { RepeatedMean } from "../../evaluation/statistics.js";
import type { Gain } from "./held-out.js";
import type { Study, StudyArm, StudyRow, StudySeed } from "./study.js";

/** Explanation of the intervals. */
export const studyNote =
  "Intervals of means over seeds are Student's 95 % intervals (n - 1 degrees of freedom), cut to the possible range. The " +
  "interval of a seed's gain is a paired 95 % interval over tasks: both evaluations play the same tasks (Miller 2024; with " +
  "two tasks added, Bonett and Price 2012). Its mean over task sets combines their intervals (Zou and Donner 2008).";

/** Returns the lines for a terminal. */
export function studyLines({ title, arms, failed, notes }: Study): string[] {
  return [
    `study          ${title}: ${counted(
      arms.reduce((sum, { seeds }) => sum + seeds.length, 0),
      "run",
    )}`,
    ...arms.flatMap((arm) => armLines(arm, arms.length > 1)),
    ...failed.map(({ seed, message }) => `failed         seed ${seed}: ${message.split("\n", 1)[0]}`),
    ...notes.map((note) => `note           ${note}`),
    `note           ${studyNote}`,
  ];
}

function armLines({ label, seeds, heldOut }: StudyArm, isOneOfSeveral: boolean): string[] {
  const heading = isOneOfSeveral ? [`settings       ${label}`] : [];
  const ends = seeds.map((seed, at) => {
    const mean = heldOut.at(-1)?.seeds[at];
    const success = mean ? `${share(mean.first)} -> ${share(mean.last)}, gain ${gainText(mean.gain)}` : "not evaluated";
    return `seed ${String(seed.seed).padEnd(9)} ${success}, ${costText(seed)}`;
  });
  if (heldOut.length === 0) return [...heading, ...ends, "held out       no evaluation"];
  const cells = [heldOutColumns(seeds), ...heldOut.map((row) => heldOutCells(row))];
  const widths = (cells[0] as string[]).map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const table = cells.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number)))
      .join("  "),
  );
  return [...heading, ...ends, ...table.map((line) => line.trimEnd())];
}

/** Columns of the table of held-out success: the last evaluation of each seed, then means over seeds. */
export function heldOutColumns(seeds: readonly StudySeed[]): string[] {
  const means = seeds.length > 1 ? ["first, mean", "last, mean [95 %]", "gain, mean [95 %]"] : ["first", "gain [95 %]"];
  return ["held out", ...seeds.map(({ seed }) => `seed ${seed}`), ...means];
}

export function heldOutCells(row: StudyRow): string[] {
  const label = row.sets > 1 ? `${row.label} of ${counted(row.sets, "task set")}` : row.label;
  const each = row.seeds.map((seed) => (seed ? share(seed.last) : "–"));
  const [only] = row.seeds;
  if (row.seeds.length === 1) return [label, ...each, share(row.first.value), gainText(only?.gain ?? null)];
  return [label, ...each, share(row.first.value), overSeeds(row.last, share), overSeeds(row.gain, points)];
}

export function overSeeds(mean: RepeatedMean | null, write: (value: number) => string): string {
  if (!mean) return "–";
  const { value, low, high } = mean;
  return `${write(value)}${low === undefined || high === undefined ? "" : ` [${write(low)}, ${write(high)}]`}`;
}

export function gainText(gain: Gain | null): string {
  return gain ? overSeeds({ ...gain, n: 1 }, points) : "–";
}

export function share(value: number): string {
  return (100 * value).toFixed(1);
}

/** Writes a difference of shares in points. */
export function points(value: number): string {
  const text = (100 * value).toFixed(1);
  return value > 0 ? `+${text}` : text;
}

function costText({ end, cost }: StudySeed): string {
  return `${counted(cost.trainSteps, "train step")} in ${minutes(cost.totalSeconds)} (${end})`;
}

export function minutes(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(1)} min`;
}
