/**
 * Grades a stage. The agent's machine is closed first. The verifier runs in a new machine, which gets the files or an
 * image of the agent's machine. A verifier that needs the agent's processes runs in the agent's machine.
 *
 * If the verifier returns no reward, it runs again on a machine without the agent's files. If it returns a reward
 * there, the agent's files broke the verifier, and the agent's reward is 0. An agent therefore cannot avoid a bad
 * result by breaking the verifier. If it returns no reward there either, the task is broken, and the episode fails.
 */
import { posix } from "node:path";
import type { MachineProvider, Snapshot } from "../../../sandboxes/sandbox.js";
import { sandboxCode } from "../../errors.js";
import { excludes } from "../harbor/ignore.js";
import type { MachinePlan } from "../harbor/plan.js";
import type { Artifact } from "../harbor/schema.js";
import type { HarborTask, Stage } from "../harbor/task.js";
import type { AgentMachine } from "./agent-machine.js";
import { collect, TooMuchLeft } from "./collect.js";
import { isKeptLink } from "./links.js";
import { PlacingFailed } from "./place.js";
import type { Rewards } from "./reward.js";
import { Spool, type SpooledEntry } from "./spool.js";
import { type Remains, type Verified, verify, verifyInPlace } from "./verify.js";

export interface Grade {
  rewards: Rewards;
  /** Reason for the reward 0, if the verifier returned no reward. */
  fault: string | undefined;
  /** End of the verifier's output, for people. The agent never sees it. */
  output: string;
  /** Files of the agent that were not collected, with reasons. */
  left: readonly string[];
}

/** A grade, with the files or the image with which the machine of the next stage starts. */
export interface GradedStage {
  grade: Grade;
  spool: Spool | undefined;
  snapshot: Snapshot | undefined;
}

/** Error if the verifier returns no reward even on a machine without the agent's files. */
export class VerifierBroken extends Error {
  override readonly name = "VerifierBroken";
}

const nothing = { reward: 0 };
const mostNotes = 20;

/**
 * Grades a stage. Always closes the agent's machine. The caller must remove the spool and the snapshot.
 *
 * @throws {VerifierBroken}
 * @throws {SandboxError} no machine is available
 * @throws the signal's reason
 */
export async function gradeStage(
  machines: MachineProvider,
  task: HarborTask,
  stage: Stage,
  agent: AgentMachine,
  signal: AbortSignal,
): Promise<GradedStage> {
  const held: Held = { spool: undefined, snapshot: undefined };
  try {
    return { grade: await gradeHeld(machines, task, stage, agent, held, signal), ...held };
  } catch (error) {
    await held.spool?.remove();
    await held.snapshot?.remove();
    throw error;
  } finally {
    await agent.close();
  }
}

type Held = Pick<GradedStage, "spool" | "snapshot">;

async function gradeHeld(
  machines: MachineProvider,
  task: HarborTask,
  stage: Stage,
  agent: AgentMachine,
  held: Held,
  signal: AbortSignal,
): Promise<Grade> {
  const isLast = task.stages.at(-1) === stage;
  let left: string[];
  try {
    left = await takeRemains(stage, agent, isLast, held, signal);
  } catch (error) {
    if (!(error instanceof TooMuchLeft)) throw error;
    return {
      rewards: nothing,
      fault: `expected fewer files, but the agent's files exceed a limit: ${error.message}`,
      output: "",
      left: [],
    };
  }
  if (stage.verifier.isInPlace) {
    const run = () => verifyInPlace(agent.sandbox, stage.verifier, agent.workdir, signal);
    return { ...(await verifyRemains(machines, stage, run, agent, signal)), left };
  }
  await agent.close();
  const remains = remainsOf(stage, agent, held);
  const links =
    held.spool?.entries.filter((entry) => entry.type === "link" && remains.isWanted?.(entry) === false) ?? [];
  const outside = links.map(({ path, target }) => `${path}: a link to ${target}`);
  const run = () => verify(machines, stage.verifier, remains, agent.workdir, signal);
  const verified = await verifyRemains(machines, stage, run, agent, signal);
  return { ...verified, left: [...left, ...outside].slice(0, mostNotes) };
}

/** Saves the agent's work: collects its files in a spool, or takes a snapshot of its machine. */
async function takeRemains(
  { verifier }: Stage,
  agent: AgentMachine,
  isLast: boolean,
  held: Held,
  signal: AbortSignal,
): Promise<string[]> {
  const { sandbox, plan, workdir } = agent;
  for (const { command, timeout_sec: seconds, user } of verifier.collect) {
    const as = user === undefined ? {} : { user };
    // A hook that cannot start counts as failed, since the agent may have removed a program that the hook needs.
    await orRefused(sandbox.exec(command, { timeoutMs: seconds * 1_000, folder: workdir, signal, ...as }));
  }
  const hasImage = plan.image !== undefined;
  if (verifier.isInPlace && isLast) return [];
  if (hasImage && (verifier.mode === "shared" || !isLast)) held.snapshot = await sandbox.snapshot();
  if (hasImage && verifier.mode === "shared") return [];
  held.spool = await Spool.open();
  const graded = gradedRoots(verifier, plan, workdir);
  const roots = isLast || hasImage ? graded : [...graded, ...plan.folders];
  const isExcluded = excluded(verifier.artifacts, workdir, verifier.mode === "separate" && isLast);
  return collect(sandbox, { roots: outermost(roots), isExcluded }, held.spool, signal);
}

async function orRefused(call: Promise<unknown>): Promise<void> {
  await call.catch((error) => {
    if (sandboxCode(error) !== "REFUSED") throw error;
  });
}

function remainsOf({ verifier }: Stage, { plan, workdir }: AgentMachine, { spool, snapshot }: Held): Remains {
  if (snapshot && verifier.mode === "shared") return { image: snapshot.image };
  if (!spool) return {};
  const roots = gradedRoots(verifier, plan, workdir);
  const isWanted = ({ path, type, target = "" }: SpooledEntry) =>
    roots.some((root) => isWithin(path, root)) && (type !== "link" || isKeptLink(path, target, roots));
  return { spool, isWanted };
}

/** Returns the paths in the agent's machine whose files the verifier gets. */
function gradedRoots({ mode, artifacts }: Stage["verifier"], plan: MachinePlan, workdir: string): string[] {
  const declared = artifacts.map(({ source }) => posix.resolve(workdir, source).replace(/(?<=.)\/$/, ""));
  const own = mode === "shared" ? plan.folders : [];
  // The agent may never fill the folders of the verifier.
  return ["/logs/artifacts", ...declared, ...own].filter(
    (path) => !/^\/(logs\/verifier|tests)(\/|$)|^\/(logs)?$/.test(path),
  );
}

function outermost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function excluded(artifacts: readonly Artifact[], workdir: string, isOn: boolean): (path: string) => boolean {
  if (!isOn) return () => false;
  const rules = artifacts
    .filter(({ exclude }) => exclude.length > 0)
    .map(({ source, exclude }) => ({ root: posix.resolve(workdir, source), matches: excludes(exclude) }));
  return (path) =>
    rules.some(({ root, matches }) => path !== root && isWithin(path, root) && matches(path.slice(root.length + 1)));
}

async function verifyRemains(
  machines: MachineProvider,
  { verifier }: Stage,
  run: () => Promise<Verified>,
  agent: AgentMachine,
  signal: AbortSignal,
): Promise<Pick<Grade, "rewards" | "fault" | "output">> {
  const verified = await attempt(run, () => verifier.isInPlace && agent.isPastLifetime);
  if ("rewards" in verified) return { rewards: verified.rewards, fault: undefined, output: verified.output };
  await agent.close();
  const control = await attempt(() => verify(machines, verifier, {}, agent.workdir, signal));
  if ("rewards" in control) return { rewards: nothing, fault: verified.fault, output: verified.output };
  throw new VerifierBroken(
    `the verifier gives no reward, nor does it where no agent has been: ${control.fault}; its output ends with: ${control.output.slice(-500)}`,
  );
}

/**
 * Runs a verifier. If its machine is lost, returns a fault, because a program under test may have ended the machine.
 */
async function attempt(run: () => Promise<Verified>, isPastLifetime: () => boolean = () => false): Promise<Verified> {
  try {
    return await run();
  } catch (error) {
    const isOfProgram = sandboxCode(error) === "LOST" && !isPastLifetime();
    if (!isOfProgram && !(error instanceof PlacingFailed)) throw error;
    return { fault: (error as Error).message, output: "" };
  }
}
