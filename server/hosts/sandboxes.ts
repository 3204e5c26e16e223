import type { PermitsOfBrowsers } from "../../sandboxes/browser/browser-permits.js";
import { BrowserProvider } from "../../sandboxes/browser/browser-provider.js";
import { JvmProvider } from "../../sandboxes/jvm/jvm-provider.js";
import { Machines } from "../../sandboxes/machines.js";
import type { Permits } from "../../sandboxes/permits.js";
import { Pool } from "../../sandboxes/pool.js";
import { ProcessProvider } from "../../sandboxes/process/process-provider.js";
import type { MachineProvider, Sandboxes } from "../../sandboxes/sandbox.js";
import { Turns } from "../../sandboxes/turns.js";
import type { Config } from "../config/config.js";
import { type PermitKind, permitLimits, type SandboxKind } from "./sandbox-kinds.js";

type SandboxConfig = Config["sandboxes"];

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
export function openBrowsers(config: SandboxConfig, permits?: PermitsOfBrowsers): BrowserProvider {
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
  const { DockerProvider } = await import("../../sandboxes/docker/docker-provider.js");
  return new DockerProvider({ engines, mayPull: pull, warm, warmMs });
}
