/**
 * `palestra eval` for several environments, one after the other. Each environment has its own folder, and a table shows
 * all results.
 */
import { join } from "node:path";
import { benchmark } from "../../../trainer/evaluation/benchmarks.js";
import { EvaluationFailed, type EvaluationPlan, type EvaluationReport } from "../../../trainer/evaluation/evaluate.js";
import { published } from "../../../trainer/evaluation/published.js";
import { type NotPlayed, type SuiteReport, type SuiteRow, suiteReport } from "../../../trainer/evaluation/suite.js";
import { type GymEnvironment, GymError } from "../../../trainer/gym/gym.js";
import { suiteHtml } from "../../../trainer/report/evaluation/suite-html.js";
import { suiteMarkdown } from "../../../trainer/report/evaluation/suite-markdown.js";
import { planOf } from "./eval-plan.js";
import { type EvalRun, folderName, playPlan, writeFiles } from "./eval-run.js";

/** An environment with its plan, or with the reason why it cannot be played. */
type Prepared = { readonly environment: string } & ({ plan: EvaluationPlan } | { notPlayed: NotPlayed });

const cutShort: NotPlayed = {
  reason: "The run was stopped before this environment.",
  remedy: "Run the same command again to continue.",
};

export interface SuiteOutcome {
  readonly report: SuiteReport;
  readonly directory: string;
}

/**
 * Evaluates several environments. All plans are made before the first environment is played, so a wrong flag is refused
 * at once.
 *
 * @throws {TrainerError} a flag does not fit an environment
 * @throws {EvaluationFailed} a failure that affects every environment, such as a wrong key; the reports are written
 * first
 */
export async function evaluateSuite(environments: readonly string[], run: EvalRun): Promise<SuiteOutcome> {
  const directory = run.flags.out ?? join(".palestra", "evaluations", suiteFolder(environments, run));
  const prepared: Prepared[] = [];
  for (const environment of environments) prepared.push(await prepare(environment, run));
  const rows: SuiteRow[] = [];
  const write = (isCut: boolean) => {
    const { preset } = run.flags;
    const quoted = preset === undefined ? undefined : published()[preset];
    const all = [
      ...rows,
      ...prepared.slice(rows.length).map(({ environment }) => ({ environment, notPlayed: cutShort })),
    ];
    const report = suiteReport(all, { preset, policy: run.policy.name, published: quoted, isCut });
    const texts = {
      json: `${JSON.stringify(report, null, 2)}\n`,
      md: suiteMarkdown(report),
      html: () => suiteHtml(report),
    };
    writeFiles(directory, texts);
    return { report, directory };
  };
  for (const [at, entry] of prepared.entries()) {
    if (run.signal.aborted) break;
    try {
      const label = `${entry.environment}, ${at + 1} of ${prepared.length}`;
      rows.push("plan" in entry ? await rowOf(entry, join(directory, entry.environment), run, label) : entry);
    } catch (error) {
      if (error instanceof EvaluationFailed) write(true);
      throw error;
    }
  }
  return write(rows.length < prepared.length);
}

async function rowOf(
  { environment, plan }: { readonly environment: string; readonly plan: EvaluationPlan },
  directory: string,
  run: EvalRun,
  label: string,
): Promise<SuiteRow> {
  try {
    const { report } = await playPlan(plan, directory, run, label);
    return { environment, report, ...nothingPlayed(report) };
  } catch (error) {
    if (!(error instanceof EvaluationFailed) || !isOfEnvironment(error)) throw error;
    const report = error.evaluation?.report;
    const { code } = error.failure;
    const notPlayed = nothingPlayed(report).notPlayed ?? {
      reason: `It was ended early by ${code}.`,
      remedy: error.message,
    };
    return { environment, ...(report && { report }), notPlayed };
  }
}

function nothingPlayed(report: EvaluationReport | undefined): { notPlayed?: NotPlayed } {
  const lost = report?.summary.failures[0];
  if (!report || !lost || report.summary.episodes > 0) return {};
  const { code, example, remedy } = lost;
  return {
    notPlayed: {
      reason: `No episode was played to its end, because of ${code}: ${example.replace(/\.$/, "")}.`,
      remedy,
    },
  };
}

/** Codes of policy errors that concern a single environment. */
const ofEnvironment = ["NO_ACTIONS", "ACTION_UNSAYABLE", "EXPERT_MISSING"];
/** Codes of gym errors that would recur in the next environment. */
const ofGym = ["GYM_UNREACHABLE", "GYM_REFUSED", "GYM_CLOSED", "RIGHT_MISSING"];

/** Returns whether a failure concerns only this environment, so the next environment can be played. */
function isOfEnvironment({ failure }: EvaluationFailed): boolean {
  return failure.class === "policy" ? ofEnvironment.includes(failure.code) : !ofGym.includes(failure.code);
}

async function prepare(environment: string, run: EvalRun): Promise<Prepared> {
  const { flags, gym } = run;
  let facts: GymEnvironment;
  try {
    facts = await gym.environment(environment);
  } catch (error) {
    const isUnknown = error instanceof GymError && error.code === "ENVIRONMENT_UNKNOWN";
    if (!isUnknown || flags.preset === undefined) throw error;
    const remedy = "Play in a gym of a version that has it, or leave it out with --env.";
    return { environment, notPlayed: { reason: "The gym does not have this environment.", remedy } };
  }
  const notPlayed = lackOf(facts, environment, run);
  if (notPlayed) return { environment, notPlayed };
  return { environment, plan: await planOf({ ...run, environment }) };
}

/** Explains why an environment cannot be played here; undefined if it can be played. */
function lackOf(facts: GymEnvironment, environment: string, { flags, tasks }: EvalRun): NotPlayed | undefined {
  if (facts.lacks.length > 0) {
    const names = facts.lacks.map(({ name }) => name).join(" and ");
    const remedy = facts.lacks.map(({ howToGet }) => howToGet).join(" ");
    return { reason: `The gym's machine lacks ${names}.`, remedy };
  }
  if (flags.policy === "expert" && !facts.hasExpert) {
    return { reason: "This environment has no expert.", remedy: "Choose another --policy for it." };
  }
  if (flags.preset === undefined) return undefined;
  const { idSplit, standIn, howToGetIds } = benchmark(flags.preset, environment);
  const split = tasks.of(environment.replace(/@.*/, "")) === undefined ? standIn.split : idSplit;
  if (facts.splits.has(split)) return undefined;
  const remedy = howToGetIds ?? "Play in a gym of a version that has it.";
  return { reason: `The gym's ${facts.id} has no split ${split}.`, remedy };
}

/** Returns the folder of a run. All subsets of a preset share a folder, so environments can be played one by one. */
function suiteFolder(environments: readonly string[], { flags, policy, settings }: EvalRun): string {
  const { preset = environments.join("+"), rounds = [], format, seed, tasks } = flags;
  const { dialogue, temperature, maxTokens } = settings;
  const chosen = [dialogue, temperature, maxTokens, ...Object.values(policy.facts ?? {})];
  const ids = tasks.length > 0 ? "ids" : undefined;
  const parts = [preset, ids, policy.name, format, ...rounds, seed, ...chosen];
  return folderName(parts.filter((part) => part !== undefined));
}
