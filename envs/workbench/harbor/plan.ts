/** Plans the machine of a task: either the base image with copied files, or the task's own image. */
import { posix } from "node:path";
import type { Limits, Network, SandboxSpec } from "../../../sandboxes/sandbox.js";
import { filesBelow, type TaskDirectory, type TaskFile } from "./directory.js";
import { type Copy, type PlainDockerfile, readDockerfile } from "./dockerfile.js";
import { mismatch } from "./refusal.js";
import type { EnvironmentConfig } from "./schema.js";
import { resolved } from "./variables.js";

/** A file of the task, and its absolute path in the machine. */
export interface PlacedFile extends TaskFile {
  to: string;
}

export interface MachinePlan {
  /** Image of the task, or undefined for the provider's base image, into which `files` are copied. */
  image: SandboxSpec["image"];
  /** Reason why the base image is not sufficient, or undefined if it is. */
  needsImage: string | undefined;
  /** Working folder. If undefined, the image's working folder is used. */
  workdir: string | undefined;
  environment: Readonly<Record<string, string>>;
  files: readonly PlacedFile[];
  /** Folders of a base machine for the task's files and the agent's work. */
  folders: readonly string[];
  limits: Limits;
}

/** Folders that Harbor uses itself. They do not contain the agent's work. */
export const harborFolders = ["/logs", "/tests", "/solution"] as const;

/** System folders. A Dockerfile that writes to one of them needs a build. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/proc", "/sys", "/dev"];
/** Folders that are writable in every machine. */
const openFolders = ["/work", "/tmp"];
const mostFolders = 12;
/** Maximum size in bytes of a file that is copied into a machine. */
export const mostPlacedBytes = 64 * 2 ** 20;

/**
 * @param folder folder of the Dockerfile, relative to the task directory: `environment` or `tests`
 * @param text text of the Dockerfile, or undefined if the task has no Dockerfile
 * @param outputs paths of the declared artifacts; their folders must be writable
 * @returns the plan, or the reason why no plan is possible
 */
export function planOf(
  config: EnvironmentConfig,
  directory: TaskDirectory,
  folder: string,
  text: string | undefined,
  outputs: readonly string[] = [],
): MachinePlan | string {
  const common = { limits: limitsOf(config), environment: resolved(config.env) };
  const image = config.docker_image;
  const ofImage = (from: NonNullable<SandboxSpec["image"]>, needsImage: string): MachinePlan => {
    return { ...common, image: from, needsImage, workdir: config.workdir, files: [], folders: [] };
  };
  if (image !== undefined) return ofImage(image, `it runs the image ${image}`);
  if (text === undefined) return mismatch(`${folder}/Dockerfile or environment.docker_image`, "neither");
  const build = { folder: posix.join(directory.root, folder), timeoutMs: config.build_timeout_sec * 1_000 };
  const read = readDockerfile(text);
  if ("needsBuild" in read) return ofImage(build, `${folder}/Dockerfile needs a build: ${read.needsBuild}`);
  const plain = plainPlan(read, config, filesBelow(directory, folder), outputs);
  if (typeof plain === "string") return ofImage(build, `${folder}/Dockerfile needs a build: ${plain}`);
  return { ...common, ...plain, environment: { ...read.environment, ...common.environment } };
}

function plainPlan(
  read: PlainDockerfile,
  config: EnvironmentConfig,
  context: readonly TaskFile[],
  outputs: readonly string[],
) {
  if (context.some(({ path }) => path === ".dockerignore")) return "it has a .dockerignore";
  const workdir = config.workdir ?? read.workdir;
  const placed: PlacedFile[] = [];
  for (const copy of read.copies) {
    const files = copied(copy, context);
    if (typeof files === "string") return files;
    placed.push(...files);
  }
  const written = outputs.map((path) => posix.resolve(workdir, path)).filter((path) => !isElsewhere(path));
  const paths = [workdir, ...placed.map(({ to }) => to), ...written];
  const tops = [...new Set(paths.map((path) => `/${path.split("/")[1] ?? ""}`))];
  const taken = tops.find((top) => top === "/" || systemFolders.includes(top));
  if (taken !== undefined) return `it works in ${taken}`;
  const large = placed.find(({ size }) => size > mostPlacedBytes);
  if (large) return `it copies ${large.path}, of more than ${mostPlacedBytes} bytes`;
  if (tops.length > mostFolders) return `it fills ${tops.length} folders`;
  return { image: undefined, needsImage: undefined, workdir, files: placed, folders: tops };
}

function isElsewhere(path: string): boolean {
  return [...harborFolders, ...openFolders].some((folder) => path === folder || path.startsWith(`${folder}/`));
}

function copied({ sources, destination }: Copy, context: readonly TaskFile[]): PlacedFile[] | string {
  const isFolder = destination.endsWith("/");
  const placed: PlacedFile[] = [];
  for (const source of sources) {
    const file = context.find(({ path }) => path === source);
    if (file) {
      placed.push({ ...file, to: isFolder ? destination + posix.basename(source) : destination });
      continue;
    }
    const prefix = source === "." || source === "./" ? "" : `${source.replace(/\/$/, "")}/`;
    const below = context.filter(({ path }) => path.startsWith(prefix));
    if (below.length === 0) return `it copies ${source}, which is not there`;
    const base = `${destination.replace(/\/$/, "")}/`;
    placed.push(...below.map((one) => ({ ...one, to: base + one.path.slice(prefix.length) })));
  }
  return placed;
}

function limitsOf({ cpus, memory_mb: memoryMb, storage_mb: diskMb }: EnvironmentConfig): Limits {
  return {
    ...(cpus !== undefined && { cpus }),
    ...(memoryMb !== undefined && { memoryMb }),
    ...(diskMb !== undefined && { diskMb }),
  };
}

export interface Role {
  network: Network;
  user: string | undefined;
  lifetimeMs: number;
  /** Image that replaces the plan's image, such as a snapshot. */
  image?: string;
}

/**
 * Returns the options for commands that run as the task's user. In a base machine, all commands run as the sandbox's
 * user.
 */
export function commandUser({ image }: MachinePlan, user: string | undefined): { user?: string } {
  return image !== undefined && user !== undefined ? { user } : {};
}

/**
 * Returns the request for a sandbox. In the task's own image, the sandbox runs as root with a writable file system, and
 * single commands may run as another user.
 */
export function specOf(plan: MachinePlan, { network, user, lifetimeMs, image = undefined }: Role): SandboxSpec {
  const { limits, environment, workdir } = plan;
  const common = { limits, environment, network, lifetimeMs, ...(workdir !== undefined && { folder: workdir }) };
  if (plan.image !== undefined) return { ...common, image: image ?? plan.image, root: "writable", user: "root" };
  const writable = [...new Set([...plan.folders, ...harborFolders])].filter((folder) => !openFolders.includes(folder));
  return { ...common, writable, ...(user !== undefined && { user }) };
}
