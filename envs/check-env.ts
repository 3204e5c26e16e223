/**
 * The conformance suite that ships with the gym. `palestra check` runs the suite on any environment, and our tests run
 * the suite on every registered environment. The suite plays sample tasks of each split. The actions are the expert's
 * actions, words of the observations, and junk from a list. Each check tests one part of the contract in env.ts. The
 * design follows Gymnasium's `check_env` and Inspect's sandbox self-check.
 */
import { setImmediate } from "node:timers/promises";
import { checkExpertPurity, checkExpertRestore, checkExpertReward } from "./check-env/expert-checks.js";
import { Faults } from "./check-env/faults.js";
import { checkQueries } from "./check-env/query-checks.js";
import {
  checkAnyAction,
  checkNeverTruncates,
  checkResetSchema,
  checkRewardRange,
  checkStart,
  checkStepSchema,
} from "./check-env/result-checks.js";
import { checkSeatNames, checkSeats } from "./check-env/seat-checks.js";
import { checkIdentity, checkLimits, checkOptions, checkRequirements, checkSplits } from "./check-env/spec-checks.js";
import {
  checkBuiltIns,
  checkClone,
  checkCloneable,
  checkDeterminism,
  checkInterleaving,
  checkNoGlobals,
  checkReplay,
  checkRequest,
  checkResetAgain,
} from "./check-env/state-checks.js";
import { type Place, Skipped, Subject } from "./check-env/subject.js";
import { checkExpertTools, checkTools } from "./check-env/tool-checks.js";
import { checkVerdict } from "./check-env/verdict-checks.js";
import { checkClose, checkOrder, checkTimeLimit } from "./check-env/wrapper-checks.js";
import type { AnyEnvironmentSpec, AsyncContext } from "./env.js";
import { versionedId } from "./registry.js";

export { callDeadlineMs } from "./check-env/instance.js";

/** `skipped`: the check does not apply, or an earlier check or a requirement failed; `detail` names the reason. */
export type CheckOutcome = "passed" | "failed" | "skipped";

export interface CheckResult {
  /** `id@version`. */
  environment: string;
  /** Name of the check in the table below. */
  check: string;
  outcome: CheckOutcome;
  /**
   * Coverage of a passed check, the expected and received values of a failed check, or the reason for a skipped check.
   */
  detail: string;
  /** Frames of the environment's code, one a line, if a check failed because the code threw. */
  trace?: string;
  durationMs: number;
}

export interface CheckOptions {
  /** Called after each check. */
  onProgress?(done: number, total: number): void;
  /** Called before each check with its name. */
  onCheck?(check: string): void;
  /** Called with the result of each check. */
  onResult?(result: CheckResult): void;
  /**
   * Called before each call of the environment, such as `reset to train:0 with seed 0`. A reset to a task of the sample
   * comes with the task's place.
   */
  onCall?(call: string, place?: Place): void;
  /**
   * Number of tasks to play in each split: the first, the last, and tasks at equal distances between them. Default: 4.
   */
  episodes?: number;
  /** Seed of the first episode. The seed increases by one with each episode. Default: 0. */
  seed?: number;
  /** Limit on the characters of the JSON text of a result. Default: the gym's. */
  maxReplyLength?: number;
  /** Sandboxes in which the engine of an async environment may run. */
  sandboxes?: AsyncContext["sandboxes"];
}

interface Check {
  name: string;
  /** Names of checks that must pass before this check runs, since it would fail for the same reason. */
  needs: readonly string[];
  /** Names of checks that may be skipped, but must not fail, before this check runs. */
  after?: readonly string[];
  /** Returns the coverage. A check that does not apply throws `Skipped`; a check that fails throws any other error. */
  run(subject: Subject): string | Promise<string>;
}

const toStart = ["requirements", "start"];
/** A result of a wrong shape makes every check fail that reads it. */
const toRun = [...toStart, "reset-schema", "step-schema"];
const toMeasure = [...toRun, "spec-limits"];
const toCompare = [...toRun, "determinism"];
const toContinue = [...toCompare, "expert-purity", "expert-reward"];

const checks: readonly Check[] = [
  { name: "spec-identity", needs: [], run: checkIdentity },
  { name: "spec-limits", needs: [], run: checkLimits },
  { name: "spec-options", needs: [], run: checkOptions },
  { name: "spec-splits", needs: ["spec-options"], run: checkSplits },
  { name: "spec-tools", needs: [], run: checkTools },
  { name: "spec-seats", needs: [], run: checkSeatNames },
  { name: "requirements", needs: [], run: checkRequirements },
  { name: "start", needs: ["spec-options", "requirements"], run: checkStart },
  { name: "spec-restore", needs: toStart, run: checkCloneable },
  { name: "reset-schema", needs: toStart, run: checkResetSchema },
  { name: "step-schema", needs: [...toStart, "reset-schema"], run: checkStepSchema },
  { name: "reward-range", needs: toMeasure, run: checkRewardRange },
  { name: "never-truncates", needs: toRun, run: checkNeverTruncates },
  { name: "seats", needs: [...toMeasure, "spec-seats"], run: checkSeats },
  { name: "any-action", needs: toRun, run: checkAnyAction },
  { name: "close", needs: toRun, run: checkClose },
  { name: "order", needs: toRun, run: checkOrder },
  { name: "time-limit", needs: toMeasure, run: checkTimeLimit },
  { name: "request", needs: toRun, run: checkRequest },
  { name: "built-ins", needs: toRun, run: checkBuiltIns },
  { name: "no-globals", needs: toRun, run: checkNoGlobals },
  { name: "determinism", needs: toRun, after: ["no-globals"], run: checkDeterminism },
  { name: "interleaving", needs: toCompare, run: checkInterleaving },
  { name: "reset-again", needs: toCompare, run: checkResetAgain },
  { name: "replay", needs: toCompare, run: checkReplay },
  { name: "clone", needs: [...toCompare, "spec-restore"], run: checkClone },
  { name: "queries", needs: [...toCompare, "reset-again"], run: checkQueries },
  { name: "expert-purity", needs: [...toCompare, "reset-again"], run: checkExpertPurity },
  { name: "expert-reward", needs: [...toMeasure, "expert-purity"], run: checkExpertReward },
  { name: "expert-restore", needs: toContinue, after: ["spec-restore", "replay", "clone"], run: checkExpertRestore },
  { name: "verdict", needs: toCompare, after: ["clone", "expert-reward"], run: checkVerdict },
  { name: "expert-tools", needs: ["spec-tools", "expert-purity", "expert-reward"], run: checkExpertTools },
];

/** Names of all checks, in the order in which they run. */
export const checkNames: readonly string[] = checks.map(({ name }) => name);

/**
 * Runs all checks and returns one result for each, in the order of the table. Faults of the environment become failed
 * checks and are never thrown. A synchronous environment blocks the thread while an episode runs, and for ever if a
 * call never returns, so `palestra check` runs the suite in a thread that can be terminated.
 *
 * @throws {RangeError} `episodes` or `seed` is out of range
 */
export async function checkEnvironment(spec: AnyEnvironmentSpec, options: CheckOptions = {}): Promise<CheckResult[]> {
  const { onProgress, onCheck, onResult, onCall, episodes = 4, seed = 0, sandboxes, maxReplyLength } = options;
  if (!Number.isInteger(episodes) || episodes < 1) {
    throw new RangeError(`expected at least one episode, but received ${episodes}`);
  }
  // Further episodes of the sample use the seeds above the first.
  if (!Number.isInteger(seed) || seed < 0 || seed > 2 ** 52) {
    throw new RangeError(`expected a seed from 0 to 2^52, but received ${seed}`);
  }
  const subject = new Subject(spec, seed, episodes, sandboxes, onCall, maxReplyLength);
  const faults = new Faults();
  const results: CheckResult[] = [];
  for (const check of checks) {
    onCheck?.(check.name);
    const result = await runCheck(check, subject, results, faults);
    results.push(result);
    onResult?.(result);
    onProgress?.(results.length, checks.length);
    await setImmediate();
  }
  return results;
}

async function runCheck(
  check: Check,
  subject: Subject,
  before: readonly CheckResult[],
  faults: Faults,
): Promise<CheckResult> {
  const result = { environment: versionedId(subject.spec), check: check.name };
  const start = performance.now();
  const finish = (outcome: CheckOutcome, detail: string): CheckResult => {
    return { ...result, outcome, detail, durationMs: performance.now() - start };
  };
  const blocker = before.find(({ check: name, outcome }) =>
    check.needs.includes(name) ? outcome !== "passed" : check.after?.includes(name) && outcome === "failed",
  );
  if (blocker?.outcome === "failed") return finish("skipped", `needs ${blocker.check}, which failed`);
  if (blocker) return finish("skipped", blocker.detail);
  try {
    return finish("passed", await check.run(subject));
  } catch (error) {
    if (error instanceof Skipped) return finish("skipped", error.message);
    const { detail, trace, failed } = faults.add(check.name, error);
    if (failed !== check.name) return finish("skipped", `stopped by the error that ${failed} reports`);
    return { ...finish("failed", detail), ...(trace !== "" && { trace }) };
  }
}
