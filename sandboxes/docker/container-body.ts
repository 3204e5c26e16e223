/** Translates the guarantees of a sandbox spec into the engine's request to create a container. */
import type { ContainerCreateOptions, HostConfig } from "dockerode";
import type { Limits, SandboxSpec } from "../sandbox.js";

/** Default limits of a spec. */
export const defaultLimits: Required<Limits> = { memoryMb: 1024, cpus: 1, processes: 256, diskMb: 256 };
const hostname = "sandbox";
export const defaultUser = "1000:1000";
export const defaultFolder = "/work";
/** Folder of the agent's program in a container. */
export const agentFolder = "/.palestra";
export const agentPath = `${agentFolder}/agent`;

/**
 * The only capabilities of root in a container. Without these capabilities, root could do less than an ordinary user.
 */
const capabilitiesOfRoot = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID", "KILL"];
const sharedMemoryBytes = 64 * 2 ** 20;
const mostOpenFiles = 4_096;

/**
 * All properties of a container that its creation request depends on. Requests with equal shapes can share warm
 * containers.
 */
export interface ContainerShape {
  /** Id of the image. */
  image: string;
  limits: Required<Limits>;
  user: string;
  folder: string;
  /**
   * Writable folders. Each folder is a tmpfs with a size limit. If the root is read-only, /tmp is one of the writable
   * folders.
   */
  writable: readonly string[];
  isRootWritable: boolean;
  /** Whether the engine can limit the size of a writable root. */
  hasQuota: boolean;
  /** Whether the engine's kernel is known to have IPv6, so that containers get the address ::1. */
  hasIpv6: boolean;
  agentVolume: string;
}

/** Returns the body of the request. @param labels labels that identify the container later */
export function containerBody(shape: ContainerShape, labels: Record<string, string>): ContainerCreateOptions {
  const { image, user, folder } = shape;
  return {
    Image: image,
    Entrypoint: [agentPath],
    Cmd: [],
    User: user,
    WorkingDir: folder,
    Hostname: hostname,
    Labels: labels,
    // The agent ends when its line closes, and the container ends with the agent.
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Healthcheck: { Test: ["NONE"] },
    HostConfig: hostConfig(shape),
  } as ContainerCreateOptions;
}

function hostConfig(shape: ContainerShape): HostConfig {
  const { limits, user, agentVolume, isRootWritable, hasQuota, hasIpv6 } = shape;
  const memory = limits.memoryMb * 2 ** 20;
  const config: HostConfig = {
    NetworkMode: "none",
    ExtraHosts: [`${hostname}:127.0.0.1`],
    // Without these two, the engine copies the name servers and the domain of its machine into the container.
    Dns: ["127.0.0.1"],
    DnsSearch: ["."],
    // Docker's own list of hosts names ::1 as an address of localhost, but only newer engines provide it.
    Sysctls: hasIpv6 ? { "net.ipv6.conf.lo.disable_ipv6": "0" } : {},
    AutoRemove: true,
    // The agent is PID 1 and reaps orphans. An init process would also hold the agent's streams.
    Init: false,
    ReadonlyRootfs: !isRootWritable,
    CapDrop: ["ALL"],
    CapAdd: isRoot(user) ? capabilitiesOfRoot : [],
    SecurityOpt: ["no-new-privileges"],
    IpcMode: "private",
    Memory: memory,
    MemorySwap: memory,
    NanoCpus: Math.round(limits.cpus * 1e9),
    PidsLimit: limits.processes,
    ShmSize: sharedMemoryBytes,
    Tmpfs: writableFolders(shape),
    Mounts: [
      { Type: "volume", Source: agentVolume, Target: agentFolder, ReadOnly: true, VolumeOptions: { NoCopy: true } },
    ] as HostConfig["Mounts"],
    LogConfig: { Type: "none", Config: {} },
    Ulimits: ulimitsOf(shape),
  };
  if (isRootWritable && hasQuota) config.StorageOpt = { size: `${limits.diskMb}M` };
  return config;
}

function ulimitsOf({ limits, isRootWritable, hasQuota }: ContainerShape): NonNullable<HostConfig["Ulimits"]> {
  const ulimits = [
    { Name: "core", Soft: 0, Hard: 0 },
    { Name: "nofile", Soft: mostOpenFiles, Hard: mostOpenFiles },
  ];
  // If the engine has no quota, the size of the root is only watched. The kernel at least limits each single file.
  const fileBytes = limits.diskMb * 2 ** 20;
  if (isRootWritable && !hasQuota) ulimits.push({ Name: "fsize", Soft: fileBytes, Hard: fileBytes });
  return ulimits;
}

function writableFolders({ limits, user, writable, isRootWritable }: ContainerShape): Record<string, string> {
  const owner = /^(\d+)(?::(\d+))?$/.exec(user);
  const own = owner ? `uid=${owner[1]},gid=${owner[2] ?? owner[1]},mode=0755` : "mode=1777";
  const sized = `rw,exec,nosuid,nodev,size=${limits.diskMb}m`;
  const folders = Object.fromEntries(writable.map((path) => [path, `${sized},${own}`]));
  // With a writable root, /tmp is part of the root, so that snapshots include it.
  return isRootWritable ? folders : { "/tmp": `${sized},mode=1777`, ...folders };
}

export function isRoot(user: string): boolean {
  return /^(root|0+)(:|$)/.test(user);
}

/** The parts of an image's configuration that a sandbox uses. */
export interface ImageFacts {
  id: string;
  folder: string;
  environment: Record<string, string>;
  /**
   * Paths of the image's own volumes. The sandbox replaces each volume by a folder with a size limit, since volumes
   * have none.
   */
  volumes: readonly string[];
}

/** Returns the shape of a container for a spec. @param facts facts about the spec's image @param engine facts about the engine */
export function shapeOf(
  spec: SandboxSpec,
  facts: ImageFacts,
  engine: Pick<ContainerShape, "agentVolume" | "hasQuota" | "hasIpv6">,
): ContainerShape {
  const { limits = {}, user = defaultUser, writable = [], root = "read-only" } = spec;
  const isRootWritable = root === "writable";
  return {
    ...engine,
    image: facts.id,
    limits: { ...defaultLimits, ...limits },
    user,
    folder: spec.folder ?? (isRootWritable ? facts.folder : defaultFolder),
    writable: [...new Set([...(isRootWritable ? [] : [defaultFolder]), ...writable, ...facts.volumes])],
    isRootWritable,
  };
}
