/** Reads task directories in Harbor's format. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Network } from "../../../sandboxes/sandbox.js";
import type { Internet } from "../../env.js";
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
 * @throws {TaskRefused} the task cannot be used; the error lists all reasons
 */
export async function readTask(folder: string, internet?: Internet): Promise<HarborTask> {
  const name = basename(folder);
  const directory = await readDirectory(name, folder);
  return new TaskReader(name, directory, internet).read();
}

const scripts = { test: "test.sh", solve: "solve.sh" } as const;
const mostTextBytes = 2 ** 20;
const downloads = /\b(curl|wget|apt-get|apt install|pip3? install|uvx|npm install)\b/;
const composeFiles = ["docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml"];

class TaskReader {
  private readonly reasons: string[] = [];
  private readonly notes: string[] = [];
  private ignores: readonly Ignore[] = [];

  constructor(
    private readonly name: string,
    private readonly directory: TaskDirectory,
    private readonly internet: Internet | undefined,
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
    return {
      name: step?.name ?? "",
      instruction: instruction ?? "",
      agentMs: timeout === undefined ? undefined : timeout * 1_000,
      network: networkOf(this.internet, step?.agent, config.agent, config.environment),
      user: step?.agent.user ?? config.agent.user,
      workdirFiles: step ? filesBelow(this.directory, `steps/${step.name}/workdir`) : [],
      healthchecks: [config.environment.healthcheck, step?.healthcheck].filter((check) => check !== undefined),
      verifier: await this.verifierOf(config, machine, step),
      solution: this.solutionOf(config, base),
      minReward: step?.min_reward,
    };
  }

  private async verifierOf(
    config: TaskConfig,
    machine: MachinePlan,
    step: StepConfig | undefined,
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
    return {
      mode,
      machine: planned ?? machine,
      network: networkOf(this.internet, step?.verifier, config.verifier, own ?? config.environment),
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
