import { type BrowserPermits, BrowserProvider } from "../sandboxes/browser/browser-provider.js";
import { JvmProvider } from "../sandboxes/jvm/jvm-provider.js";
import { untilProcessesEnd } from "../sandboxes/left-behind.js";
import { Machines } from "../sandboxes/machines.js";
import type { Permits } from "../sandboxes/permits.js";
import { Pool } from "../sandboxes/pool.js";
import { ProcessProvider } from "../sandboxes/process/process-provider.js";
import type { MachineProvider, Sandboxes } from "../sandboxes/sandbox.js";
import { Turns } from "../sandboxes/turns.js";
import type { Config } from "./config.js";

type SandboxConfig = Config["sandboxes"];

/** Kinds of sandboxes whose number is limited. */
export const sandboxKinds = ["machines", "jvms", "browsers"] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

/** Kinds of permits. Browsers that get no more sessions have permits of their own, so that others can start meanwhile. */
export type PermitKind = SandboxKind | "retiringBrowsers";

/** Returns the largest number of permits of each kind. */
export function permitLimits({ machines, jvms, browsers }: SandboxConfig): Record<PermitKind, number> {
  return { machines, jvms, browsers, retiringBrowsers: browsers };
}

export interface OpenedSandboxes extends Sandboxes {
  /** Returns the number of requests of each kind that wait until another sandbox is closed. */
  waitingCounts(): Record<SandboxKind, number>;
  close(): Promise<void>;
}

/**
 * Opens the sandbox providers that are configured in the settings. Sandboxes start when they are first requested.
 *
 * @param permitsOf returns the permits of a kind. By default, this process alone has all permits of the settings.
 */
export function openSandboxes(
  { sandboxes }: Pick<Config, "sandboxes">,
  permitsOf: (kind: PermitKind) => Permits = (kind) => new Turns({ most: permitLimits(sandboxes)[kind] }),
): OpenedSandboxes {
  const { warmMs, waitMs } = sandboxes;
  const jvm = new Pool(new JvmProvider(), { permits: permitsOf("jvms"), warmMs, waitMs });
  const machines = new Machines(machineProviders(sandboxes), { permits: permitsOf("machines"), waitMs });
  const permits = { serving: permitsOf("browsers"), retiring: permitsOf("retiringBrowsers") };
  const browsers = openBrowsers(sandboxes, permits);
  return {
    jvm,
    machines,
    browsers,
    waitingCounts: () => ({
      machines: machines.waitingCount,
      jvms: jvm.waitingCount,
      browsers: browsers.waitingCount,
    }),
    close: async () => {
      await Promise.all([jvm.close(), machines.close(), browsers.close()]);
    },
  };
}

/** Opens the browser provider. Chromium starts when a session is first requested. */
export function openBrowsers(config: SandboxConfig, permits?: BrowserPermits): BrowserProvider {
  return new BrowserProvider({
    permits,
    browsers: config.browsers,
    contextsPerBrowser: config.contextsPerBrowser,
    warmContexts: config.warmContexts,
    program: config.browser,
    sandbox: config.browserSandbox,
    user: config.browserUser,
    memoryMb: config.browserMemoryMb,
    warmMs: config.warmMs,
    waitMs: config.waitMs,
  });
}

/** Returns loaders of the providers by name, in the order in which they are tried. */
function machineProviders(config: SandboxConfig): Record<string, () => Promise<MachineProvider>> {
  const docker = () => openDocker(config);
  const process = async () => new ProcessProvider();
  return { auto: { docker, process }, docker: { docker }, process: { process } }[config.provider];
}

/**
 * Loads Docker's client when a container is first requested, because this takes as long as loading the rest of the gym.
 */
export async function openDocker({ engines, pull, warm, warmMs }: SandboxConfig): Promise<MachineProvider> {
  const { DockerProvider } = await import("../sandboxes/docker/docker-provider.js");
  return new DockerProvider({ engines, mayPull: pull, warm, warmMs });
}

/** Resolves when no sandbox of a process of this gym that has ended runs any more. Containers are removed. */
export async function untilGone(kind: PermitKind, pid: number, { provider, engines }: SandboxConfig): Promise<void> {
  await untilProcessesEnd(kind === "machines" ? "process" : kind === "jvms" ? "jvm" : "browsers", pid);
  if (kind !== "machines" || provider === "process") return;
  const { removeContainersOf } = await import("../sandboxes/docker/left-behind.js");
  await removeContainersOf(pid, engines);
}
