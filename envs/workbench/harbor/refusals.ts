/**
 * Parts of Harbor's format that Palestra does not support. A task that uses one of them is refused, and the reason
 * names the unsupported part.
 */
import { isIP } from "node:net";
import type { Internet } from "../../env.js";
import { type NetworkConfig, networksOf } from "./internet.js";
import { mismatch } from "./refusal.js";
import type { Artifact, EnvironmentConfig, StepConfig, TaskConfig, VerifierConfig } from "./schema.js";
import { stepNameFault } from "./step-name.js";

/** Maximum timeout of a verifier in seconds. */
export const mostVerifierSeconds = 3_600;

/**
 * Returns all reasons to refuse a task with this configuration, or an empty list if the task is accepted.
 *
 * @param internet network access for tasks that request an open network. If undefined, these tasks are refused.
 */
export function refusalsOf(config: TaskConfig, internet: Internet | undefined): string[] {
  const steps = config.steps ?? [];
  return [
    ...environmentRefusals(config.environment, "environment"),
    ...verifierRefusals(config.verifier, "verifier"),
    ...networksOf(config).flatMap(([path, network]) => networkRefusals(network, path, internet)),
    ...config.artifacts.flatMap(artifactRefusals),
    ...templateRefusals(config.solution.env, "solution.env"),
    ...stepNameRefusals(steps),
    ...steps.flatMap((step, at) => stepRefusals(step, `steps[${at}]`)),
    ...(config.multi_step_reward_strategy !== undefined && steps.length === 0
      ? [mismatch("multi_step_reward_strategy only with steps", config.multi_step_reward_strategy)]
      : []),
  ];
}

function stepRefusals(step: StepConfig, path: string): string[] {
  return [...verifierRefusals(step.verifier, `${path}.verifier`), ...step.artifacts.flatMap(artifactRefusals)];
}

function stepNameRefusals(steps: readonly StepConfig[]): string[] {
  const faults = steps.map(({ name }) => stepNameFault(name)).filter((fault) => fault !== undefined);
  const keys = steps.map(({ name }) => name.normalize("NFC").toLowerCase());
  const twice = steps.filter((_, at) => keys.indexOf(keys[at] as string) !== at);
  return [...faults, ...twice.map(({ name }) => mismatch("steps with names of their own", `${name} twice`))];
}

function environmentRefusals(environment: EnvironmentConfig, path: string): string[] {
  const { gpus = 0, gpu_types = [], tpu, os, mcp_servers, skills_dir, workdir } = environment;
  const faults: (string | false)[] = [
    gpus > 0 && mismatch(`${path}.gpus = 0: sandboxes have no GPU`, `${gpus}`),
    gpu_types.length > 0 && mismatch(`no ${path}.gpu_types: sandboxes have no GPU`, gpu_types.join(", ")),
    tpu !== undefined && mismatch(`no ${path}.tpu: sandboxes have no TPU`, "one"),
    os !== "linux" && mismatch(`${path}.os = "linux"`, os),
    mcp_servers.length > 0 &&
      mismatch(`no ${path}.mcp_servers: agents get commands and files`, `${mcp_servers.length}`),
    skills_dir !== undefined && mismatch(`no ${path}.skills_dir: agents load no skills`, skills_dir),
    workdir !== undefined && !isPlainPath(workdir) && mismatch(`${path}.workdir as an absolute path`, workdir),
  ];
  return [...faults.filter((fault) => fault !== false), ...templateRefusals(environment.env, `${path}.env`)];
}

function networkRefusals(
  { network_mode: mode, allowed_hosts: hosts }: NetworkConfig,
  path: string,
  internet: Internet | undefined,
): string[] {
  if (mode === "public" && internet === undefined)
    return [
      `${mismatch(`${path}.network_mode no-network or allowlist`, "public")}. Choose with --internet none or http`,
    ];
  if (hosts !== undefined && mode !== "allowlist")
    return [mismatch(`${path}.allowed_hosts only with network_mode = "allowlist"`, mode ?? "none")];
  if (hosts?.includes("*")) return [mismatch(`${path}.allowed_hosts that names hosts`, "*")];
  // An entry with a port may lead to private addresses, so a task could reach services of this machine and its network.
  const withPort = hosts?.filter((host) => /:[0-9]+$/.test(host) && isIP(host) === 0) ?? [];
  if (withPort.length > 0) return [mismatch(`${path}.allowed_hosts without ports`, withPort.join(", "))];
  return [];
}

function verifierRefusals(verifier: VerifierConfig, path: string): string[] {
  const { environment, environment_mode: mode, timeout_sec: timeout, collect } = verifier;
  const foreign = collect.filter(({ service }) => service !== "main").map(({ service }) => service);
  const faults: (string | false)[] = [
    environment !== undefined && mode === "shared" && mismatch(`${path}.environment only in the mode separate`, mode),
    timeout > mostVerifierSeconds && mismatch(`${path}.timeout_sec up to ${mostVerifierSeconds}`, `${timeout}`),
    foreign.length > 0 && mismatch(`${path}.collect in the service main`, foreign.join(", ")),
  ];
  return [
    ...faults.filter((fault) => fault !== false),
    ...(environment ? environmentRefusals(environment, `${path}.environment`) : []),
    ...templateRefusals(verifier.env, `${path}.env`),
  ];
}

function artifactRefusals({ source, service }: Artifact): string[] {
  const faults: (string | false)[] = [
    service !== "main" && mismatch("artifacts of the service main", service),
    /(^|\/)\.\.(\/|$)|\0/.test(source) && mismatch("an artifact's source without ..", source),
  ];
  return faults.filter((fault) => fault !== false);
}

/**
 * Checks variables. A value is `${NAME:-default}` or plain text, because tasks cannot read the gym's environment
 * variables.
 */
function templateRefusals(variables: Readonly<Record<string, string>>, path: string): string[] {
  return Object.entries(variables).flatMap(([name, value]) => [
    ...(/^[A-Za-z_]\w*$/.test(name) ? [] : [mismatch(`${path} with names of variables`, name)]),
    ...(/^\$\{[^}:]+\}$/.test(value) || value.includes("\0")
      ? [mismatch(`a default for ${path}.${name}, as \${NAME:-default}: tasks get no variable of the gym's`, value)]
      : []),
  ]);
}

export function isPlainPath(path: string): boolean {
  return /^\/[^\0\n]*$/.test(path) && !path.split("/").some((part) => part === ".." || part === ".");
}
