/** A study: runs of the same settings with different seeds, joined. Runs with other settings are further arms. */
import { isDeepStrictEqual } from "node:util";
import { counted } from "../../../server/formats/counted.js";
import { type Range, type RepeatedMean, studentMean } from "../../evaluation/statistics.js";
import { type Cost, costOf } from "./cost.js";
import { type StudyCurve, studyCurves } from "./curves.js";
import { type Gain, type HeldOutResult, heldOutResults } from "./held-out.js";
import { type RunPlayers, runPlayers } from "./players.js";
import type { StoredRun } from "./stored-run.js";

export interface StudySeed {
  readonly name: string;
  readonly seed: unknown;
  readonly end: string;
  /** Train steps of the first and the last evaluation; absent without an evaluation. */
  readonly firstStep?: number;
  readonly lastStep?: number;
  readonly cost: Cost;
  /** Players of the seats; absent if no environment has several players. */
  readonly players?: RunPlayers;
  readonly command?: string | undefined;
  readonly versions?: Readonly<Record<string, unknown>> | undefined;
  readonly machine?: Readonly<Record<string, unknown>> | undefined;
  readonly engine?: Readonly<Record<string, unknown>> | undefined;
  readonly startedAt?: string | undefined;
}

/** Held-out success of all seeds on a task set, on the sets of an environment, or on all sets. */
export interface StudyRow {
  readonly label: string;
  readonly sets: number;
  /** Result of each seed; null if the seed was not evaluated on the set. */
  readonly seeds: readonly (
    | (Pick<HeldOutResult, "first" | "last" | "episodes"> & { readonly gain: Gain | null })
    | null
  )[];
  /** Means over seeds. */
  readonly first: RepeatedMean;
  readonly last: RepeatedMean;
  readonly gain: RepeatedMean | null;
}

export interface StudyArm {
  /** Settings that differ from those of other arms, as text; `all runs` if there are no other arms. */
  readonly label: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly seeds: readonly StudySeed[];
  readonly heldOut: readonly StudyRow[];
  readonly curves: readonly StudyCurve[];
}

export interface Study {
  readonly format: 1;
  readonly title: string;
  /** Command that joined the runs, if one did. */
  readonly command?: string | undefined;
  readonly arms: readonly StudyArm[];
  /** Settings that all runs share. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Seeds whose run failed. */
  readonly failed: readonly { readonly seed: number; readonly message: string }[];
  readonly notes: readonly string[];
}

export interface StudyInput {
  readonly title: string;
  readonly runs: readonly StoredRun[];
  readonly command?: string | undefined;
  readonly failed?: Study["failed"];
}

/** Settings that do not change what is measured, or that differ between the seeds of one command. */
const besides = new Set([
  ...["seed", "output", "gym", "agentgym", "resume", "allow_changed_settings", "device", "threads", "metrics_port"],
  ...["group_log_freq_steps", "group_log_mb", "save_freq_steps", "save_keep", "memory_recompute", "policy_weights"],
  ...["endpoint_host", "endpoint_port", "endpoint_api_key", "endpoint_lease_s", "endpoint_wait_s", "rollout_retries"],
]);

const unit: Range = { low: 0, high: 1 };

export function studyOf({ title, runs, command, failed = [] }: StudyInput): Study {
  const groups = groupedBySettings(runs);
  const shared = sharedSettings(runs);
  const arms = groups.map((group): StudyArm => {
    const own = ownSettings(group[0] as StoredRun, groups);
    const label = groups.length === 1 ? "all runs" : labelOf(own);
    return { label, settings: own, seeds: group.map(seedOf), heldOut: rowsOf(group), curves: studyCurves(group) };
  });
  return { format: 1, title, command, arms, settings: shared, failed, notes: notesOf(arms) };
}

function relevant(settings: StoredRun["settings"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !besides.has(name)));
}

function groupedBySettings(runs: readonly StoredRun[]): StoredRun[][] {
  const groups: StoredRun[][] = [];
  for (const run of runs) {
    const own = relevant(run.settings);
    const group = groups.find(([first]) => isDeepStrictEqual(relevant((first as StoredRun).settings), own));
    if (group) group.push(run);
    else groups.push([run]);
  }
  return groups;
}

function sharedSettings(runs: readonly StoredRun[]): Record<string, unknown> {
  const [first, ...others] = runs;
  const isShared = ([name, value]: [string, unknown]) =>
    others.every(({ settings }) => isDeepStrictEqual(settings[name], value));
  return Object.fromEntries(Object.entries(first?.settings ?? {}).filter(isShared));
}

/** Returns the settings of an arm that differ from those of another arm. */
function ownSettings(run: StoredRun, groups: readonly StoredRun[][]): Record<string, unknown> {
  const own = relevant(run.settings);
  const names = new Set(groups.flatMap(([first]) => Object.keys(relevant((first as StoredRun).settings))));
  const differs = (name: string) =>
    groups.some(([first]) => !isDeepStrictEqual((first as StoredRun).settings[name], own[name]));
  return Object.fromEntries([...names].filter(differs).map((name) => [name, own[name] ?? null]));
}

function labelOf(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(
      ([name, value]) => `${name} ${value === null ? "unset" : Array.isArray(value) ? value.join(",") : String(value)}`,
    )
    .join("; ");
}

function seedOf(run: StoredRun): StudySeed {
  const { name, settings, end, endedAt, command, versions, machine, engine, startedAt } = run;
  const held = heldOutResults(run.records);
  const players = runPlayers(run.records);
  return {
    name,
    seed: settings.seed,
    end: end ?? (endedAt ? "ended" : "not ended"),
    ...(held && { firstStep: held.firstStep, lastStep: held.lastStep }),
    cost: costOf(run),
    ...(players && { players }),
    ...{ command, versions, machine, engine, startedAt },
  };
}

function rowsOf(runs: readonly StoredRun[]): StudyRow[] {
  const bySeed = runs.map(({ records }) => heldOutResults(records)?.results ?? []);
  const labels = [...new Set(bySeed.flatMap((results) => results.map(({ label }) => label)))];
  // The means come last, also if only one of the seeds has them.
  const isMean = (label: string) => label === "mean" || label.endsWith(", mean");
  const inOrder = [...labels.filter((label) => !isMean(label)), ...labels.filter(isMean)];
  return inOrder.map((label) => {
    const results = bySeed.map((each) => each.find((result) => result.label === label));
    const known = results.filter((result) => result !== undefined);
    const gains = known.flatMap(({ gain }) => (gain ? [gain.value] : []));
    return {
      label,
      sets: Math.max(...known.map(({ sets }) => sets)),
      seeds: results.map((result) => {
        if (!result) return null;
        const { first, last, episodes, gain } = result;
        return { first, last, episodes, gain: gain ?? null };
      }),
      first: studentMean(
        known.map(({ first }) => first),
        unit,
      ) as RepeatedMean,
      last: studentMean(
        known.map(({ last }) => last),
        unit,
      ) as RepeatedMean,
      gain: studentMean(gains, { low: -1, high: 1 }) ?? null,
    };
  });
}

function notesOf(arms: readonly StudyArm[]): string[] {
  const notes: string[] = [];
  for (const { label, seeds, heldOut } of arms) {
    const where = arms.length > 1 ? `${label}: ` : "";
    const values = seeds.map(({ seed }) => seed);
    const twice = [...new Set(values.filter((value, at) => values.indexOf(value) !== at))];
    if (twice.length > 0) {
      notes.push(`${where}seed ${twice.join(", ")} has several runs, so the runs are not independent.`);
    }
    const unfinished = seeds.filter(({ end }) => end !== "done" && end !== "time" && end !== "ended");
    if (unfinished.length > 0) {
      notes.push(
        `${where}${counted(unfinished.length, "run")} not ended: ${unfinished.map(({ name }) => name).join(", ")}.`,
      );
    }
    const missing = heldOut.filter((row) => row.seeds.includes(null)).map((row) => row.label);
    if (missing.length > 0) notes.push(`${where}not every seed was evaluated on ${missing.join(", ")}.`);
  }
  return notes;
}
