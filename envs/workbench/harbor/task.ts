/** Reads task directories in Harbor's format. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Network } from "../../../sandboxes/sandbox.js";
import type { Internet, VerifierMachine } from "../../env.js";
import { readConfig } from "./config.js";
import { filesBelow, readDirectory, type TaskDirectory, type TaskFile } from "./directory.js";
import { type Ignore, ignoreName, isIgnored, parseIgnore } from "./ignore.js";
import { networkNote, networkOf } from "./internet.js";
import { type MachinePlan, mostPlacedBytes, planOf } from "./plan.js";
import { mismatch, TaskRefused } from "./refusal.js";
import { refusalsOf } from "./refusals.js";
import type { Artifact, Healthcheck, StepConfig, TaskConfig, VerifierConfig } from "./schema.js";
import { resolved } from "./variables.js";

/** Data for grading a stage. */
export interface VerifierPlan {
  /**
   * Files that the verifier sees: with `shared` all files of the agent, with `separate` only the declared artifacts.
   */
  mode: "shared" | "separate";
  /**
   * Whether the tests run in the agent's machine, with the processes that the agent has left. If false, they run in a new
   * machine with the agent's files.
   */
  isInPlace: boolean;
  machine: MachinePlan;
  network: Network;
  user: string | undefined;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Files to copy to /tests. The list is empty if the machine's image already contains them. */
  tests: readonly TaskFile[];
  collect: VerifierConfig["collect"];
  artifacts: readonly Artifact[];
}

/** A part of a task with its own instruction and verifier: the whole task, or one of its steps. */
export interface Stage {
  /** Name of the step, or `""` if the task has no steps. */
  name: string;
  instruction: string;
  /** Total time limit in milliseconds for the agent's commands, or undefined for no limit. */
  agentMs: number | undefined;
  network: Network;
  user: string | undefined;
  /** Files to copy to the working folder before the stage. A file `setup.sh` is then run. */
  workdirFiles: readonly TaskFile[];
  /** Commands that must succeed, in this order, before the agent starts. */
  healthchecks: readonly Healthcheck[];
  verifier: VerifierPlan;
  solution: { files: readonly TaskFile[]; environment: Readonly<Record<string, string>> } | undefined;
  minReward: StepConfig["min_reward"];
}

export interface HarborTask {
  name: string;
  title: string;
  /** SHA-256 of the task directory in hexadecimal digits. It identifies the version of the task. */
  digest: string;
  category: string;
  difficulty: string;
  machine: MachinePlan;
  stages: readonly Stage[];
  /** Rule that combines the rewards of the stages. */
  strategy: "mean" | "final";
  /** Notes for the person who adds the task about parts that are ignored. */
  notes: readonly string[];
}

/**
 * @param internet network access if the task requests an open network. If undefined, a task with this request is
 *   refused.
 * @param verifierMachine machine of the verifier. If undefined, the agent's machine for a task that states
 *   `environment_mode = "shared"`, else a new one.
 * @param grader path of a file to add beside each `tests/test.sh`. If undefined, the task has only its own files.
 * @throws {TaskRefused} the task cannot be used; the error lists all reasons
 */
export async function readTask(
  folder: string,
  internet?: Internet,
  verifierMachine?: VerifierMachine,
  grader?: string,
): Promise<HarborTask> {
  const name = basename(folder);
  const directory = await readDirectory(name, folder, grader);
  return new TaskReader(name, directory, internet, verifierMachine).read();
}

const scripts = { test: "test.sh", solve: "solve.sh" } as const;
const mostTextBytes = 2 ** 20;
const downloads = /\b(curl|wget|apt-get|apt install|pip3? install|uvx|npm install)\b/;
/** Files of a task, and regular expressions for signs in them that the verifier needs processes of the agent. */
const processSigns: readonly [RegExp, RegExp][] = [
  [
    /(^|\/)tests\//,
    /\b(localhost|127\.0\.0\.1|pgrep|pidof|lsof|netstat|psutil|ss -\w+|ps (-e|aux)|create_connection|connect_ex|redis-cli|psql)\b/,
  ],
  [
    /(^|\/)solution\//,
    /\b(nohup|setsid|systemctl (re)?start|service [\w-]+ (re)?start|tmux new|pg_ctl|redis-server)\b|[^&>|\s]\s*(?<!&)&[ \t]*$/m,
  ],
];
/** Regular expression for a call with which a test starts a program itself. */
const startsPrograms = /\bPopen\(/;
const composeFiles = ["docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml"];

class TaskReader {
  private readonly reasons: string[] = [];
  private readonly notes: string[] = [];
  private ignores: readonly Ignore[] = [];

  constructor(
    private readonly name: string,
    private readonly directory: TaskDirectory,
    private readonly internet: Internet | undefined,
    private readonly verifierMachine: VerifierMachine | undefined,
  ) {}

  async read(): Promise<HarborTask> {
    const text = await this.textOf("task.toml");
    if (text === undefined) throw this.refused([mismatch("a file task.toml", "none")]);
    const { config, unknown } = readConfig(this.name, text);
    this.reasons.push(...refusalsOf(config, this.internet));
    if (unknown.length > 0) this.notes.push(`ignored keys that Harbor does not know: ${unknown.join(", ")}`);
    this.ignores = await this.readIgnores();
    this.refuseCompose();
    await this.noteNetwork(config);
    const outputs = [config, ...(config.steps ?? [])].flatMap(({ artifacts }) => artifacts.map(({ source }) => source));
    const machine = await this.machineOf(config.environment, "environment", outputs);
    const stages = machine ? await this.stagesOf(config, machine) : [];
    await this.noteProcesses(stages);
    if (!machine || this.reasons.length > 0) throw this.refused(this.reasons);
    return {
      name: this.name,
      ...describe(config, this.name),
      digest: this.directory.digest,
      machine,
      stages,
      strategy: config.multi_step_reward_strategy ?? "mean",
      notes: this.notes,
    };
  }

  private async stagesOf(config: TaskConfig, machine: MachinePlan): Promise<Stage[]> {
    const { steps = [] } = config;
    if (steps.length === 0) return [await this.stageOf(config, machine, undefined)];
    const stages: Stage[] = [];
    for (const step of steps) stages.push(await this.stageOf(config, machine, step));
    return stages;
  }

  private async stageOf(config: TaskConfig, machine: MachinePlan, step: StepConfig | undefined): Promise<Stage> {
    const base = step ? `steps/${step.name}/` : "";
    const instruction = await this.textOf(`${base}instruction.md`);
    if (instruction === undefined || instruction.trim() === "")
      this.reasons.push(mismatch(`a text in ${base}instruction.md`, "none"));
    const timeout = step?.agent.timeout_sec ?? config.agent.timeout_sec;
    const network = networkOf(this.internet, step?.agent, config.agent, config.environment);
    return {
      name: step?.name ?? "",
      instruction: instruction ?? "",
      agentMs: timeout === undefined ? undefined : timeout * 1_000,
      network,
      user: step?.agent.user ?? config.agent.user,
      workdirFiles: step ? filesBelow(this.directory, `steps/${step.name}/workdir`) : [],
      healthchecks: [config.environment.healthcheck, step?.healthcheck].filter((check) => check !== undefined),
      verifier: await this.verifierOf(config, machine, step, network),
      solution: this.solutionOf(config, base),
      minReward: step?.min_reward,
    };
  }

  private async verifierOf(
    config: TaskConfig,
    machine: MachinePlan,
    step: StepConfig | undefined,
    agentNetwork: Network,
  ): Promise<VerifierPlan> {
    const verifier = step?.verifier ?? config.verifier;
    const own = verifier.environment ?? config.verifier.environment;
    const stated = verifier.environment_mode ?? config.verifier.environment_mode;
    const mode = stated ?? (own ? "separate" : "shared");
    const folder = step ? `steps/${step.name}/tests` : "tests";
    const hasImage = mode === "separate" && (own?.docker_image !== undefined || this.has(`${folder}/Dockerfile`));
    const planned = hasImage ? await this.machineOf(own ?? config.environment, folder) : machine;
    const tests = this.testsOf(step);
    const large = tests.find(({ size }) => size > mostPlacedBytes);
    if (large)
      this.reasons.push(mismatch(`tests of at most ${mostPlacedBytes} bytes a file`, `${large.path} of ${large.size}`));
    if (!hasImage && !tests.some(({ path }) => path === scripts.test))
      this.reasons.push(mismatch(`${folder}/${scripts.test}`, "none"));
    const network = networkOf(this.internet, step?.verifier, config.verifier, own ?? config.environment);
    const chosen = this.verifierMachine ?? (stated === "shared" ? "agent" : "new");
    const hasAgentNetwork = JSON.stringify(network) === JSON.stringify(agentNetwork);
    if (mode === "shared" && chosen === "agent" && !hasAgentNetwork)
      this.notes.push("the verifier runs in a new machine, without the agent's processes, since its network differs");
    return {
      mode,
      isInPlace: mode === "shared" && chosen === "agent" && hasAgentNetwork,
      machine: planned ?? machine,
      network,
      user: verifier.user ?? config.verifier.user,
      environment: resolved({ ...config.verifier.env, ...verifier.env }),
      timeoutMs: verifier.timeout_sec * 1_000,
      tests: hasImage ? [] : tests,
      collect: [...config.verifier.collect, ...(step?.verifier.collect ?? [])],
      artifacts: [...config.artifacts, ...(step?.artifacts ?? [])],
    };
  }

  /** Returns the test files for a step. A file of the step replaces the task's file with the same path. */
  private testsOf(step: StepConfig | undefined): TaskFile[] {
    const folders = ["tests", ...(step ? [`steps/${step.name}/tests`] : [])];
    const byPath = new Map(folders.flatMap((folder) => this.included(folder)).map((file) => [file.path, file]));
    return [...byPath.values()];
  }

  private solutionOf(config: TaskConfig, base: string): Stage["solution"] {
    const files = this.included(`${base}solution`);
    if (!files.some(({ path }) => path === scripts.solve)) return undefined;
    return { files, environment: resolved(config.solution.env) };
  }

  private included(folder: string): TaskFile[] {
    return filesBelow(this.directory, folder).filter(({ path }) => !isIgnored(`${folder}/${path}`, this.ignores));
  }

  private async readIgnores(): Promise<Ignore[]> {
    const scoped = /^(tests|solution|steps\/[^/]+\/(tests|solution))(\/|$)/;
    const files = this.directory.files.filter(({ path }) => basename(path) === ignoreName && scoped.test(path));
    const read = async ({ path }: TaskFile) =>
      parseIgnore(path.slice(0, -ignoreName.length - 1), (await this.textOf(path)) ?? "");
    return Promise.all(files.map(read));
  }

  private async machineOf(
    config: TaskConfig["environment"],
    folder: string,
    outputs: readonly string[] = [],
  ): Promise<MachinePlan | undefined> {
    const plan = planOf(config, this.directory, folder, await this.textOf(`${folder}/Dockerfile`), outputs);
    if (typeof plan !== "string") return plan;
    this.reasons.push(plan);
    return undefined;
  }

  private refuseCompose(): void {
    const found = ["environment", "tests"].flatMap((folder) => composeFiles.map((name) => `${folder}/${name}`));
    for (const path of found.filter((one) => this.has(one)))
      this.reasons.push(mismatch("one machine for a task, without Docker Compose", path));
  }

  private async noteNetwork(config: TaskConfig): Promise<void> {
    const note = networkNote(config, this.internet);
    if (note !== undefined) this.notes.push(note);
    for (const { path } of this.directory.files.filter((file) => file.path.endsWith(`tests/${scripts.test}`))) {
      const [download] = downloads.exec((await this.textOf(path)) ?? "") ?? [];
      if (download !== undefined) this.notes.push(`${path} seems to download (${download.trim()})`);
    }
  }

  /** Notes that a verifier in a new machine seems to need processes of the agent. */
  private async noteProcesses(stages: readonly Stage[]): Promise<void> {
    if (stages.every(({ verifier }) => verifier.isInPlace)) return;
    for (const { path } of this.directory.files) {
      const signs = processSigns.find(([paths]) => paths.test(path))?.[1];
      const text = (signs && (await this.textOf(path).catch(() => undefined))) ?? "";
      const [sign] = signs?.exec(text) ?? [];
      if (sign === undefined || startsPrograms.test(text)) continue;
      this.notes.push(
        `${path} seems to need a running program (${sign.trim()}), but the verifier runs in a new machine, without the agent's processes: state verifier.environment_mode = "shared", or add the task with --verifier agent`,
      );
      return;
    }
  }

  private has(path: string): boolean {
    return this.directory.files.some((file) => file.path === path);
  }

  private async textOf(path: string): Promise<string | undefined> {
    const file = this.directory.files.find((one) => one.path === path);
    if (!file) return undefined;
    if (file.size > mostTextBytes)
      throw this.refused([mismatch(`${path} of at most ${mostTextBytes} bytes`, `${file.size}`)]);
    return readFile(join(file.at), "utf8");
  }

  private refused(reasons: readonly string[]): TaskRefused {
    return new TaskRefused(this.name, reasons);
  }
}

function describe({ task, metadata }: TaskConfig, name: string) {
  const text = (key: string) => (typeof metadata[key] === "string" ? (metadata[key] as string) : undefined);
  const [line] = (task?.description ?? "").split("\n");
  return {
    title: line?.trim() || name,
    category: text("category") ?? "other",
    difficulty: text("difficulty") ?? "unknown",
  };
}
