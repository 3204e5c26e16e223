import { BrowserProvider } from "../sandboxes/browser/browser-provider.js";
import { JvmProvider } from "../sandboxes/jvm/jvm-provider.js";
import { Machines } from "../sandboxes/machines.js";
import { Pool } from "../sandboxes/pool.js";
import { ProcessProvider } from "../sandboxes/process/process-provider.js";
import type { MachineProvider, Sandboxes } from "../sandboxes/sandbox.js";
import type { Config } from "./config.js";

type SandboxConfig = Config["sandboxes"];

export interface OpenedSandboxes extends Sandboxes {
  /** Returns the number of requests that wait until another sandbox is closed. */
  waitingCount(): number;
  close(): Promise<void>;
}

/** Opens the sandbox providers that are configured in the settings. Sandboxes start when they are first requested. */
export function openSandboxes({ sandboxes }: Pick<Config, "sandboxes">): OpenedSandboxes {
  const { jvms, machines: most, warmMs, waitMs } = sandboxes;
  const jvm = new Pool(new JvmProvider(), { most: jvms, warmMs, waitMs });
  const machines = new Machines(machineProviders(sandboxes), { most, waitMs });
  const browsers = openBrowsers(sandboxes);
  return {
    jvm,
    machines,
    browsers,
    waitingCount: () => jvm.waitingCount + machines.waitingCount + browsers.waitingCount,
    close: async () => {
      await Promise.all([jvm.close(), machines.close(), browsers.close()]);
    },
  };
}

/** Opens the browser provider. Chromium starts when a session is first requested. */
export function openBrowsers(config: SandboxConfig): BrowserProvider {
  return new BrowserProvider({
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
