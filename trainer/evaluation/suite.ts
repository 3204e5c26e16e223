/**
 * The evaluations of several environments as one result: a row for each environment, their mean, and published results.
 */
import type { EvaluationReport } from "./evaluation.js";
import type { Published } from "./published.js";
import { type MacroMean, macroMean } from "./statistics.js";

/** Reason why an environment was not played, or was only played in part. */
export interface NotPlayed {
  /** Reason as a sentence. */
  readonly reason: string;
  /** Remedy as a sentence. */
  readonly remedy: string;
}

export interface SuiteRow {
  /** Name of the environment as the caller wrote it; the report contains the version that was played. */
  readonly environment: string;
  /** Report; undefined if no episode was started. */
  readonly report?: EvaluationReport;
  readonly notPlayed?: NotPlayed;
}

/** Mean success rate over environments, each with the same weight. */
export interface Overall extends MacroMean {
  /** Names of the environments in the mean: all environments with an episode that was played to its end. */
  readonly environments: readonly string[];
}

export interface SuiteReport {
  /** Name of the preset; undefined if the environments were named one by one. */
  readonly preset?: string;
  readonly policy: string;
  /** Rows in the order of play. */
  readonly rows: readonly SuiteRow[];
  /** Mean; undefined if no episode was played to its end. */
  readonly overall: Overall | undefined;
  /** Published results of other systems; Palestra did not measure them. */
  readonly published?: Published;
  /** Whether all planned episodes of all playable environments are in the report. */
  readonly complete: boolean;
}

export interface SuiteAbout {
  readonly preset?: string | undefined;
  readonly policy: string;
  readonly published?: Published | undefined;
  /** Whether the run ended before its last environment. */
  readonly isCut: boolean;
}

export function suiteReport(rows: readonly SuiteRow[], { preset, policy, published, isCut }: SuiteAbout): SuiteReport {
  return {
    ...(preset !== undefined && { preset }),
    policy,
    rows,
    overall: overallOf(rows),
    ...(published && { published: quoted(published, rows) }),
    complete: !isCut && rows.every(({ report }) => report?.complete ?? true),
  };
}

function overallOf(rows: readonly SuiteRow[]): Overall | undefined {
  const played = rows.flatMap(({ environment, report }) => {
    const estimate = report?.summary.successRate;
    return estimate ? [{ environment, estimate }] : [];
  });
  const macro = macroMean(played.map(({ estimate }) => estimate));
  return macro && { ...macro, environments: played.map(({ environment }) => environment) };
}

/** Returns the published rows with a result for at least one environment of the run. */
function quoted({ source, rows: all }: Published, rows: readonly SuiteRow[]): Published {
  const names = rows.map(({ environment }) => environment.replace(/@.*/, ""));
  return { source, rows: all.filter(({ figures }) => names.some((name) => figures[name] !== undefined)) };
}
