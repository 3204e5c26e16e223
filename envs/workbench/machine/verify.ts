/** Runs a verifier in its own machine, in which no program of the agent runs. */
import type { MachineProvider, Sandbox } from "../../../sandboxes/sandbox.js";
import { sandboxCode } from "../../errors.js";
import { commandUser, type MachinePlan, specOf } from "../harbor/plan.js";
import type { VerifierPlan } from "../harbor/task.js";
import { PlacingFailed, placeFiles, placeSpool } from "./place.js";
import { type ReadReward, readReward } from "./reward.js";
import type { Spool, SpooledEntry } from "./spool.js";

/**
 * The agent's work: files to copy, or an image of its machine. An empty object means a machine without the agent's
 * work.
 */
export interface Remains {
  spool?: Spool;
  isWanted?: (entry: SpooledEntry) => boolean;
  image?: string;
}

export type Verified = ReadReward & { output: string };

const extraLifetimeMs = 300_000;
const mostRewardBytes = 2 ** 16;
const mostLogBytes = 2 ** 20;
const shownLog = 4_000;
/** Shell lines that empty the folders of their arguments. If a folder is a mount, only its contents can be removed. */
const emptying =
  'for d; do rm -rf -- "$d" 2>/dev/null; test -z "$(ls -A -- "$d" 2>/dev/null)" || exit; done; rm -rf /solution 2>/dev/null; ';
const folders = { verifier: "/logs/verifier", tests: "/tests" } as const;

/**
 * @param workdir working folder of the agent's machine, in which the tests start
 * @throws {SandboxError} no machine is available, or the machine was lost
 * @throws {PlacingFailed}
 * @throws the signal's reason
 */
export async function verify(
  machines: MachineProvider,
  { machine, network, user, timeoutMs, ...verifier }: VerifierPlan,
  { spool, isWanted = () => true, image }: Remains,
  workdir: string,
  signal: AbortSignal,
): Promise<Verified> {
  const lifetimeMs = timeoutMs + extraLifetimeMs;
  const spec = specOf(machine, { network, user, lifetimeMs, ...(image !== undefined && { image }) });
  const sandbox = await machines.open(spec, signal);
  try {
    return await refusedAsFault(graded);
  } finally {
    await sandbox.close();
  }

  async function graded(): Promise<Verified> {
    const as = commandUser(machine, user);
    await clear(sandbox, machine, image !== undefined, workdir, as, signal);
    // Files of the agent replace the files of the task, so that a removed file stays removed.
    const isReplaced = image !== undefined || (spool && verifier.mode === "shared");
    if (!isReplaced) await placeFiles(sandbox, machine.files, signal);
    if (spool) await placeSpool(sandbox, spool, isWanted, signal);
    await placeTests(sandbox, verifier.tests, signal);
    return runTests(sandbox, { ...verifier, timeoutMs }, workdir, as, signal);
  }
}

/**
 * Runs the tests in the agent's machine, with the processes that the agent has left.
 *
 * @throws {SandboxError} LOST
 * @throws {PlacingFailed}
 * @throws the signal's reason
 */
export async function verifyInPlace(
  sandbox: Sandbox,
  { machine, user, ...verifier }: VerifierPlan,
  workdir: string,
  signal: AbortSignal,
): Promise<Verified> {
  const as = commandUser(machine, user);
  return refusedAsFault(async () => {
    await clear(sandbox, machine, true, workdir, as, signal);
    await placeTests(sandbox, verifier.tests, signal);
    return runTests(sandbox, verifier, workdir, as, signal);
  });
}

/** The agent or the task has made a program unable to start. The control run finds out which. */
async function refusedAsFault(run: () => Promise<Verified>): Promise<Verified> {
  try {
    return await run();
  } catch (error) {
    if (sandboxCode(error) !== "REFUSED") throw error;
    throw new PlacingFailed((error as Error).message, { cause: error });
  }
}

function placeTests(sandbox: Sandbox, files: VerifierPlan["tests"], signal: AbortSignal): Promise<void> {
  const tests = files.map((file) => ({ ...file, isExecutable: true, to: `${folders.tests}/${file.path}` }));
  return placeFiles(sandbox, tests, signal);
}

/** User that runs the tests, if it is not the sandbox's user. */
type As = { user?: string };

/**
 * @param isOfAgent whether the machine or its image is the agent's. Other images may contain the verifier's tests, and lack
 *   the working folder.
 */
async function clear(
  sandbox: Sandbox,
  { image }: MachinePlan,
  isOfAgent: boolean,
  workdir: string,
  { user }: As,
  signal: AbortSignal,
) {
  const paths = [folders.verifier, folders.tests];
  // Where a folder is a mount, only its contents can be removed.
  const removal = isOfAgent ? emptying : "";
  const owner = user === undefined ? "" : ` && chown -- "$USER_OF_TESTS" ${folders.verifier}`;
  const script = `${removal}mkdir -p -- "$@" /logs/artifacts && chmod 700 ${folders.verifier}${owner}`;
  const made = image === undefined && !isOfAgent ? [workdir, ...paths] : paths;
  const environment = { PATH: "/usr/bin:/bin", USER_OF_TESTS: user ?? "" };
  const command = ["/bin/sh", "-c", script, "sh", ...made];
  const { exitCode, stderr } = await sandbox.exec(command, { folder: "/", environment, signal });
  if (exitCode !== 0)
    throw new PlacingFailed(`expected the grading machine to be prepared, but received: ${stderr.slice(0, 500)}`);
}

async function runTests(
  sandbox: Sandbox,
  { timeoutMs, environment }: Pick<VerifierPlan, "timeoutMs" | "environment">,
  workdir: string,
  as: As,
  signal: AbortSignal,
): Promise<Verified> {
  const log = `${folders.verifier}/test-stdout.txt`;
  // No shell runs beside the tests, since a program under test could write into the memory of a shell.
  const command = ["/bin/sh", "-c", `exec ${folders.tests}/test.sh > ${log} 2>&1`];
  const options = { timeoutMs, folder: workdir, environment: { PWD: workdir, ...environment }, signal, ...as };
  const { isTimedOut, exitCode } = await sandbox.exec(command, options);
  const output = ((await textOf(sandbox, log, mostLogBytes)) ?? "").slice(-shownLog);
  // A program under test may have ended the verifier. In that case, a reward file is not from the verifier.
  if (isTimedOut)
    return { fault: `expected the verifier to end within ${timeoutMs / 1_000} s, but it is still running`, output };
  if (exitCode > 128)
    return { fault: `expected the verifier to end by itself, but a signal ended it (exit code ${exitCode})`, output };
  const json = await textOf(sandbox, `${folders.verifier}/reward.json`, mostRewardBytes);
  const text = await textOf(sandbox, `${folders.verifier}/reward.txt`, mostRewardBytes);
  return { ...readReward(json, text), output };
}

/** Reads a text file. Returns undefined if the file is missing, and `""` if it is unreadable. */
async function textOf(sandbox: Sandbox, path: string, maxBytes: number): Promise<string | undefined> {
  try {
    return Buffer.from(await sandbox.readFile(path, { maxBytes })).toString("utf8");
  } catch (error) {
    const code = sandboxCode(error);
    if (code === "NO_FILE") return undefined;
    if (code === "REFUSED" || code === "TOO_LARGE") return "";
    throw error;
  }
}
